/**
 * What in a text has to be borne out by the session word for word: names, numbers, addresses, identifiers in capitals.
 * Prose can be put in other words; these can't.
 */
import { extractSymbols } from "../../../text/symbols.ts";
import type { TextIndex } from "./text-index.ts";

const URL = /\bhttps?:\/\/[^\s"'`<>()[\]]+/gi;
const NUMBER = /(?<![\p{L}\p{N}_.]|[\p{L}\p{N}_]-)\d+(?:[.,:]\d+)*(?![\p{L}\p{N}_])/gu;
/** Digits glued to a unit or a letter: `80ms`, `v3`, `3x`. */
const MIXED = /(?<![\p{L}\p{N}_])(?=[\p{L}\d]*\d)(?=[\p{L}\d]*\p{L})[\p{L}\d]{2,40}(?![\p{L}\p{N}_])/gu;
const CAPITALS = /(?<![\p{L}\p{N}_])[A-Z][A-Z0-9]+(?:[_-][A-Z0-9]+)*(?![\p{L}\p{N}_])/gu;
const DATE = /(?<!\d)\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d)?Z?)?(?!\d)/g;
/** Words in capitals for emphasis, and initials that any text may use. */
const EMPHASIS = new Set(
  "NOT NEVER ALWAYS MUST ONLY DO AND OR NO IF ALL ANY BEFORE AFTER IS ARE OK AI API URL URLS CLI SQL NULL THE WHEN WHILE WITH WITHOUT FROM INTO FOR JSON YAML HTML CSS CSV CI CD UI ID IDS HTTP HTTPS OS PR PRS TODO UTC IDE SDK DB".split(
    " ",
  ),
);

/** Each once; dates apart, because a relative date is made absolute on purpose. */
export function claimTokens(text: string): { readonly tokens: readonly string[]; readonly dates: readonly string[] } {
  const dates = text.match(DATE) ?? [];
  const plain = text.replace(DATE, " ").normalize("NFKC");
  const urls = (plain.match(URL) ?? []).map((url) => url.replace(/[.,;:!?]+$/, ""));
  const rest = plain.replace(URL, " ");
  const tokens = [
    ...urls,
    ...extractSymbols(rest),
    ...(rest.match(NUMBER) ?? []),
    ...(rest.match(MIXED) ?? []),
    ...(rest.match(CAPITALS) ?? []).filter((word) => !EMPHASIS.has(word)),
  ];
  return { tokens: [...new Set(tokens)], dates: [...new Set(dates)] };
}

/** Tokens of the text that do not occur, in the order in which their kinds are looked for. */
export function unsupportedTokens(text: string, index: TextIndex): string[] {
  const { tokens, dates } = claimTokens(text);
  return [...tokens.filter((token) => !isSupported(token, index)), ...dates.filter((date) => !index.has(date))];
}

/** One thing under two names: either bears out the other. */
const ALIASES: readonly (readonly string[])[] = [
  ["postgresql", "postgres", "psql", "pg"],
  ["javascript", "js"],
  ["typescript", "ts", "tsc"],
  ["python", "python3", "py"],
  ["kubernetes", "k8s", "kubectl"],
  ["github", "gh"],
  ["gitlab", "glab"],
  ["nodejs", "node.js", "node"],
  ["golang", "go"],
  ["macos", "darwin"],
];

/** A token occurs, or differs from one that does by decoration only: `foo()`, `./src/a.ts`, `src\\a.ts`, `Vue.js`. */
export function isSupported(token: string, index: TextIndex): boolean {
  if (index.has(token)) return true;
  const bare = token.replace(/^(?:\.\/)+|\(\)$|[/\\:]+$/g, "").replace(/^([A-Z][a-z]+)\.js$/, "$1");
  const names = [bare, token.replaceAll("\\", "/"), ...aliasesOf(token)];
  return names.some((name) => name !== token && name !== "" && index.has(name));
}

function aliasesOf(token: string): readonly string[] {
  const name = token.toLowerCase();
  return ALIASES.find((group) => group.includes(name)) ?? [];
}
