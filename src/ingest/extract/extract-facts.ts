/**
 * Asks the model for the facts of a session, window by window. A reply ends in one of three ways that are never
 * conflated: candidates, a valid empty answer, or a failure with its kind.
 */
import { ModelError } from "../../core/errors.ts";
import type { FailureKind, Rejection, StageReport } from "../../core/report.ts";
import type { Session } from "../../core/session.ts";
import { dayOf } from "../../core/time/days.ts";
import type { ModelReply } from "../../models/language-model.ts";
import { createBoundary } from "../prompts/boundary.ts";
import { EXTRACT_FACTS_VERSION, extractFactsPrompt, type Prompt } from "../prompts/extract-facts.ts";
import { FAILURE_LESSONS_VERSION, failureLessonsPrompt } from "../prompts/failure-lessons.ts";
import { repairPrompt } from "../prompts/repair-facts.ts";
import { ask, type StageDeps } from "../stage-deps.ts";
import { openAccount, type StageAccount } from "../stage-report.ts";
import type { FactCandidate } from "./fact-candidate.ts";
import { redactCandidates } from "./redact-candidates.ts";
import { listIn, type ReadReply, readReply } from "./repair-reply.ts";
import { looksLikeFact, readFactItems } from "./reply/fact-item.ts";
import { halve, rangeOf, type TranscriptWindow, windowCharacters, windowText } from "./transcript-window.ts";

/** `failure_lessons`: warnings only, from a session that did not succeed. */
export type ExtractionMode = "facts" | "failure_lessons";

export interface ExtractionInput {
  readonly session: Session;
  readonly windows: readonly TranscriptWindow[];
  readonly mode: ExtractionMode;
  /** Titles of memories that exist, most relevant first. */
  readonly knownTitles: readonly string[];
  /** Turns before this one have been extracted by an earlier run; 0 for a new session. */
  readonly fromTurn: number;
}

export type Extraction = { readonly report: StageReport } & (
  | {
      readonly kind: "candidates";
      readonly candidates: readonly FactCandidate[];
      readonly rejections: readonly Rejection[];
      /** Ranges of turns whose reply was of no use, where another window's was. */
      readonly leftOut: readonly string[];
    }
  | { readonly kind: "no_facts" }
  | {
      readonly kind: "failed";
      readonly failure: Extract<FailureKind, "model" | "parse">;
      readonly retryable: boolean;
      readonly message: string;
    }
);

/** The run record says which wording was asked. */
const PROMPTS = {
  facts: { make: extractFactsPrompt, version: `prompt extract-facts@${EXTRACT_FACTS_VERSION}` },
  failure_lessons: { make: failureLessonsPrompt, version: `prompt failure-lessons@${FAILURE_LESSONS_VERSION}` },
} as const;

const TIMEOUT_MS = 120_000;
/** A window this long may have been too much for the model: its reply, cut off, is asked for again by halves. */
const HALVE_OVER_CHARACTERS = 20_000;
/** Halves are not shorter than this. */
const FLOOR_CHARACTERS = 8_000;

/** @throws What aborted the run; failures of the model or of its reply are returned. */
export async function extractFacts(deps: StageDeps, input: ExtractionInput): Promise<Extraction> {
  const account = openAccount("extract", deps.now);
  account.note(PROMPTS[input.mode].version);
  const answers: WindowAnswer[] = [];
  try {
    for (const [at, window] of input.windows.entries()) {
      deps.signal?.throwIfAborted();
      answers.push(
        await answerWindow({ deps, account, input, part: { number: at + 1, of: input.windows.length } }, window),
      );
    }
  } catch (thrown) {
    if (!(thrown instanceof ModelError)) throw thrown;
    const { message, retryable } = thrown;
    return { kind: "failed", failure: "model", retryable, message, report: account.finish() };
  }
  return pool(deps, account, answers);
}

interface WindowCall {
  readonly deps: StageDeps;
  readonly account: StageAccount;
  readonly input: ExtractionInput;
  readonly part: { readonly number: number; readonly of: number };
}

type WindowAnswer =
  | { readonly kind: "facts"; readonly candidates: readonly FactCandidate[] }
  | { readonly kind: "useless"; readonly range: string; readonly why: string };

/** Gathers the windows' answers. One useless reply among good ones leaves its range out; none but useless ones fail. */
async function pool(deps: StageDeps, account: StageAccount, answers: readonly WindowAnswer[]): Promise<Extraction> {
  const useless = answers.filter((answer) => answer.kind === "useless");
  for (const { range, why } of useless) account.note(`${range}: ${why}`);
  const [first] = useless;
  if (first !== undefined && useless.length === answers.length) {
    return { kind: "failed", failure: "parse", retryable: true, message: first.why, report: account.finish() };
  }
  const found = answers.flatMap((answer) => (answer.kind === "facts" ? answer.candidates : []));
  if (found.length === 0 && useless.length === 0) return { kind: "no_facts", report: account.finish() };
  const { kept, rejections } = await redactCandidates(deps.redactor, found);
  const leftOut = useless.map(({ range }) => range);
  return { kind: "candidates", candidates: kept, rejections, leftOut, report: account.finish() };
}

/** At most three calls: the question, and either its two halves or one repair. */
async function answerWindow(call: WindowCall, window: TranscriptWindow): Promise<WindowAnswer> {
  const { prompt, reply } = await askWindow(call, window);
  const reading = readItems(reply);
  call.account.note(`reply ${reading.class}, ${reading.candidates.length} valid, ${reading.invalid} invalid`);
  if (isWorthHalving(call, window, reading)) return answerHalves(call, window, reading.candidates);
  if (reading.candidates.length > 0 || reading.saysNone) return { kind: "facts", candidates: reading.candidates };
  if (!isWorthRepair(reading)) return useless(window, reading);
  return repairAnswer(call, window, { prompt, reply, reading });
}

async function askWindow(call: WindowCall, window: TranscriptWindow): Promise<{ prompt: Prompt; reply: ModelReply }> {
  const { deps, account, input, part } = call;
  const prompt = PROMPTS[input.mode].make({
    profile: deps.profile,
    boundary: createBoundary(deps.ids),
    transcript: windowText(window),
    sessionDate: dayOf(input.session.startedAt),
    knownTitles: input.knownTitles,
    fromTurn: input.fromTurn,
    part,
  });
  const reply = await ask(deps, account, { stage: "extract", ...prompt, timeoutMs: TIMEOUT_MS });
  return { prompt, reply };
}

interface Reading {
  readonly class: ReadReply["class"];
  readonly candidates: readonly FactCandidate[];
  readonly invalid: number;
  readonly problems: readonly string[];
  /** A valid empty answer. */
  readonly saysNone: boolean;
}

function readItems(reply: ModelReply): Reading {
  const read = readReply(reply);
  const none = { class: read.class, candidates: [], invalid: 0, saysNone: read.class === "nothing" };
  if (read.value === undefined) return { ...none, problems: ["the answer is no JSON object"] };
  const items = isEmptyObject(read.value) ? [] : listIn(read.value, "facts", looksLikeFact);
  if (items === undefined) return { ...none, problems: ['the answer has no list "facts"'] };
  const whole = read.class === "truncated" ? items.slice(0, -1) : items;
  const { valid: candidates, ...rest } = readFactItems(whole);
  return { class: read.class, candidates, ...rest, saysNone: read.class === "json" && items.length === 0 };
}

function isEmptyObject(value: object): boolean {
  return !Array.isArray(value) && Object.keys(value).length === 0;
}

function isWorthHalving({ deps }: WindowCall, window: TranscriptWindow, reading: Reading): boolean {
  const characters = windowCharacters(window);
  if (reading.class === "too_long") return characters > 2 * FLOOR_CHARACTERS;
  if (reading.class !== "truncated" || reading.candidates.length >= deps.profile.limits.maxFacts) return false;
  return characters > HALVE_OVER_CHARACTERS;
}

async function answerHalves(
  call: WindowCall,
  window: TranscriptWindow,
  already: readonly FactCandidate[],
): Promise<WindowAnswer> {
  const readings: Reading[] = [];
  for (const half of halve(window)) {
    if (half.segments.length > 0) readings.push(readItems((await askWindow(call, half)).reply));
  }
  const candidates = [...already, ...readings.flatMap((reading) => reading.candidates)];
  const answered = readings.some((reading) => reading.saysNone);
  const [worst] = readings;
  if (candidates.length > 0 || answered || worst === undefined) return { kind: "facts", candidates };
  return useless(window, worst);
}

/** A refusal, silence or a complaint about length does not get better by asking to fix its form. */
function isWorthRepair({ class: replyClass }: Reading): boolean {
  return replyClass === "prose" || replyClass === "json" || replyClass === "truncated";
}

async function repairAnswer(
  { deps, account }: WindowCall,
  window: TranscriptWindow,
  { prompt, reply, reading }: { readonly prompt: Prompt; readonly reply: ModelReply; readonly reading: Reading },
): Promise<WindowAnswer> {
  const boundary = createBoundary(deps.ids);
  const repair = repairPrompt({ boundary, schema: prompt.schema, reply: reply.text, problems: reading.problems });
  const again = readItems(await ask(deps, account, { stage: "repair", ...repair, timeoutMs: TIMEOUT_MS }));
  account.note(`repair ${again.class}, ${again.candidates.length} valid`);
  if (again.candidates.length > 0) return { kind: "facts", candidates: again.candidates };
  const saidNothingTwice = again.saysNone && reading.invalid === 0;
  return saidNothingTwice ? { kind: "facts", candidates: [] } : useless(window, reading);
}

function useless(window: TranscriptWindow, reading: Reading): WindowAnswer {
  const why = `the model's reply could not be used (${reading.class})`;
  const [problem] = reading.problems;
  return { kind: "useless", range: rangeOf(window.segments), why: problem === undefined ? why : `${why}: ${problem}` };
}
