/**
 * Redaction: no secret reaches a model, the disk or a reader. Every secret becomes a typed placeholder that is the same
 * wherever the secret stands in a session, so that "the token of step 3 is the one of step 9" stays visible.
 */
import { ArcticMemError, messageOf } from "../core/errors.ts";
import { findNamedValues, findRandomValues } from "./secrets/assignments.ts";
import { findInContext } from "./secrets/contexts.ts";
import { findPersonalData } from "./secrets/personal-data.ts";
import { createPlaceholders, type Placeholders } from "./secrets/placeholders.ts";
import { findPrivateKeys } from "./secrets/private-keys.ts";
import { mergeSpans, type SecretDetector, type SecretSpan } from "./secrets/secret-span.ts";
import { findTokens } from "./secrets/token-patterns.ts";

export type SecretScan = (text: string) => Promise<SecretSpan[]>;

export interface RedactorOptions {
  /** E-mail, telephone, card and bank numbers too. Off unless a profile asks for it. */
  readonly personalData?: boolean;
  /** What else looks for secrets beside our own patterns. Secretlint, loaded on first use, unless a test asks otherwise. */
  readonly scan?: SecretScan;
}

/** Redacts the texts of one session; numbering lasts as long as the redactor. */
export interface Redactor {
  /** @throws {ArcticMemError} `REDACTION_FAILED`: the text must then not be used at all. */
  redact(text: string): Promise<string>;
  /**
   * The same for many texts at the cost of one; a secret recognised in one is removed from all.
   *
   * @returns As many texts, in the order given.
   */
  redactAll(texts: readonly string[]): Promise<string[]>;
}

const DETECTORS: readonly SecretDetector[] = [
  findPrivateKeys,
  findTokens,
  findInContext,
  findNamedValues,
  findRandomValues,
];
/** Each round turns characters into placeholders, so that rounds end; more than a few means a detector is broken. */
const MAX_ROUNDS = 12;
/** Stands between texts that are scanned together: no detector that needs a context looks across it. */
const BETWEEN_TEXTS = "\n\n\u241e\n\n";

export function createRedactor({ personalData = false, scan = scanOnDemand }: RedactorOptions = {}): Redactor {
  const detectors = personalData ? [...DETECTORS, findPersonalData] : DETECTORS;
  const placeholders = createPlaceholders();
  const redactAll = async (texts: readonly string[]): Promise<string[]> => {
    try {
      return await redactToFixpoint(texts, placeholders, { detectors, scan });
    } catch (cause) {
      throw new ArcticMemError("REDACTION_FAILED", `Secrets could not be looked for: ${messageOf(cause)}`, { cause });
    }
  };
  return { redactAll, redact: async (text) => (await redactAll([text]))[0] ?? "" };
}

/**
 * Redaction by patterns alone, synchronous and without loading anything: a second look at texts that were redacted when
 * they were written.
 */
export function redactPatterns(text: string): string {
  const placeholders = createPlaceholders();
  let result = text;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const spans = mergeSpans(result, findAll(DETECTORS, asRead(result)));
    if (spans.length === 0) break;
    result = replaceSpans(result, spans, placeholders);
  }
  return result;
}

/**
 * Scans until nothing more is found, so that redacting again changes nothing. After the first round only texts that
 * changed are scanned by pattern; values that a round revealed are removed from all.
 */
async function redactToFixpoint(
  texts: readonly string[],
  placeholders: Placeholders,
  { detectors, scan }: { readonly detectors: readonly SecretDetector[]; readonly scan: SecretScan },
): Promise<string[]> {
  const results = [...texts];
  let pending = [...results.keys()];
  for (let round = 0; pending.length > 0; round += 1) {
    if (round === MAX_ROUNDS) throw new Error("the detectors do not come to rest");
    const joined = joinTexts(pending.map((at) => results[at] ?? ""));
    const text = asRead(joined.text);
    const own = findAll(detectors, text);
    const linted = withoutSplitUrls(await scan(text), own);
    const perText = joined.split(mergeSpans(joined.text, [...own, ...linted]));
    const changed = new Set<number>();
    const knownBefore = placeholders.known;
    for (const [at, spans] of perText.entries()) {
      const index = pending[at];
      if (index === undefined || spans.length === 0) continue;
      results[index] = replaceSpans(results[index] ?? "", spans, placeholders);
      changed.add(index);
    }
    const mayHold = placeholders.known > knownBefore || round === 0 ? [...results.keys()] : [...changed];
    for (const index of clearKnown(results, mayHold, placeholders)) changed.add(index);
    pending = [...changed].sort((a, b) => a - b);
  }
  return results;
}

/** Removes what is known from some of the texts, in place. @returns Which ones changed. */
function clearKnown(texts: string[], indices: readonly number[], placeholders: Placeholders): number[] {
  return indices.filter((index) => {
    const text = texts[index] ?? "";
    const cleared = placeholders.replaceKnown(text);
    texts[index] = cleared;
    return cleared !== text;
  });
}

const ESCAPED_SPACE = /\\[nrt]/g;

/**
 * The text as detectors read it, of the same length: escaped line ends and tabs, as in a file that stands in JSON, are
 * real ones. Else the letter of the escape would be the first of a token, and hide it.
 */
function asRead(text: string): string {
  return text.includes("\\") ? text.replace(ESCAPED_SPACE, " \n") : text;
}

async function scanOnDemand(text: string): Promise<SecretSpan[]> {
  const { scanWithSecretlint } = await import("./secrets/secretlint-scan.ts");
  return scanWithSecretlint(text);
}

function findAll(detectors: readonly SecretDetector[], text: string): SecretSpan[] {
  return detectors.flatMap((detect) => detect(text));
}

/** Of a connection string only the password goes, where we saw it: host and database are worth remembering. */
function withoutSplitUrls(linted: readonly SecretSpan[], own: readonly SecretSpan[]): SecretSpan[] {
  const passwords = own.filter((span) => span.kind === "connection_password");
  return linted.filter(
    ({ kind, start, end }) =>
      !kind.startsWith("connection_") || !passwords.some((span) => span.start < end && span.end > start),
  );
}

interface JoinedTexts {
  readonly text: string;
  /** The spans of each text, in its own offsets; one that reaches over an end is cut there. */
  split(spans: readonly SecretSpan[]): SecretSpan[][];
}

function joinTexts(texts: readonly string[]): JoinedTexts {
  let offset = 0;
  const ranges = texts.map((text) => {
    const start = offset;
    offset += text.length + BETWEEN_TEXTS.length;
    return { start, end: start + text.length };
  });
  const split = (spans: readonly SecretSpan[]): SecretSpan[][] => {
    let first = 0;
    return ranges.map(({ start, end }) => {
      while (first < spans.length && (spans[first]?.end ?? 0) <= start) first += 1;
      const own: SecretSpan[] = [];
      for (let at = first; at < spans.length; at += 1) {
        const span = spans[at];
        if (span === undefined || span.start >= end) break;
        own.push({ ...span, start: Math.max(span.start, start) - start, end: Math.min(span.end, end) - start });
      }
      return own;
    });
  };
  return { text: texts.join(BETWEEN_TEXTS), split };
}

function replaceSpans(text: string, spans: readonly SecretSpan[], placeholders: Placeholders): string {
  let result = "";
  let from = 0;
  for (const { start, end, kind } of spans) {
    result += text.slice(from, start) + placeholders.of(text.slice(start, end), kind);
    from = end;
  }
  return result + text.slice(from);
}
