/**
 * The stable half of what a session starts with: the titles of all trusted memories. Sorted by type and id, never by
 * score, and free of dates, so that it stays byte for byte the same while nothing was learned and a prompt cache survives.
 */
import { sha256 } from "../core/hash.ts";
import type { MemoryId } from "../core/ids.ts";
import { FACT_TYPES, type FactType, handleOf, type MemoryRecord } from "../core/memory-record.ts";
import { estimateTokens } from "../core/tokens.ts";
import { MANIFEST_TAG } from "../text/injected-spans.ts";
import { attribute, NOT_INSTRUCTIONS, quotedLine } from "./render-lines.ts";

export interface ManifestInput {
  /** `project:acme/billing`. */
  readonly scope: string;
  /** Trusted memories of this project and of the user, in any order; of a large store those that come first. */
  readonly memories: readonly MemoryRecord[];
  /** How many trusted ones there are of each type, where `memories` doesn't hold all. */
  readonly counts?: Readonly<Partial<Record<FactType, number>>>;
  /** Provisional ones that are only counted. */
  readonly unconfirmed: number;
  /** Default 1,500. */
  readonly maxTokens?: number;
  /** Default 6,500. */
  readonly maxCharacters?: number;
}

export interface Manifest {
  /** Empty where there is nothing to list. */
  readonly text: string;
  /** Changes whenever the text does. */
  readonly rev: string;
  readonly shown: readonly MemoryId[];
}

const MAX_TOKENS = 1_500;
const MAX_CHARACTERS = 6_500;
const TITLE_CHARACTERS = 80;
const SHORT_TITLE_CHARACTERS = 60;
const REV_CHARACTERS = 8;

/**
 * Titles by type within the budget. Where they don't fit they are shortened first, then each type keeps what is pinned,
 * of this project, seen most and newest, and says how many more there are. Counts are always those of the store.
 */
export function renderManifest(input: ManifestInput): Manifest {
  const total = totalOf(input);
  if (total === 0 && input.unconfirmed === 0) return { text: "", rev: revOf(""), shown: [] };
  const ranked = [...input.memories].sort(byWorth);
  const fits = (body: string): boolean => {
    const text = frame(input, body);
    return (
      text.length <= (input.maxCharacters ?? MAX_CHARACTERS) && estimateTokens(text) <= (input.maxTokens ?? MAX_TOKENS)
    );
  };
  const whole = listBody(input, ranked, TITLE_CHARACTERS);
  const kept = fits(whole) ? ranked : ranked.slice(0, largestFitting(input, ranked, fits));
  const body = kept === ranked && fits(whole) ? whole : listBody(input, kept, SHORT_TITLE_CHARACTERS);
  return { text: frame(input, body), rev: revOf(body), shown: [...kept].sort(byTypeAndId).map(({ id }) => id) };
}

/** How many of the ranked memories fit with short titles, by halving. */
function largestFitting(
  input: ManifestInput,
  ranked: readonly MemoryRecord[],
  fits: (body: string) => boolean,
): number {
  let low = 0;
  let high = ranked.length;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(listBody(input, ranked.slice(0, middle), SHORT_TITLE_CHARACTERS))) low = middle;
    else high = middle - 1;
  }
  return low;
}

function frame(input: ManifestInput, body: string): string {
  const attributes = `scope="${attribute(input.scope)}" count="${totalOf(input)}" rev="${revOf(body)}"`;
  return [
    `<${MANIFEST_TAG} ${attributes}>`,
    `Titles of this project's notes; some may be unreviewed. ${NOT_INSTRUCTIONS} Read one with memory_get before relying on it.`,
    body,
    `</${MANIFEST_TAG}>`,
  ].join("\n");
}

function revOf(body: string): string {
  return sha256(body).slice(0, REV_CHARACTERS);
}

function listBody(input: ManifestInput, kept: readonly MemoryRecord[], titleCharacters: number): string {
  const lines = FACT_TYPES.flatMap((type) => {
    const count = countOf(input, type);
    if (count === 0) return [];
    const titles = kept
      .filter((memory) => memory.type === type)
      .sort(byTypeAndId)
      .map((memory) => `${handleOf(memory)} ${quotedLine(memory.title, titleCharacters)}`);
    const hidden = count - titles.length;
    const more = hidden > 0 ? [`+${hidden} more: memory_search type=${type}`] : [];
    return [`${type} (${count}): ${[...titles, ...more].join(" · ")}`];
  });
  if (input.unconfirmed > 0) lines.push(`+${input.unconfirmed} unconfirmed: memory_search`);
  return lines.join("\n");
}

function countOf({ memories, counts }: ManifestInput, type: FactType): number {
  return counts?.[type] ?? memories.filter((memory) => memory.type === type).length;
}

function totalOf(input: ManifestInput): number {
  return FACT_TYPES.reduce((sum, type) => sum + countOf(input, type), 0);
}

function byTypeAndId(a: MemoryRecord, b: MemoryRecord): number {
  return FACT_TYPES.indexOf(a.type) - FACT_TYPES.indexOf(b.type) || (a.id < b.id ? -1 : 1);
}

/** Pinned, then this project's before the user's, then seen most, then newest; the id decides the rest. */
function byWorth(a: MemoryRecord, b: MemoryRecord): number {
  return (
    Number(b.pinned) - Number(a.pinned) ||
    Number(b.scope.kind === "project") - Number(a.scope.kind === "project") ||
    b.seen - a.seen ||
    b.createdAt.getTime() - a.createdAt.getTime() ||
    (a.id < b.id ? -1 : 1)
  );
}
