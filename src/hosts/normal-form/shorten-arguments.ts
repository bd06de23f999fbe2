/** Arguments of tool calls hold whole files: long values keep head and tail, and JSON stays valid. */
import { isObject, type JsonObject, textIn } from "../../core/json/json-values.ts";

/** Longer values (whole files written) keep head and tail; what an edit changed is what matters of it. */
const MAX_VALUE_CHARACTERS = 1_600;
const HEAD_CHARACTERS = 1_000;
const TAIL_CHARACTERS = 400;

/** The arguments of a call as one text: a shell's command as it is, everything else as JSON that stays valid. */
export function argumentsText(input: JsonObject, isShell: boolean): string {
  const command = isShell ? textIn(input, "command") : undefined;
  return command ?? JSON.stringify(shortenArguments(input));
}

/** @returns The value with every long text in it shortened. */
export function shortenArguments(value: unknown): unknown {
  if (typeof value === "string") return value.length > MAX_VALUE_CHARACTERS ? shortText(value) : value;
  if (Array.isArray(value)) return value.map(shortenArguments);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, shortenArguments(item)]));
}

/** At most 1,600 characters of a text, head and tail. */
export function shortText(text: string): string {
  const left = text.length - HEAD_CHARACTERS - TAIL_CHARACTERS;
  return `${text.slice(0, HEAD_CHARACTERS)}\n[… ${left} characters left out …]\n${text.slice(-TAIL_CHARACTERS)}`;
}
