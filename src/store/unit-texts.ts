/**
 * The texts that are embedded for a unit. Trigger texts say in which situation it should come to mind, the body text
 * says what it is about; the context in front of a body keeps short notes apart.
 */
import type { Chunk } from "../core/chunk.ts";
import type { FactBody } from "../core/memory-record.ts";
import { cutAt } from "../text/clean.ts";

export interface SlotText {
  readonly slot: "trigger" | "body";
  readonly text: string;
  /** What stands before and after it; its vector is shaded by theirs. */
  readonly around?: readonly string[];
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
  const claim = startsWithTitle(fact) ? [fact.content] : [fact.title, fact.content];
  const joined = [...claim.slice(0, -1), ...phrases, fact.content].join(". ");
  const context = projectName === "" ? fact.type : `${fact.type} · ${projectName}`;
  const body = `${context} · ${[...claim, fact.why.slice(0, WHY_CHARACTERS)].filter((part) => part !== "").join(". ")}`;
  const triggers = [...new Set([fact.title, ...phrases, joined])].map((text) => ({ slot: "trigger", text }) as const);
  return [...triggers, { slot: "body", text: body }];
}

/** A note that was given without a title is headed by its own beginning: said twice it would drown the rest. */
function startsWithTitle({ title, content }: FactBody): boolean {
  return content.startsWith(title.replace(/…$/, ""));
}

/** About as much as the smallest models read at once. Text beyond a model's own limit would fade in an average. */
const WINDOW_CHARACTERS = 1_000;
const OVERLAP_CHARACTERS = 200;
const MAX_WINDOWS = 8;

/** Shorter pieces – a turn of a dialogue, an item of a list – are understood from what stands around them. */
const ALONE_CHARACTERS = 400;

/**
 * A piece of a file under the titles that lead to it; a long one in overlapping windows, since a question is about a
 * passage. It has no trigger of its own.
 *
 * @param around - Texts of the pieces before and after it in its file.
 */
export function chunkTexts(chunk: Pick<Chunk, "headings" | "text">, around: readonly string[]): SlotText[] {
  const headings = chunk.headings.join(" › ");
  const shaded =
    around.length > 0 && chunk.text.length <= ALONE_CHARACTERS
      ? { around: around.map((text) => cutAt(text, WINDOW_CHARACTERS)) }
      : {};
  return windowsOf(chunk.text).map((window) => {
    return { slot: "body", text: [headings, window].filter((part) => part !== "").join("\n"), ...shaded };
  });
}

/** Cut at white space where there is some, never inside a character. */
function windowsOf(text: string): string[] {
  const windows: string[] = [];
  let rest = text;
  while (rest.length > WINDOW_CHARACTERS + OVERLAP_CHARACTERS && windows.length < MAX_WINDOWS - 1) {
    const cut = cutAt(rest, WINDOW_CHARACTERS);
    const space = cut.search(/\s\S*$/);
    const window = space < OVERLAP_CHARACTERS ? cut : cut.slice(0, space);
    windows.push(window);
    rest = rest.slice(cutAt(rest, window.length - OVERLAP_CHARACTERS).length);
  }
  return [...windows, cutAt(rest, WINDOW_CHARACTERS + OVERLAP_CHARACTERS)];
}
