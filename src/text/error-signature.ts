/**
 * Error signatures: two failures of one cause print different paths, line numbers, hashes and times. With those taken
 * out their messages are equal, so that an error met again finds what was learned about it.
 */
import { cleanText } from "./clean.ts";

const MAX_LINE_CHARACTERS = 600;
const MAX_SIGNATURE_CHARACTERS = 240;
const MAX_SIGNATURES = 8;

/** What varies between two runs, and what stands in its place. The order matters: the longest shapes go first. */
const VARYING: readonly (readonly [RegExp, string])[] = [
  [/\bhttps?:\/\/[^\s"'`<>)]+/gi, "<url>"],
  [/\b\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?/g, "<time>"],
  [/\b\d{1,2}:\d\d:\d\d(?:[.,]\d+)?\b/g, "<time>"],
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, "<id>"],
  [/\b0x[0-9a-f]+\b/gi, "<id>"],
  [/\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{7,64}\b/gi, "<id>"],
  [/(?:[A-Za-z]:|~|\.{1,2}|[\w@.-]{1,100})?(?:[/\\][\w@.+~<>-]{1,100}){1,40}/g, "<path>"],
];
const NUMBER = /(?<![\w<-])[-+]?\d+(?:[.,:]\d+)*(?:ms|s|m|h|kb|mb|gb|kib|mib|gib|%)?(?![\w>])/gi;
/** Codes name the error and stay: `TS2345`, `E0308`, `ORA-00942`, `EADDRINUSE`. */
const CODE = /^[A-Za-z]{1,7}-?\d{2,6}$/;

const TYPED =
  /\b[A-Z][\w.]*(?:Error|Exception|Failure|Panic)\b(?:\s*\[[\w-]+\])?\s*:|\berror(?:\[E\d+\]|\s+[A-Z]{1,4}\d{3,5}|:)|\bORA-\d+|\bSQLSTATE\b|\b[A-Z][A-Z0-9]*_ERR(?:OR)?(?:_[A-Z0-9]+)*\b|\bnpm ERR!|\bE[A-Z]{4,14}\b(?=[:\s])|\bpanic:|^fatal:/;
const GENERIC =
  /\b(?:errors?|exception|failed|failure|fail|fatal|cannot|can't|could not|unable to|denied|not found|no (?:such|available|usable|matching)|refused|timed out|timeout|undefined|unexpected|invalid|unresolved|missing|conflict|abort(?:ed)?)\b/i;
const NOT_AN_ERROR =
  /\b(?:0|no|zero|without)\s+(?:errors?|failures?|failed|failing|problems?|warnings?)\b|\b(?:errors?|failures?|failed)\s*[:=]\s*0\b|^\s*(?:✓|✔|√|ok\b|pass(?:ed)?\b|at\s)|^\s*[├└│╰]|^\s*(?:tests?|test files|test suites|suites?)\s*:?\s+\d+ (?:failed|passed|skipped)/i;

/**
 * One message with all that varies taken out, lower case, one line. Of a path its last part stays, because it often is
 * what the error is about.
 */
export function normaliseErrorMessage(message: string): string {
  let line = cleanText(message.slice(0, MAX_LINE_CHARACTERS)).replace(/\s+/g, " ").trim();
  for (const [pattern, mark] of VARYING) {
    line = line.replace(pattern, (found) => (mark === "<path>" ? pathMark(found) : CODE.test(found) ? found : mark));
  }
  return line
    .replace(/[(:]\d+(?:[:,]\d+)?\)?(?=[\s:'"`,)]|$)/g, "")
    .replace(NUMBER, "<n>")
    .replace(/\s+/g, " ")
    .toLowerCase()
    .slice(0, MAX_SIGNATURE_CHARACTERS)
    .trim();
}

/**
 * Normalised signatures of the errors that a tool's output reports, each once: messages with a type or a code first,
 * then lines that speak of failure. Empty for output without an error.
 */
export function errorSignatures(text: string): string[] {
  const typed = new Set<string>();
  const generic = new Set<string>();
  for (const line of text.split("\n")) {
    if (line.length < 6 || NOT_AN_ERROR.test(line.slice(0, MAX_LINE_CHARACTERS))) continue;
    const head = line.slice(0, MAX_LINE_CHARACTERS);
    if (TYPED.test(head)) typed.add(normaliseErrorMessage(head));
    else if (GENERIC.test(head)) generic.add(normaliseErrorMessage(head));
    if (typed.size >= MAX_SIGNATURES) break;
  }
  const signatures = new Set([...typed, ...generic]);
  return [...signatures].filter((signature) => /[\p{L}]{3}/u.test(signature)).slice(0, MAX_SIGNATURES);
}

/** File names that every folder has: their folder says which one it is. */
const COMMON_NAME = /^(?:index|main|mod|lib|init|__init__|setup|package|config)\b/;

function pathMark(path: string): string {
  const parts = path.split(/[/\\]/).filter((part) => part !== "");
  const last = parts.at(-1) ?? "";
  if (!/[A-Za-z]/.test(last) || /^\d/.test(last)) return "<path>";
  const name = COMMON_NAME.test(last) ? parts.slice(-2).join("/") : last;
  return `<path>/${name.replace(/\d+/g, "0")}`;
}
