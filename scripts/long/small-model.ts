/**
 * A real small model in the loop, over all golden sessions and a store that is not empty. Its facts are poor and its
 * decisions are noise: a stress test of everything that stands between a model and the store.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { messageOf } from "../../src/core/errors.ts";
import type { Memory } from "../../src/core/memory.ts";
import { LIVE_STATUSES, type MemoryRecord } from "../../src/core/memory-record.ts";
import type { IngestReport } from "../../src/core/report.ts";
import { listIn, readReply } from "../../src/ingest/extract/repair-reply.ts";
import { looksLikeFact, readFactItems } from "../../src/ingest/extract/reply/fact-item.ts";
import { parseDecisions } from "../../src/ingest/lifecycle/parse-decisions.ts";
import { readTranscript } from "../../src/memory/for-ingest/read-transcript.ts";
import { createOpenAiCompatibleModel } from "../../src/models/adapters/openai-compatible.ts";
import type { LanguageModel } from "../../src/models/language-model.ts";
import { openTestHome } from "../../test/support/open-test-memory.ts";
import { factFrom, turnsIn } from "../../test/support/scripted-model/reactive.ts";
import { prepareCheck, ungroundedParts } from "./check-grounding.ts";
import { type GoldenTranscript, layOutGolden } from "./golden-transcripts.ts";
import { Progress } from "./progress.ts";
import { commitNow } from "./report.ts";
import { addShares, type Share, ShareCount } from "./share.ts";
import { fetchSmallModel, type SmallModelFiles } from "./small-model-files.ts";
import { startSmallModel } from "./small-model-process.ts";

const CONTEXT_TOKENS = 4_096;
/** The pipeline's own time-outs are for endpoints; this one shares two cores with us. */
const PATIENCE_MS = 900_000;
const ALL_STATUSES = [...LIVE_STATUSES, "archived", "superseded", "forgotten"] as const;

interface Pass {
  readonly name: string;
  /** What the endpoint takes: without one the adapter steps down. */
  readonly formats: readonly string[];
  /** 1: no list is empty, so that every reply proposes something. */
  readonly leastItems: number;
  /** How many of the sessions; the shortest ones. */
  readonly most: number;
  /** `quotes`: facts are what people said, quoted, so that the model's decisions about them meet the lifecycle's guards. */
  readonly extraction: "model" | "quotes";
}

const ALL = Number.POSITIVE_INFINITY;
/** What a second look is worth: long sessions spend their time on summaries, which no guard sees. */
const SHORTEST = 32;
const STRICT = { formats: ["json_schema", "json_object"], leastItems: 1, most: ALL, extraction: "model" } as const;
/** Passes over the sessions, each with a store of its own. The lanes run at once, the passes of a lane one by one. */
const LANES: readonly (readonly Pass[])[] = [
  [
    { name: "json_schema, other seed", ...STRICT, most: SHORTEST },
    { name: "json_schema", ...STRICT },
  ],
  [
    { name: "json_schema, quoted facts", ...STRICT, extraction: "quotes" },
    { name: "json_schema, quoted facts, other seed", ...STRICT, extraction: "quotes", most: SHORTEST },
    { name: "json_object", ...STRICT, formats: ["json_object"], leastItems: 0, most: 5 },
    { name: "plain text", ...STRICT, formats: [], leastItems: 0, most: 5 },
  ],
];

export interface SmallModelRequest {
  readonly seed: number;
  /** No session is begun after this. */
  readonly seconds: number;
  /** So many replies must reach the guards, or the run says little: fewer count as a violation. */
  readonly replies: number;
}

export async function stressBySmallModel({ seed, seconds, replies }: SmallModelRequest): Promise<Share> {
  const files = fetchSmallModel(process.env.ARCTICMEM_SMALL_MODEL);
  const folder = mkdtempSync(join(tmpdir(), "arcticmem-golden-"));
  const progress = new Progress(`${commitNow()}-${seed}`);
  const deadline = performance.now() + seconds * 1000;
  try {
    const transcripts = layOutGolden(folder).sort((a, b) => a.bytes - b.bytes);
    const lanes = LANES.map(async (passes, lane) => {
      for (const [at, pass] of passes.entries()) {
        const sittingSeed = seed + 10 * lane + at + 100 * progress.sittings;
        await onePass({ files, transcripts, seed: sittingSeed, pass, deadline, progress });
      }
    });
    await Promise.all(lanes);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  const shares = progress.shares();
  const whole = addShares(shares);
  const reached = whole.counts[REACHED] ?? 0;
  const few = reached < replies ? [`only ${reached} replies reached the guards, ${replies} are wanted`] : [];
  progress.forget();
  const took = Math.max(...LANES.map((passes) => secondsOf(passes, shares)), 0);
  const counts = { ...whole.counts, sittings: progress.sittings };
  return { ...whole, counts, seconds: took, violations: [...whole.violations, ...few] };
}

function secondsOf(passes: readonly Pass[], shares: readonly Share[]): number {
  const own = shares.filter(({ counts }) => passes.some(({ name }) => counts[`passes: ${name}`] !== undefined));
  return own.reduce((sum, share) => sum + share.seconds, 0);
}

const REACHED = "replies that reached the guards";

interface PassRequest {
  readonly files: SmallModelFiles;
  readonly transcripts: readonly GoldenTranscript[];
  readonly seed: number;
  readonly pass: Pass;
  readonly deadline: number;
  readonly progress: Progress;
}

async function onePass({ files, transcripts, seed, pass, deadline, progress }: PassRequest): Promise<void> {
  const left = transcripts.slice(0, pass.most).filter(({ name }) => !progress.isDone(pass.name, name));
  if (left.length === 0 || performance.now() > deadline) return;
  const count = new ShareCount({ seed, cases: transcripts.length, seconds: Number.POSITIVE_INFINITY });
  count.add(`passes: ${pass.name}`);
  using server = await startSmallModel(files, { ...pass, contextTokens: CONTEXT_TOKENS, seed });
  using home = openTestHome();
  const model = createOpenAiCompatibleModel({
    baseUrl: server.baseUrl,
    model: "smollm2-135m-instruct",
    contextTokens: CONTEXT_TOKENS,
    key: { kind: "none" },
    environment: {},
  });
  await using memory = await home.open({
    languageModel: pass.extraction === "quotes" ? quoting(counted(model, count)) : counted(model, count),
  });
  await seedStore(memory);
  for (const transcript of left) {
    if (performance.now() > deadline) return;
    await ingestOne(memory, transcript, count);
    progress.save(pass.name, transcript.name, count.finish());
  }
}

/** Passes calls on and counts what came back, by stage and class. */
function counted(model: LanguageModel, count: ShareCount): LanguageModel {
  return {
    ...model,
    async generate(request) {
      const startedAt = performance.now();
      try {
        const reply = await model.generate({ ...request, timeoutMs: PATIENCE_MS });
        count.time(`reply of stage ${request.stage}`, performance.now() - startedAt, true);
        const read = readReply(reply);
        count.add(`replies of stage ${request.stage}`);
        count.add(`reply class ${read.class}`);
        if (read.value !== undefined && read.repaired) count.add("replies that jsonrepair mended");
        if (reachesGuards(request.stage, reply)) {
          count.add(REACHED);
          count.add(`reached the guards by stage ${request.stage}`);
        }
        count.add("input tokens", reply.usage.inputTokens);
        count.add("output tokens", reply.usage.outputTokens);
        return reply;
      } catch (error) {
        count.add(`calls that failed: ${messageOf(error).replace(/\d+/g, "N").slice(0, 100)}`);
        throw error;
      }
    },
  };
}

const MOST_QUOTES = 6;

/** Answers extraction itself: sentences of people, quoted truly. All other calls go to the model. */
function quoting(model: LanguageModel): LanguageModel {
  return {
    ...model,
    generate: async (request) => {
      if (request.stage !== "extract") return model.generate(request);
      const sentences = turnsIn(request.prompt)
        .filter(({ role }) => role.startsWith("human"))
        .flatMap(({ turn, text }) =>
          (text.match(/[^.!?\n]{25,150}[.!]/g) ?? []).map((quote) => ({ turn, quote: quote.trim() })),
        )
        .slice(-MOST_QUOTES);
      const facts = sentences.map(({ turn, quote }) => factFrom({ type: "preference", turn, quote, content: quote }));
      return {
        text: JSON.stringify({ facts }),
        truncated: false,
        usage: { inputTokens: 0, outputTokens: 0 },
        calls: 0,
      };
    },
  };
}

/** It holds at least one item for a guard to judge: a fact, a decision, a summary, a verdict. */
function reachesGuards(stage: string, reply: { readonly text: string; readonly truncated: boolean }): boolean {
  const read = readReply(reply);
  if (read.value === undefined) return false;
  const facts = readFactItems(listIn(read.value, "facts", looksLikeFact) ?? []).valid;
  if (facts.length > 0) return true;
  if ((parseDecisions(reply)?.decisions.length ?? 0) > 0) return true;
  if (stage === "summarize") return (listIn(read.value, "summaries", (item) => "span" in item) ?? []).length > 0;
  return stage === "judge" && "label" in read.value;
}

const SEEDS = [
  "This repository uses pnpm, never npm: the lockfile is pnpm-lock.yaml.",
  "The ledger's tests need Postgres on port 5432.",
  "Deploys of porter happen on Tuesdays only, from the main branch.",
  "The porter service listens on port 8080.",
  "Amounts in the ledger are integers of cents, never floats.",
  "The flash script needs firmware 4.2 or later.",
  "Basket exports are read from warehouse.sales.baskets.",
  "Answers to customers are in German unless they write in English.",
  "The staging tunnel has to be open before API tests run.",
  "Retries of the importer are capped at 3 with a backoff of 30 seconds.",
] as const;

/** Some pinned, some edited by hand, some plain: none may be lost, the first two kinds may not even change. */
async function seedStore(memory: Memory): Promise<void> {
  for (const [at, text] of SEEDS.entries()) {
    const { memory: added } = await memory.add({ text, by: "person" });
    if (at % 3 === 0) await memory.keep.pin(added.id, true);
    if (at % 3 === 1) await memory.keep.edit(added.id, { why: "Said by the team." });
  }
}

async function ingestOne(memory: Memory, transcript: GoldenTranscript, count: ShareCount): Promise<void> {
  const before = await allOf(memory);
  const startedAt = performance.now();
  let report: IngestReport;
  try {
    report = await memory.ingest.session(transcript.path);
  } catch (error) {
    const message = messageOf(error);
    if (/no transcript that is known/.test(message)) count.add("sessions of hosts that are not read yet");
    else count.violation(`${transcript.name} crashed: ${message}`);
    return;
  }
  count.case();
  count.time("session", performance.now() - startedAt, true);
  countReport(report, count);
  await checkStore(memory, { transcript, before, count });
  process.stderr.write(
    `${transcript.name}: ${resultOf(report)}, ${((performance.now() - startedAt) / 1000).toFixed(0)} s\n`,
  );
}

function resultOf({ result }: IngestReport): string {
  if (result.kind === "failed") return `failed(${result.failure})`;
  return result.kind === "skipped" ? `skipped(${result.reason})` : result.kind;
}

function countReport(report: IngestReport, count: ShareCount): void {
  count.add(`sessions ended: ${resultOf(report)}`);
  for (const { rule } of report.rejections) count.add(`rejected by ${rule}`);
  for (const { guards, applied } of report.decisions) {
    count.add(`applied ${applied}`);
    for (const guard of guards) count.add(guard);
  }
}

function allOf(memory: Memory): Promise<MemoryRecord[]> {
  return memory.list({ statuses: ALL_STATUSES, everywhere: true, limit: 10_000 });
}

interface StoreCheck {
  readonly transcript: GoldenTranscript;
  readonly before: readonly MemoryRecord[];
  readonly count: ShareCount;
}

async function checkStore(memory: Memory, { transcript, before, count }: StoreCheck): Promise<void> {
  const after = new Map((await allOf(memory)).map((record) => [record.id, record]));
  for (const was of before) {
    const problem = lossOf(was, after);
    if (problem !== undefined) count.violation(`${transcript.name}: ${problem}`);
  }
  const known = new Set(before.map(({ id }) => id));
  const fresh = [...after.values()].filter(({ id }) => !known.has(id));
  count.add("memories stored", fresh.length);
  if (fresh.length === 0) return;
  const check = prepareCheck(await readTranscript(undefined, transcript.path));
  for (const record of fresh) {
    const byModel = record.provenance.some(({ extractor }) => extractor.startsWith("model:"));
    count.add(byModel ? "memories stored from the model" : "memories stored by rule");
    const problems = ungroundedParts(record, check);
    if (problems.length > 0)
      count.violation(`${transcript.name}: ungrounded "${record.title}": ${problems.join("; ")}`);
  }
}

function lossOf(was: MemoryRecord, after: ReadonlyMap<string, MemoryRecord>): string | undefined {
  const is = after.get(was.id);
  const isLive = (record: MemoryRecord): boolean => LIVE_STATUSES.some((status) => status === record.status);
  if (is === undefined) return `"${was.title}" is gone`;
  const isProtected = was.pinned || was.humanEdited;
  if (isProtected && (is.content !== was.content || is.status !== was.status))
    return `protected "${was.title}" changed`;
  if (!isLive(was) || isLive(is)) return undefined;
  return is.supersededBy !== null && after.has(is.supersededBy) ? undefined : `"${was.title}" has no successor`;
}
