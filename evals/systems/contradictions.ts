/** The contradiction radar on written pairs of a passage of a rules file and a memory, half of them false alarms. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { contradicts, type StatedMemory } from "../../src/internals.ts";

export interface ContradictionPair {
  readonly id: string;
  readonly file_text: string;
  readonly memory: StatedMemory;
  readonly contradicts: boolean;
  readonly kind: string;
  readonly split?: string;
}

export interface JudgedPair extends ContradictionPair {
  readonly found: boolean;
}

export interface JudgedPairs {
  readonly set: string;
  readonly pairs: readonly JudgedPair[];
}

/** Every set of pairs in a folder: `<set>/pairs.jsonl`. */
export function judgeContradictions(folder: string): JudgedPairs[] {
  return readdirSync(folder)
    .sort()
    .filter((set) => existsSync(join(folder, set, "pairs.jsonl")))
    .map((set) => ({ set, pairs: readPairs(join(folder, set, "pairs.jsonl")).map(judged) }));
}

function judged(pair: ContradictionPair): JudgedPair {
  return { ...pair, found: contradicts(pair.file_text, pair.memory) !== undefined };
}

function readPairs(path: string): ContradictionPair[] {
  return readFileSync(path, "utf8")
    .split(/\r?\n/)
    .filter((line) => line.trim() !== "")
    .map((line) => JSON.parse(line) as ContradictionPair);
}
