/**
 * The texts that are embedded for a unit. Trigger texts say in which situation it should come to mind, the body text
 * says what it is about; the context in front of a body keeps short notes apart.
 */
import type { Chunk } from "../core/chunk.ts";
import type { FactBody } from "../core/memory-record.ts";
import { cutAt } from "../text/clean.ts";
import type { Shade, VectorSlot } from "./store.ts";

export interface SlotText {
  readonly slot: VectorSlot;
  readonly text: string;
  /** What it is understood from; its vector is shaded by theirs. */
  readonly around?: readonly Shade[];
}

const MAX_WHEN_PHRASES = 3;
const WHY_CHARACTERS = 200;

/** All situations together, beside the fact itself: decision 0013 has the sweep. */
const SITUATIONS_COUNT = 1.5;

/**
 * For the trigger one text of title, situations and claim, shaded by each situation: a question in other words is near
 * to what they have in common, seldom to one of them. A fact without situations is known by its title as well. One body.
 *
 * @param projectName - Empty for the user's own memories.
 */
export function factTexts(fact: FactBody, projectName: string): SlotText[] {
  const phrases = fact.whenToUse.slice(0, MAX_WHEN_PHRASES);
  const claim = startsWithTitle(fact) ? [fact.content] : [fact.title, fact.content];
  const joined = [...claim.slice(0, -1), ...phrases, fact.content].join(". ");
  const context = projectName === "" ? fact.type : `${fact.type} · ${projectName}`;
  const body = `${context} · ${[...claim, fact.why.slice(0, WHY_CHARACTERS)].filter((part) => part !== "").join(". ")}`;
  const shades = phrases.map((text) => ({ text, weight: SITUATIONS_COUNT / phrases.length }));
  const triggers: readonly SlotText[] =
    shades.length > 0
      ? [{ slot: "trigger", text: joined, around: shades }]
      : [...new Set([fact.title, joined])].map((text) => ({ slot: "trigger", text }));
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
/** How much the piece before and the one after count beside the piece itself; the evals have the sweep. */
const NEIGHBOUR_COUNTS = 0.3;

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
      ? { around: around.map((text) => ({ text: cutAt(text, WINDOW_CHARACTERS), weight: NEIGHBOUR_COUNTS })) }
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
