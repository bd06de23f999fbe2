/**
 * The texts that are embedded for a unit. Trigger texts say in which situation it should come to mind, the body text
 * says what it is about; the context in front of a body keeps short notes apart.
 */
import type { Chunk } from "../core/chunk.ts";
import type { FactBody } from "../core/memory-record.ts";

export interface SlotText {
  readonly slot: "trigger" | "body";
  readonly text: string;
}

const MAX_WHEN_PHRASES = 3;
const WHY_CHARACTERS = 200;

/**
 * One text for the title, one for each situation (averaged they would blur each other) and one of all joined, which
 * long-memory benchmarks favour; one body.
 *
 * @param projectName - Empty for the user's own memories.
 */
export function factTexts(fact: FactBody, projectName: string): SlotText[] {
  const phrases = fact.whenToUse.slice(0, MAX_WHEN_PHRASES);
  const joined = [fact.title, ...phrases, fact.content].join(". ");
  const context = projectName === "" ? fact.type : `${fact.type} · ${projectName}`;
  const body = `${context} · ${fact.title}. ${fact.content}. ${fact.why.slice(0, WHY_CHARACTERS)}`;
  const triggers = [...new Set([fact.title, ...phrases, joined])].map((text) => ({ slot: "trigger", text }) as const);
  return [...triggers, { slot: "body", text: body }];
}

/** A piece of a file under the titles that lead to it. It has no trigger of its own. */
export function chunkTexts(chunk: Pick<Chunk, "headings" | "text">): SlotText[] {
  return [{ slot: "body", text: [chunk.headings.join(" › "), chunk.text].filter((part) => part !== "").join("\n") }];
}
