/** What people and agents write by hand: cleaned, without secrets and private spans, within limits. */
import { ArcticMemError } from "../core/errors.ts";
import { cleanLine, cleanText } from "../text/clean.ts";
import { stripInjectedSpans } from "../text/injected-spans.ts";
import type { Redactor } from "../text/redact.ts";

/** A note is a thought, not a document: longer text belongs into a file of the project. */
const MAX_NOTE_CHARACTERS = 2_000;
export const MAX_TITLE_CHARACTERS = 80;
const MAX_LIST_ITEMS = 8;

/** What was kept elsewhere is taken as it is, within reason. */
const MAX_BROUGHT_CHARACTERS = 200_000;

/** @throws {ArcticMemError} `INPUT_INVALID` for an empty or oversized text; `REDACTION_FAILED`. */
export async function noteText(
  redactor: Redactor,
  text: string,
  field: string | { readonly name: string; readonly isBrought: boolean },
): Promise<string> {
  const { name, isBrought } = typeof field === "string" ? { name: field, isBrought: false } : field;
  const most = isBrought ? MAX_BROUGHT_CHARACTERS : MAX_NOTE_CHARACTERS;
  const clean = stripInjectedSpans(cleanText(text)).trim();
  if (clean.length > most) {
    const message = `The ${name} has ${clean.length} characters; at most ${most} are kept.`;
    throw new ArcticMemError("INPUT_INVALID", message, {
      hint: "Say it shorter, or put it into a file of the project: those are found too.",
    });
  }
  const redacted = (await redactor.redact(clean)).trim();
  if (!/[\p{L}\p{N}]{2}/u.test(redacted.replace(/\[REDACTED:[^\]]*\]/g, ""))) {
    throw new ArcticMemError("INPUT_INVALID", `The ${name} is empty${redacted === "" ? "" : " but for a secret"}.`, {
      hint: "Secrets and what stands in <private> are never kept.",
    });
  }
  return redacted;
}

/** One line within the limit of titles. */
export async function noteTitle(redactor: Redactor, title: string): Promise<string> {
  return cleanLine(await noteText(redactor, title, "title"), MAX_TITLE_CHARACTERS);
}

/** Up to eight lines; empty ones are left out. */
export async function noteLines(redactor: Redactor, lines: readonly string[]): Promise<string[]> {
  const kept = lines.map((line) => cleanLine(line, 200)).filter((line) => line !== "");
  return redactor.redactAll(kept.slice(0, MAX_LIST_ITEMS));
}
