/** The varying half of what a session starts with: a few titles that fit the work at hand, each with the reason. */
import type { Chunk } from "../core/chunk.ts";
import type { MemoryId } from "../core/ids.ts";
import { handleOf, type MemoryRecord } from "../core/memory-record.ts";
import { dayOf } from "../core/time/days.ts";
import { estimateTokens } from "../core/tokens.ts";
import { MEMORIES_TAG } from "../text/injected-spans.ts";
import { attribute, quotedLine, shortLabel } from "./render-lines.ts";

/** `reason`: `matches branch "refund-retry"`; empty where the line speaks for itself. */
export type BlockEntry = { readonly reason: string } & (
  | { readonly unit: "fact"; readonly memory: MemoryRecord }
  | { readonly unit: "chunk"; readonly chunk: Chunk }
);

export interface BlockInput {
  /** In the order in which they are shown; what doesn't fit is cut from the end. */
  readonly entries: readonly BlockEntry[];
  /** Memories whose whole text is given too: pinned ones, and preferences that the user stated. */
  readonly inFull: readonly MemoryRecord[];
  /** Whether any entry fits the work at hand. */
  readonly matched: boolean;
  /** How memories are extracted here: `llm`, `rules`. */
  readonly mode: string;
  /** What the last session taught, `learned 2 last time, 3 unconfirmed`; empty to say nothing. */
  readonly news: string;
  readonly now: Date;
  /** For the titles and what frames them; default 400. */
  readonly maxTokens?: number;
  /** Default 400 for the lines and 300 for the bodies in full together; the lines never take more than their 400. */
  readonly maxTotalTokens?: number;
  readonly maxCharacters?: number;
}

export interface Block {
  /** Empty where there is nothing to say. */
  readonly text: string;
  readonly shown: readonly MemoryId[];
}

const MAX_LINES = 6;
const MAX_TOKENS = 400;
const MAX_IN_FULL = 3;
const IN_FULL_TOKENS = 300;
const DEFAULT_LIMITS = {
  maxTokens: MAX_TOKENS,
  maxTotalTokens: MAX_TOKENS + IN_FULL_TOKENS,
  maxCharacters: Number.POSITIVE_INFINITY,
};
const TITLE_CHARACTERS = 80;
const REASON_CHARACTERS = 60;
const BODY_CHARACTERS = 400;
const ADVICE = "Before debugging or a familiar task, call memory_search.";

export function renderBlock(input: BlockInput): Block {
  const { maxTokens, maxTotalTokens, maxCharacters } = { ...DEFAULT_LIMITS, ...input };
  let entries = input.entries.slice(0, MAX_LINES);
  let inFull = bodiesInFull(input);
  for (;;) {
    if (entries.length === 0 && inFull.length === 0 && input.news === "") return { text: "", shown: [] };
    const lines = frame(input, entries);
    const text = [...lines.head, ...inFull.map(({ line }) => line), ...lines.tail].join("\n");
    const short = estimateTokens([...lines.head, ...lines.tail].join("\n")) <= maxTokens;
    if (short && text.length <= maxCharacters && estimateTokens(text) <= maxTotalTokens) {
      return { text, shown: [...new Set([...factIds(entries), ...inFull.map(({ id }) => id)])] };
    }
    if (inFull.length > 0 && short) inFull = inFull.slice(0, -1);
    else if (entries.length > 0) entries = entries.slice(0, -1);
    else return { text: "", shown: [] };
  }
}

function frame(
  input: BlockInput,
  entries: readonly BlockEntry[],
): { readonly head: readonly string[]; readonly tail: readonly string[] } {
  return {
    head: [
      `<${MEMORIES_TAG} as_of="${dayOf(input.now)}" mode="${attribute(input.mode)}">`,
      ...(input.matched || entries.length === 0 ? [] : ["No specific match for the work at hand; in general:"]),
      ...entries.map((entry) => entryLine(entry, input.now)),
    ],
    tail: [...(input.news === "" ? [] : [quotedLine(input.news, 120)]), ADVICE, `</${MEMORIES_TAG}>`],
  };
}

function entryLine(entry: BlockEntry, now: Date): string {
  const reason = entry.reason === "" ? "" : ` — ${quotedLine(entry.reason, REASON_CHARACTERS)}`;
  if (entry.unit === "chunk") {
    const { path, headings, startLine } = entry.chunk;
    const place = [path, ...headings.slice(-1)].map((part) => quotedLine(part, TITLE_CHARACTERS)).join(" › ");
    return `- ${place} (file, line ${startLine})${reason}`;
  }
  const { memory } = entry;
  return `- [${handleOf(memory)}] ${quotedLine(memory.title, TITLE_CHARACTERS)} (${shortLabel(memory, now)})${reason}`;
}

interface BodyInFull {
  readonly id: MemoryId;
  readonly line: string;
}

/** Whole texts, as many as fit; one that its title already tells is left out. */
function bodiesInFull({ inFull }: BlockInput): BodyInFull[] {
  const bodies: BodyInFull[] = [];
  let tokens = 0;
  for (const memory of inFull) {
    if (bodies.length === MAX_IN_FULL) break;
    const content = quotedLine(memory.content, BODY_CHARACTERS);
    if (content === quotedLine(memory.title)) continue;
    const line = `[${handleOf(memory)}] in full: ${memory.polarity === "avoid" ? "avoid: " : ""}${content}`;
    tokens += estimateTokens(line);
    if (tokens > IN_FULL_TOKENS) break;
    bodies.push({ id: memory.id, line });
  }
  return bodies;
}

function factIds(entries: readonly BlockEntry[]): MemoryId[] {
  return entries.flatMap((entry) => (entry.unit === "fact" ? [entry.memory.id] : []));
}
