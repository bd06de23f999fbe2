/** Numbers the secrets of one session: one secret, one placeholder. */
import { entropyBits } from "./entropy.ts";
import { createKnownTexts, SHORTEST_KNOWN } from "./known-texts.ts";
import { PLACEHOLDER } from "./secret-span.ts";

export interface Placeholders {
  /** `[REDACTED:<kind>#<n>]`, the same for the same secret. */
  of(secret: string, kind: string): string;
  /** How many secrets `replaceKnown` looks for. */
  readonly known: number;
  /** Removes every known secret that is long and random enough to mean nothing else. */
  replaceKnown(text: string): string;
}

const MIN_KNOWN_BITS = 2.5;
/** Words with a number behind: `postgres16` stays readable where it is no password. */
const WORD_AND_NUMBER = /^[A-Za-z]+[-_.]?\d{0,2}$/;

export function createPlaceholders(): Placeholders {
  const known = new Map<string, string>();
  const counts = new Map<string, number>();
  const searched = createKnownTexts();
  let distinctive = 0;
  return {
    get known() {
      return distinctive;
    },
    of(secret, kind) {
      const existing = known.get(secret);
      if (existing !== undefined) return existing;
      const count = (counts.get(kind) ?? 0) + 1;
      counts.set(kind, count);
      const placeholder = `[REDACTED:${kind}#${count}]`;
      known.set(secret, placeholder);
      if (isDistinctive(secret)) {
        searched.add(secret, placeholder);
        distinctive += 1;
      }
      return placeholder;
    },
    replaceKnown(text) {
      const kept = text.match(PLACEHOLDER);
      if (kept === null) return searched.replaceIn(text);
      const parts = text.split(PLACEHOLDER).map((part, at) => searched.replaceIn(part) + (kept[at] ?? ""));
      return parts.join("");
    },
  };
}

/** Shorter ones are too likely to be part of an innocent word. */
function isDistinctive(secret: string): boolean {
  return secret.length >= SHORTEST_KNOWN && !WORD_AND_NUMBER.test(secret) && entropyBits(secret) > MIN_KNOWN_BITS;
}
