/** Summaries of spans from the model: packed calls under caps, each summary checked, each failure left to the digest. */
import pLimit from "p-limit";
import { ModelError } from "../../../core/errors.ts";
import { sha256 } from "../../../core/hash.ts";
import { cleanText } from "../../../text/clean.ts";
import { createBoundary } from "../../prompts/boundary.ts";
import { SUMMARIZE_TURNS_VERSION, summarizeTurnsPrompt } from "../../prompts/summarize-turns.ts";
import { ask, type StageDeps } from "../../stage-deps.ts";
import type { StageAccount } from "../../stage-report.ts";
import { listIn, readReply } from "../repair-reply.ts";
import type { Allocation } from "./allocate.ts";
import { checkSummary } from "./check-summary.ts";

export interface SummaryCaps {
  readonly calls: number;
  readonly characters: number;
  readonly wallMs: number;
  readonly concurrency: number;
}

/** One span with what the model is to read of it. */
export interface SummaryJob extends Allocation {
  readonly digest: string;
}

const PACK_CHARACTERS = 24_000;
/** Overhead of delimiters and head for each span in a call. */
const SPAN_OVERHEAD = 120;
const TIMEOUT_MS = 60_000;

/**
 * @param packCharacters - Most characters of spans in one call; less for a model with a small context.
 * @returns Summaries by the span's handle; a span without one keeps its digest.
 * @throws What aborted the run.
 */
export async function askSummaries(
  context: { readonly deps: StageDeps; readonly account: StageAccount; readonly caps: SummaryCaps },
  jobs: readonly SummaryJob[],
  packCharacters: number,
): Promise<ReadonlyMap<number, string>> {
  const { deps, account, caps } = context;
  const summaries = new Map<number, string>();
  const open = await withoutCached(deps, account, { jobs, summaries });
  const packs = packJobs(withinCaps(open, caps), Math.min(packCharacters, PACK_CHARACTERS)).slice(0, caps.calls);
  const left = open.length - packs.flat().length;
  if (left > 0) account.note(`${left} spans went without the model: over the cap`);
  const deadline = deps.now().getTime() + caps.wallMs;
  const limit = pLimit(caps.concurrency);
  const state = { stopped: false };
  const work = packs.map((pack) => limit(() => summarizePack({ deps, account, deadline, state, summaries }, pack)));
  await Promise.all(work);
  return summaries;
}

async function withoutCached(
  deps: StageDeps,
  account: StageAccount,
  { jobs, summaries }: { readonly jobs: readonly SummaryJob[]; readonly summaries: Map<number, string> },
): Promise<SummaryJob[]> {
  const open: SummaryJob[] = [];
  for (const job of jobs) {
    const cached = await deps.cache?.read(cacheKey(deps, job));
    if (cached === undefined) open.push(job);
    else {
      summaries.set(job.span.handle, cached);
      account.cacheHit();
    }
  }
  return open;
}

function cacheKey({ model }: StageDeps, { span, characters }: SummaryJob): string {
  return sha256([span.text, model.name, String(SUMMARIZE_TURNS_VERSION), String(characters)].join("\u0000"));
}

/** The heaviest spans that fit under the cap of characters, in the session's order. */
function withinCaps(jobs: readonly SummaryJob[], { characters }: SummaryCaps): SummaryJob[] {
  const chosen = new Set<SummaryJob>();
  let sent = 0;
  for (const job of [...jobs].sort((a, b) => b.weight - a.weight)) {
    sent += job.digest.length + SPAN_OVERHEAD;
    if (sent > characters) break;
    chosen.add(job);
  }
  return jobs.filter((job) => chosen.has(job));
}

/** Heaviest packs first, so that the cap of calls leaves out the lightest. */
function packJobs(jobs: readonly SummaryJob[], characters: number): SummaryJob[][] {
  const packs: SummaryJob[][] = [];
  let filled = Number.POSITIVE_INFINITY;
  for (const job of jobs) {
    const size = Math.min(job.digest.length, characters) + SPAN_OVERHEAD;
    if (filled + size > characters + SPAN_OVERHEAD) {
      packs.push([]);
      filled = 0;
    }
    packs.at(-1)?.push(job);
    filled += size;
  }
  const weightOf = (pack: readonly SummaryJob[]) => Math.max(...pack.map(({ weight }) => weight));
  return packs.sort((a, b) => weightOf(b) - weightOf(a));
}

interface PackContext {
  readonly deps: StageDeps;
  readonly account: StageAccount;
  readonly deadline: number;
  /** Set when a call failed for good: the next ones would too. */
  readonly state: { stopped: boolean };
  readonly summaries: Map<number, string>;
}

async function summarizePack(context: PackContext, pack: readonly SummaryJob[]): Promise<void> {
  const { deps, account, deadline, state } = context;
  const remainingMs = deadline - deps.now().getTime();
  if (state.stopped || remainingMs <= 0)
    return account.note(`${pack.length} spans went without the model: out of time`);
  const spans = pack.map(({ span, digest, characters }) => ({
    span: span.handle,
    text: digest,
    maxCharacters: characters,
  }));
  try {
    const reply = await ask(deps, account, {
      stage: "summarize",
      ...summarizeTurnsPrompt(createBoundary(deps.ids), spans),
      timeoutMs: Math.min(TIMEOUT_MS, remainingMs),
    });
    await keepGood(context, pack, readReply(reply).value);
  } catch (thrown) {
    if (!(thrown instanceof ModelError)) throw thrown;
    state.stopped = !thrown.retryable;
    account.note(`${pack.length} spans keep their digests: ${thrown.message}`);
  }
}

async function keepGood(context: PackContext, pack: readonly SummaryJob[], value: unknown): Promise<void> {
  const { deps, account, summaries } = context;
  const items = listIn(value, "summaries", (candidate) => "span" in candidate && "text" in candidate) ?? [];
  const parsed = items.flatMap(toSummary);
  const redacted = await deps.redactor.redactAll(parsed.map(({ text }) => text));
  let good = 0;
  for (const job of pack) {
    const at = parsed.findIndex(({ span }) => span === job.span.handle);
    const checked = checkSummary(redacted[at] ?? "", job.span.text, job.characters);
    if (checked === undefined) continue;
    good += 1;
    summaries.set(job.span.handle, checked);
    await deps.cache?.write(cacheKey(deps, job), checked);
  }
  if (good < pack.length) account.note(`${pack.length - good} of ${pack.length} spans keep their digests`);
}

/** A handle as a number or as its digits; anything else is no summary of ours. */
function toSummary(item: unknown): readonly { readonly span: number; readonly text: string }[] {
  if (typeof item !== "object" || item === null) return [];
  const { span, text } = item as { readonly span?: unknown; readonly text?: unknown };
  if (typeof text !== "string" || !/^\d{1,7}$/.test(String(span))) return [];
  return [{ span: Number(span), text: cleanText(text) }];
}
