/** The arguments of a tool call as one text: a shell's command as it is, everything else as JSON that stays valid. */
import { isObject, type JsonObject, textIn } from "../../normal-form/json-values.ts";

const SHELLS = /^(?:Bash|PowerShell)$/;
/** Longer values (whole files written) keep head and tail; what an edit changed is what matters of it. */
const MAX_VALUE_CHARACTERS = 1_600;
const HEAD_CHARACTERS = 1_000;
const TAIL_CHARACTERS = 400;

export function callArguments(name: string, input: JsonObject): string {
  const command = SHELLS.test(name) ? textIn(input, "command") : undefined;
  return command ?? JSON.stringify(shortened(input));
}

function shortened(value: unknown): unknown {
  if (typeof value === "string") return value.length > MAX_VALUE_CHARACTERS ? shortText(value) : value;
  if (Array.isArray(value)) return value.map(shortened);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, shortened(item)]));
}

function shortText(text: string): string {
  const left = text.length - HEAD_CHARACTERS - TAIL_CHARACTERS;
  return `${text.slice(0, HEAD_CHARACTERS)}\n[… ${left} characters left out …]\n${text.slice(-TAIL_CHARACTERS)}`;
}
