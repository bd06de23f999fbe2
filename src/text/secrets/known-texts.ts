/**
 * Replaces many known texts in another one. A session can hold thousands of secrets, and looking for each of them in each
 * text would take the product of both: here every position is looked at once, by a rolling hash of the next few characters.
 */

/** Shorter texts can't be known. */
export const SHORTEST_KNOWN = 8;

/** FNV's prime: odd, with its bits spread. */
const BASE = 0x01000193;
/** BASE to the power of SHORTEST_KNOWN − 1, modulo 2³²: the weight of the character that leaves the window. */
const LEAVING = Array.from({ length: SHORTEST_KNOWN - 1 }).reduce<number>((power) => Math.imul(power, BASE), 1);
/** Most hashes are none of a known text; this many flags say so without a look into the map. */
const FLAGS = 1 << 18;

export interface KnownTexts {
  /** @param text - At least SHORTEST_KNOWN characters. */
  add(text: string, replacement: string): void;
  /** Replaces what stands first, of several that begin at one place the longest. Linear in the text. */
  replaceIn(text: string): string;
}

interface Known {
  readonly text: string;
  readonly replacement: string;
}

export function createKnownTexts(): KnownTexts {
  const byHash = new Map<number, readonly Known[]>();
  let flags: Uint8Array | undefined;

  const next = (flagged: Uint8Array, text: string, from: number): (Known & { readonly at: number }) | undefined => {
    const last = text.length - SHORTEST_KNOWN;
    let hash = from > last ? 0 : hashAt(text, from);
    for (let at = from; at <= last; at += 1) {
      const found = flagged[flagOf(hash)] === 1 ? knownAt(byHash.get(hash), text, at) : undefined;
      if (found !== undefined) return { ...found, at };
      hash = rolled(hash, text, at);
    }
    return undefined;
  };

  return {
    add(text, replacement) {
      flags ??= new Uint8Array(FLAGS);
      const hash = hashAt(text, 0);
      flags[flagOf(hash)] = 1;
      const all = [...(byHash.get(hash) ?? []), { text, replacement }];
      byHash.set(
        hash,
        all.sort((a, b) => b.text.length - a.text.length),
      );
    },
    replaceIn(text) {
      if (flags === undefined) return text;
      let result = "";
      let from = 0;
      for (let found = next(flags, text, 0); found !== undefined; found = next(flags, text, from)) {
        result += text.slice(from, found.at) + found.replacement;
        from = found.at + found.text.length;
      }
      return from === 0 ? text : result + text.slice(from);
    },
  };
}

function knownAt(candidates: readonly Known[] | undefined, text: string, at: number): Known | undefined {
  return candidates?.find((known) => text.startsWith(known.text, at));
}

function hashAt(text: string, at: number): number {
  let hash = 0;
  for (let offset = 0; offset < SHORTEST_KNOWN; offset += 1) {
    hash = (Math.imul(hash, BASE) + text.charCodeAt(at + offset)) | 0;
  }
  return hash;
}

/** The hash one character further on. */
function rolled(hash: number, text: string, at: number): number {
  const without = hash - Math.imul(text.charCodeAt(at), LEAVING);
  return (Math.imul(without, BASE) + text.charCodeAt(at + SHORTEST_KNOWN)) | 0;
}

function flagOf(hash: number): number {
  return (hash ^ (hash >>> 15)) & (FLAGS - 1);
}
