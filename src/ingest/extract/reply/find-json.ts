/**
 * Finds the JSON in a reply: models wrap it in reasoning, fences and prose. Repair comes only after the outermost object
 * or array has been cut out, because the repair library turns pure prose into a JSON string and throws for prose
 * before JSON.
 */
import { jsonrepair } from "jsonrepair";

export interface FoundJson {
  /** An object or an array, never a bare scalar. */
  readonly value: object;
  /** The text ended before the value did: its last item is not to be trusted. */
  readonly cut: boolean;
  readonly repaired: boolean;
}

/** A reply is some pages at most; what lies behind is not read, and counts as cut off. */
const MAX_REPLY_CHARACTERS = 400_000;
/** How many openings that never close are passed over before giving up. */
const MAX_FALSE_STARTS = 24;
/** JSON deeper than this is an attack on parsers, not an answer. */
const MAX_DEPTH = 64;

const REASONING = /<(think|thinking|reasoning|thought|scratchpad)\b[^>]{0,100}>[\s\S]*?<\/\1\s*>/gi;
/** Servers that open the reasoning themselves send only its end. */
const REASONING_TAIL = /^[\s\S]*<\/(?:think|thinking|reasoning)\s*>/i;

/** The reply without what the model said to itself. */
export function withoutReasoning(text: string): string {
  const closed = text.replace(REASONING, "");
  return /<\/(?:think|thinking|reasoning)\s*>/i.test(closed) ? closed.replace(REASONING_TAIL, "") : closed;
}

/** @returns undefined where the text holds no object or array, whatever else it holds. Never throws. */
export function findJson(reply: string): FoundJson | undefined {
  const overlong = reply.length > MAX_REPLY_CHARACTERS;
  const text = decoded(withoutReasoning(overlong ? reply.slice(0, MAX_REPLY_CHARACTERS) : reply));
  for (const region of inOrderOfPromise(topLevelRegions(text))) {
    const found = parseRegion(text.slice(region.start, region.end), !region.closed);
    if (found !== undefined) return overlong && !region.closed ? { ...found, cut: true } : found;
  }
  return undefined;
}

/** JSON that was encoded once more, as a JSON string. */
function decoded(text: string): string {
  const trimmed = text.trim();
  if (!/^"\s*(?:\\[nrt]\s*)*[[{]/.test(trimmed)) return text;
  const inner = attempt(() => JSON.parse(trimmed));
  return typeof inner === "string" ? inner : text;
}

interface Region {
  readonly start: number;
  readonly end: number;
  readonly closed: boolean;
}

/**
 * The longest is the answer. What lies inside a region that never closes are the complete items of a reply that was cut
 * off: they come after it, for it holds them all.
 */
function inOrderOfPromise(regions: readonly Region[]): Region[] {
  const open = regions.find(({ closed }) => !closed);
  const length = (region: Region) => region.end - region.start;
  const isInside = (region: Region) => open !== undefined && region !== open && region.start > open.start;
  return [...regions].sort((a, b) => Number(isInside(a)) - Number(isInside(b)) || length(b) - length(a));
}

function topLevelRegions(text: string): Region[] {
  const regions: Region[] = [];
  let falseStarts = 0;
  const opening = /[{[]/g;
  for (let match = opening.exec(text); match !== null; match = opening.exec(text)) {
    if (!beginsJson(text, match.index)) continue;
    const end = endOfValue(text, match.index);
    if (end === "too-deep") return regions;
    if (end === undefined) {
      if (falseStarts === 0) regions.push({ start: match.index, end: text.length, closed: false });
      falseStarts += 1;
      if (falseStarts === MAX_FALSE_STARTS) break;
      continue;
    }
    regions.push({ start: match.index, end, closed: true });
    opening.lastIndex = end;
  }
  return regions;
}

/** `{` or `[` followed by what may follow it in JSON, written strictly or not. `[t12 …` and `[1]` in prose do not count. */
function beginsJson(text: string, at: number): boolean {
  const next = text.slice(at + 1, at + 200).trimStart();
  return text[at] === "{" ? /^(?:["'}“]|\w+["']?\s*:|$|\/[/*])/.test(next) : /^(?:[{"'\]]|$|\/[/*])/.test(next);
}

function endOfValue(text: string, start: number): number | "too-deep" | undefined {
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    const character = text[at];
    if (character === '"') {
      at = endOfString(text, at);
    } else if (character === "{" || character === "[") {
      depth += 1;
      if (depth > MAX_DEPTH) return "too-deep";
    } else if (character === "}" || character === "]") {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return undefined;
}

/** Index of the closing quote, or of the last character where there is none. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === "\\") at += 1;
    else if (text[at] === '"') return at;
  }
  return text.length - 1;
}

function parseRegion(region: string, cut: boolean): FoundJson | undefined {
  const strict = attempt(() => JSON.parse(region));
  if (isContainer(strict)) return { value: strict, cut: false, repaired: false };
  const repaired = attempt(() => JSON.parse(jsonrepair(region)));
  return isContainer(repaired) ? { value: repaired, cut, repaired: true } : undefined;
}

function attempt(parse: () => unknown): unknown {
  try {
    return parse();
  } catch {
    return undefined; // not JSON, or beyond repair: the caller looks elsewhere
  }
}

function isContainer(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
