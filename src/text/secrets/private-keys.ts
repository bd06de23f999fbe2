/** Private keys in PEM form, also those that lost their end or their beginning to a cut. */
import type { SecretSpan } from "./secret-span.ts";

const BEGIN = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;
const END = /-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;
/** An RSA key of 16,384 bits comes to 13,000 characters. */
const MAX_KEY_CHARACTERS = 20_000;
/** What a key's body and its headers consist of, escaped line ends of JSON and indentation included. */
const BODY = /[A-Za-z0-9+/=\s\\:,."'|>#*-]/;
const BODY_LINE = /^[\s|>#*"'-]{0,20}[A-Za-z0-9+/=\\]{16,100}["',\s\\]{0,6}$/;

/** Every private key, whole or cut. */
export function findPrivateKeys(text: string): SecretSpan[] {
  if (!text.includes("PRIVATE KEY")) return [];
  const spans: SecretSpan[] = [];
  let after = 0;
  for (const match of text.matchAll(BEGIN)) {
    if (match.index < after) continue;
    after = keyEnd(text, match.index + match[0].length);
    spans.push({ start: match.index, end: after, kind: "private_key", certainty: 2 });
  }
  for (const match of text.matchAll(END)) {
    const end = match.index + match[0].length;
    if (spans.some((span) => span.start < match.index && span.end >= end)) continue;
    spans.push({ start: keyStart(text, match.index), end, kind: "private_key", certainty: 2 });
  }
  return spans;
}

function keyEnd(text: string, from: number): number {
  const window = text.slice(from, from + MAX_KEY_CHARACTERS);
  const [close] = window.matchAll(END);
  if (close !== undefined) return from + close.index + close[0].length;
  let end = 0;
  for (const line of window.split("\n")) {
    if (end > 0 && line.trim() !== "" && !BODY_LINE.test(line) && !/^[\w-]{3,20}: /.test(line)) break;
    end += bodyLength(line) + 1;
    if (bodyLength(line) < line.length) break;
  }
  return Math.min(from + end, from + window.length, text.length);
}

function bodyLength(line: string): number {
  let length = 0;
  while (length < line.length && BODY.test(line[length] ?? "")) length += 1;
  return length;
}

function keyStart(text: string, end: number): number {
  const window = text.slice(Math.max(0, end - MAX_KEY_CHARACTERS), end);
  let start = end;
  for (const line of window.split("\n").reverse()) {
    if (line.trim() !== "" && !BODY_LINE.test(line)) break;
    start -= line.length + 1;
  }
  return Math.max(0, Math.min(end, start + 1));
}
