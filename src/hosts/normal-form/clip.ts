/** Makes a turn's text small without losing what matters of it: long outputs keep head and tail, binaries a mark. */
import { sha256 } from "../../core/hash.ts";
import { cutAt } from "../../text/clean.ts";

/** Longest tool result or argument that is kept whole. */
const MAX_RESULT_CHARACTERS = 4_000;
const HEAD = 0.6;
const TAIL = 0.3;
/** How far a cut may move to fall between two lines or words, so that it splits no secret and no number. */
const CUT_SLACK = 200;

const DATA_URI = /data:[\w.+-]{1,60}\/[\w.+-]{1,60}(?:;[\w=.-]{1,60}){0,3};base64,[A-Za-z0-9+/=_-]{256,}/g;
const BASE64 =
  /(?<![A-Za-z0-9+/_-])(?=[a-z/+]*[A-Z0-9])(?=[A-Z0-9/+]*[a-z])[A-Za-z0-9+/]{257,}={0,2}(?![A-Za-z0-9+/_-])/g;

export interface ClippedText {
  readonly text: string;
  readonly elided?: { readonly chars: number; readonly sha256: string };
}

/**
 * At most 4,000 characters and a mark: the first 60% and the last 30% of that. `sha256` is of the whole text, so that
 * equal outputs stay recognisable.
 */
export function clipText(text: string): ClippedText {
  if (text.length <= MAX_RESULT_CHARACTERS) return { text };
  const head = cutBefore(text, MAX_RESULT_CHARACTERS * HEAD);
  const tail = cutAfter(text, text.length - MAX_RESULT_CHARACTERS * TAIL);
  const chars = text.length - head.length - tail.length;
  return { text: `${head}\n[… ${chars} characters left out …]\n${tail}`, elided: { chars, sha256: sha256(text) } };
}

/** Data URIs and base64 of more than 256 characters become `[binary N bytes]`. */
export function maskBinary(text: string): string {
  if (text.length <= 256) return text;
  return text.replace(DATA_URI, binaryMark).replace(BASE64, binaryMark);
}

function binaryMark(encoded: string): string {
  const data = encoded.slice(encoded.lastIndexOf(",") + 1).replace(/=+$/, "");
  return `[binary ${Math.floor((data.length * 3) / 4)} bytes]`;
}

function cutBefore(text: string, at: number): string {
  const slack = text.slice(at - CUT_SLACK, at);
  const gap = Math.max(slack.lastIndexOf("\n"), slack.lastIndexOf("\n") === -1 ? slack.lastIndexOf(" ") : -1);
  return cutAt(text, gap === -1 ? at : at - CUT_SLACK + gap);
}

function cutAfter(text: string, at: number): string {
  const slack = text.slice(at, at + CUT_SLACK);
  const line = slack.indexOf("\n");
  const gap = line === -1 ? slack.indexOf(" ") : line;
  const start = gap === -1 ? at : at + gap + 1;
  const first = text.charCodeAt(start);
  return text.slice(first >= 0xdc00 && first <= 0xdfff ? start + 1 : start);
}
