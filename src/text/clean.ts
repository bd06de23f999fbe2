/**
 * Text from outside is made harmless before anything reads it: characters that people cannot see but models and
 * terminals obey are taken out, and what we render can never close or open a block of ours.
 */
import { MANIFEST_TAG, MEMORIES_TAG } from "./injected-spans.ts";

/** Most texts: nothing to take out, and no pattern over all of Unicode to compile. */
const PLAIN = /^[\t\n -~]*$/;
const LONE_SURROGATE = /\p{Cs}/gu;
const ESCAPE = "\u001b";
const BELL = "\u0007";
/** CSI and OSC sequences of terminals (ECMA-48), with their arguments. */
const TERMINAL_SEQUENCE = new RegExp(
  `${ESCAPE}(?:\\[[0-9;:<=>?]{0,40}[ -/]{0,4}[@-~]|\\][^${BELL}${ESCAPE}\\n]{0,2000}(?:${BELL}|${ESCAPE}\\\\))`,
  "g",
);
const LINE_END = /\r\n?|[\u0085\u2028\u2029]/g;
/** Control, bidi, zero-width, invisible operators and fillers, annotation marks, tags, variation selectors. */
const INVISIBLE = /(?![\n\t])[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;

/**
 * NFC, `\n` line ends, no control, bidi, zero-width or tag characters, no lone surrogates. Tabs stay.
 * Idempotent.
 */
export function cleanText(text: string): string {
  if (PLAIN.test(text)) return text;
  return text
    .replace(LONE_SURROGATE, "\ufffd")
    .replace(TERMINAL_SEQUENCE, "")
    .replace(LINE_END, "\n")
    .replace(INVISIBLE, "")
    .normalize("NFC");
}

/**
 * One clean line: white space folded to single spaces, cut at a word where it is longer than `maxCharacters`.
 *
 * @param maxCharacters - Counted in UTF-16 units, the ellipsis included; a pair is never split.
 */
export function cleanLine(text: string, maxCharacters: number = Number.POSITIVE_INFINITY): string {
  const line = cleanText(text).replace(/\s+/gu, " ").trim();
  if (line.length <= maxCharacters) return line;
  const cut = cutAt(line, Math.max(0, maxCharacters - 1));
  const space = line[cut.length] === " " ? cut.length : cut.lastIndexOf(" ");
  const words = space > maxCharacters * 0.6 ? cut.slice(0, space) : cut;
  return `${words.trimEnd().replace(/[,;:.–-]+$/u, "")}…`;
}

/** The first `count` UTF-16 units of `text`, one less where that would split a pair. */
export function cutAt(text: string, count: number): string {
  const last = text.charCodeAt(count - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? count - 1 : count);
}

const TAG_START = /<(?=[A-Za-z]|\s*[/!?])/g;
const TAG_END = /(?<![-=\s<])>(?!=)/g;
const OUR_TAGS = new RegExp(`(?:${MEMORIES_TAG}|${MANIFEST_TAG})`, "gi");

/**
 * Text for the inside of one of our blocks: nothing in it can open or close a tag, and our tag names are broken up.
 * Comparisons and arrows (`a < b`, `->`, `>=`) stay. Idempotent.
 */
export function escapeForBlock(text: string): string {
  return text
    .replace(TAG_START, "‹")
    .replace(TAG_END, "›")
    .replace(OUR_TAGS, (name) => name.replace("-", "_"));
}
