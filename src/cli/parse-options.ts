/**
 * Values of options and arguments, parsed once at the edge. What can't be parsed is misuse and names the allowed values.
 */
import { InvalidArgumentError } from "commander";
import { FACT_TYPES, type FactType, MEMORY_STATUSES, type MemoryStatus } from "../core/memory-record.ts";

/** A whole number from 1. */
export function positiveInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1) throw new InvalidArgumentError("Give a whole number from 1.");
  return value;
}

/** A whole number from 1 to `most`. */
export function upTo(most: number): (text: string) => number {
  return (text) => {
    if (positiveInteger(text) > most) throw new InvalidArgumentError(`Give a whole number from 1 to ${most}.`);
    return Number(text);
  };
}

/** An id or a name: never the next option, which a forgotten value would swallow. */
export function named(text: string): string {
  if (text.trim() === "" || text.startsWith("-")) throw new InvalidArgumentError("Its value is missing.");
  return text;
}

/** For options that may be given more than once: all of them, in order. */
export function repeated(text: string, earlier: readonly string[] = []): string[] {
  return [...earlier, text];
}

export function factType(text: string): FactType {
  return oneOf(FACT_TYPES, text);
}

export function factTypes(text: string, earlier: readonly FactType[] = []): FactType[] {
  return [...earlier, ...splitList(text).map(factType)];
}

export function memoryStatuses(text: string, earlier: readonly MemoryStatus[] = []): MemoryStatus[] {
  return [...earlier, ...splitList(text).map((part) => oneOf(MEMORY_STATUSES, part))];
}

const SPAN_MS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/**
 * A moment: a date (`2026-03-01`, local midnight), a date with time (ISO 8601), or a span before now (`90m`, `36h`, `7d`, `2w`).
 */
export function moment(now: () => Date): (text: string) => Date {
  return (text) => {
    const span = /^(\d+)([mhdw])$/.exec(text);
    const unit = SPAN_MS[span?.[2] ?? ""];
    if (unit !== undefined) return new Date(now().getTime() - Number(span?.[1]) * unit);
    const date = new Date(/^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T00:00:00` : text);
    if (!/^\d{4}-/.test(text) || Number.isNaN(date.getTime())) {
      throw new InvalidArgumentError("Give a date (2026-03-01), a time (2026-03-01T12:00:00Z) or a span (36h, 7d).");
    }
    return date;
  };
}

/** @throws {InvalidArgumentError} Naming the choices. */
export function oneOf<Choice extends string>(choices: readonly Choice[], text: string): Choice {
  const found = choices.find((choice) => choice === text);
  if (found === undefined) throw new InvalidArgumentError(`Give one of: ${choices.join(", ")}.`);
  return found;
}

function splitList(text: string): string[] {
  return text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
}
