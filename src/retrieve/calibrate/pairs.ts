/** The labelled pairs that models are calibrated on, read and checked. */
import { readFile } from "node:fs/promises";
import { ArcticMemError } from "../../core/errors.ts";
import { sha256 } from "../../core/hash.ts";

/** Those that come with the package. */
export const PAIRS_FOLDER = new URL("../../../assets/calibration/", import.meta.url);

export interface TextPair {
  readonly a: string;
  readonly b: string;
}

export interface QueryPair {
  readonly query: string;
  readonly memory: string;
}

export interface CalibrationPairs {
  readonly hash: string;
  /** The same claim in other words. */
  readonly paraphrases: readonly TextPair[];
  /** Nearly the same words, another claim: a number, a negation or a name differs. */
  readonly nearMisses: readonly TextPair[];
  readonly unrelated: readonly QueryPair[];
  readonly answers: readonly QueryPair[];
  /** What every model knows. */
  readonly generic: readonly string[];
}

/**
 * @param folder - With `pairs.jsonl` and `generic.txt`.
 * @throws {ArcticMemError} `FILE_UNREADABLE` where they are missing, damaged or empty of a kind.
 */
export async function readPairs(folder: URL): Promise<CalibrationPairs> {
  const base = folder.href.endsWith("/") ? folder : new URL(`${folder.href}/`);
  const read = (name: string): Promise<string> =>
    readFile(new URL(name, base), "utf8").catch((cause: unknown) => {
      throw new ArcticMemError("FILE_UNREADABLE", `${name} of the calibration pairs can't be read.`, { cause });
    });
  return parsePairs(await read("pairs.jsonl"), await read("generic.txt"));
}

export function parsePairs(lines: string, generic: string): CalibrationPairs {
  const rows = lines.split("\n").filter((line) => line.trim() !== "");
  const items = rows.map((line): Readonly<Record<string, unknown>> => JSON.parse(line));
  const texts = (kind: string): TextPair[] =>
    items.filter((item) => item.kind === kind).map(({ a, b }) => ({ a: String(a), b: String(b) }));
  const queries = (kind: string): QueryPair[] =>
    items
      .filter((item) => item.kind === kind)
      .map(({ query, memory }) => ({ query: String(query), memory: String(memory) }));
  const pairs = {
    hash: sha256(`${lines}\n${generic}`).slice(0, 16),
    paraphrases: texts("paraphrase"),
    nearMisses: texts("near_miss"),
    unrelated: queries("unrelated"),
    answers: queries("answer"),
    generic: generic.split("\n").filter((line) => line.trim() !== ""),
  };
  const empty = Object.entries(pairs).find(([, list]) => list.length === 0);
  if (empty !== undefined) throw new ArcticMemError("FILE_UNREADABLE", `There are no ${empty[0]} to calibrate on.`);
  return pairs;
}
