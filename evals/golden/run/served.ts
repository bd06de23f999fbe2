/** What the next agent is given: by a search, and unasked when its session starts. */
import type { MemoryRecord } from "../../../src/internals.ts";
import type { EvalMemory } from "./open-case.ts";

/** `marked`: with the note that something contradicts it. */
export type Serving = "not" | "marked" | "plain";

const DEPTH = 5;
const MOST_CHARACTERS = 20_000;
const PATIENCE_MS = 60_000;

/** Memories that a search gives as live ones, best first. */
export async function searchLive(memory: EvalMemory, text: string): Promise<MemoryRecord[]> {
  const { hits } = await memory.search({ text, limit: DEPTH, units: ["fact"] });
  return hits.flatMap((hit) => (hit.unit === "fact" && isLive(hit.memory) ? [hit.memory] : []));
}

/** The lines that a session starts with: the block and the manifest. */
export async function linesAtStart(memory: EvalMemory, now: Date): Promise<string[]> {
  const { text } = await memory.start({
    session: "next-session",
    host: "claude-code",
    source: "startup",
    maxCharacters: MOST_CHARACTERS,
    deadlineAt: now.getTime() + PATIENCE_MS,
  });
  return text.split("\n");
}

export function servingOf(hits: readonly MemoryRecord[], lines: readonly string[]): Serving {
  if (hits.some((hit) => !isMarked(hit)) || lines.some((line) => !MARK.test(line))) return "plain";
  return hits.length + lines.length > 0 ? "marked" : "not";
}

const MARK = /\b(?:disputed|conflicts?|contradict)/i;

function isMarked({ status, conflictsWith }: MemoryRecord): boolean {
  return status === "disputed" || conflictsWith.length > 0;
}

function isLive({ status }: MemoryRecord): boolean {
  return status === "active" || status === "provisional" || status === "disputed";
}
