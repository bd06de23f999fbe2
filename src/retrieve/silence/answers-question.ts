/**
 * Whether facts that were found answer a question that asks for one thing, or are only about its subject. Cosines alone do not
 * tell: in a project about vans, every note is near to a question about vans. So it is also asked what stands out, what the
 * question asks beyond the shared words, and whether the notes are of other things of its kind.
 */
import type { MemoryRecord } from "../../core/memory-record.ts";
import { dot } from "../../core/vectors/dot.ts";
import type { VectorSlot } from "../../store/store.ts";
import { cutAt } from "../../text/clean.ts";
import type { QueryTerms } from "../query/query-terms.ts";
import type { RankedHit } from "../rank/rank-units.ts";
import { areTied } from "../rank/ties.ts";
import type { AnswerTest } from "../settings.ts";
import { missingAmount } from "./asked-amount.ts";
import { type Slot, slotOf, standsInSlot } from "./of-one-kind.ts";
import { remainder, wordSet } from "./remainder.ts";
import { asksForOne, asksForSeveral, standing } from "./stand-out.ts";

export interface AnswerDeps {
  readonly embed: (text: string) => Promise<Float32Array>;
  /** Stored vectors of a fact. */
  readonly vectorsOf: (key: number, slot: VectorSlot) => Promise<readonly Float32Array[]>;
}

/** Those that are compared with the best one, and whose words the question is held against. */
const COMPARED = 4;
/** Notes of one kind are about equally near: the most by which their likeness differs. */
const EQUALLY_NEAR = 0.15;
/** Words of the question that no note has, of which each may cost an embedding. */
const MAX_WORDS = 4;
const NAMED_CHARACTERS = 60;

/** A question, and with what it is tested. */
export interface Asked {
  readonly terms: QueryTerms;
  readonly test: AnswerTest;
  readonly deps: AnswerDeps;
}

/**
 * @param hits - Facts, best first.
 * @returns Why they do not answer, as half a sentence; absent where they may.
 * @throws What embedding and reading vectors throw.
 */
export async function whyNoAnswer(hits: readonly RankedHit[], asked: Asked): Promise<string | undefined> {
  const facts = hits.flatMap((hit) => (hit.unit === "fact" ? [hit] : []));
  const [best] = facts;
  const { text } = asked.terms;
  if (best === undefined || asksForSeveral(text)) return undefined;
  const kind = await otherOfItsKind(facts.slice(0, COMPARED), asked);
  if (kind !== undefined) return kind;
  const amount = missingAmount(text, textOf(best.memory));
  if (amount !== undefined) return `the nearest note holds no such thing as ${amount}`;
  return asksForOne(text) ? aboutTheSubjectOnly(best, hits, asked) : undefined;
}

/** Share of the best score below which a fact is cut where one fact is the answer; 0 where that is not known. */
export function clearShare(hits: readonly RankedHit[], { terms, test }: Asked): number {
  return asksForOne(terms.text) && standing(hits) >= test.clear ? test.clearShare : 0;
}

async function aboutTheSubjectOnly(
  best: FactHit,
  hits: readonly RankedHit[],
  { terms, test, deps }: Asked,
): Promise<string | undefined> {
  const ahead = standing(hits);
  if (ahead < test.standing) return "several notes are about equally near, and none stands out";
  if (ahead >= test.doubtful || Math.max(...hits.map(({ likeness }) => likeness)) >= test.sure) return undefined;
  const left = remainder(terms.text, tellingWords(terms), [wordSet(textOf(best.memory))]).join(" ");
  if (left === "") return undefined;
  const near = await nearness(left, best.key, deps);
  return near !== undefined && near < test.remainder ? `the nearest note says nothing of ${named(left)}` : undefined;
}

function tellingWords({ words }: QueryTerms): ReadonlySet<string> {
  return new Set(words.fact.map(({ text }) => text));
}

type FactHit = Extract<RankedHit, { unit: "fact" }>;

/** Whether the question is about a third thing where the notes tell of two others. */
async function otherOfItsKind(facts: readonly FactHit[], { terms, test, deps }: Asked): Promise<string | undefined> {
  const [best, ...others] = facts;
  if (best === undefined) return undefined;
  const pairs = others.flatMap((other) => {
    const alike = other.coverage === best.coverage && !areTied(best.memory, other.memory);
    const slot = alike ? slotOf(best.memory.title, other.memory.title) : undefined;
    return slot === undefined ? [] : [{ slot, isNear: best.likeness - other.likeness <= EQUALLY_NEAR }];
  });
  // Most searches end here: notes of one kind are seldom the nearest, and breaking texts into words costs more than this.
  if (pairs.length === 0) return undefined;
  const words = facts.map(({ memory }) => wordSet(textOf(memory)));
  const unknown = remainder(terms.text, tellingWords(terms), words).slice(0, MAX_WORDS);
  if (unknown.length === 0) return undefined;
  for (const { slot, isNear } of pairs) {
    const third =
      unknown.find((word) => standsInSlot(terms.text, word, slot)) ??
      (isNear ? await likeThese(slot, unknown, { test, deps }) : undefined);
    if (third !== undefined) {
      return `the notes are of ${named(slot.ours)} and ${named(slot.theirs)}, not of ${named(third)}`;
    }
  }
  return undefined;
}

/** The word that may name a thing of the kind that stands in the slot. */
async function likeThese(
  slot: Slot,
  words: readonly string[],
  { test, deps }: Pick<Asked, "test" | "deps">,
): Promise<string | undefined> {
  const things = await Promise.all(wordsOf(slot).map(deps.embed));
  for (const word of words) {
    const vector = await deps.embed(word);
    if (things.some((thing) => dot(vector, thing) >= test.kin)) return word;
  }
  return undefined;
}

/** Words of a note or of the question within our own sentence. */
function named(words: string): string {
  return `"${cutAt(words.replaceAll('"', ""), NAMED_CHARACTERS)}"`;
}

/** Of a thing of several words each word too: the last one says what it is. */
function wordsOf({ ours, theirs }: Slot): string[] {
  return [...new Set([ours, theirs, ...ours.split(" "), ...theirs.split(" ")])];
}

/** Absent for a note that has no vectors yet. */
async function nearness(text: string, key: number, { embed, vectorsOf }: AnswerDeps): Promise<number | undefined> {
  const stored = [...(await vectorsOf(key, "trigger")), ...(await vectorsOf(key, "body"))];
  if (stored.length === 0) return undefined;
  const vector = await embed(text);
  return Math.max(...stored.map((one) => dot(vector, one)));
}

function textOf({ title, content, why, howToApply, whenToUse, symbols }: MemoryRecord): string {
  return [title, content, why, howToApply, ...whenToUse, ...symbols].join(" ");
}
