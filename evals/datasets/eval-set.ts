/**
 * Reads a set in the kit's format: a folder with `corpus.jsonl` ({id, group, text, status?}) and `queries.jsonl`
 * ({id, group, text, rel: {docId: gain}, cat, exclude?, short?}). Candidates of a query are the documents of its group.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { MemoryRecord } from "../../src/internals.ts";

export interface EvalDocument {
  readonly id: string;
  readonly group: string;
  readonly text: string;
  /** A memory's status; sets with it hold facts. */
  readonly status?: "active" | "superseded";
  /** Fields of a fact, where the set has them. */
  readonly type?: MemoryRecord["type"];
  readonly title?: string;
  readonly content?: string;
  readonly why?: string;
  readonly how_to_apply?: string;
  readonly when_to_use?: readonly string[];
  readonly pinned?: boolean;
  /** What took the place of a superseded one. */
  readonly successor?: string;
}

export interface EvalQuery {
  readonly id: string;
  readonly group: string;
  readonly text: string;
  /** Empty where the right answer is nothing. */
  readonly rel: Readonly<Record<string, number>>;
  readonly cat: string;
  readonly split?: string;
  /** Documents whose appearance is an error, and those that neither help nor harm. */
  readonly forbidden?: readonly string[];
  readonly neutral?: readonly string[];
  /** A document that is never an answer: the query's own. */
  readonly exclude?: string;
  readonly short?: string;
}

export interface EvalSet {
  readonly name: string;
  readonly documents: readonly EvalDocument[];
  readonly queries: readonly EvalQuery[];
}

/** Reported apart: questions whose evidence the text does not hold. */
const APART: readonly string[] = ["adversarial", "unanswerable"];

/** Names of the sets in a folder, sorted. Empty where the folder is not there. */
export function listSets(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => existsSync(join(folder, name, "corpus.jsonl")) && existsSync(join(folder, name, "queries.jsonl")))
    .sort();
}

/** @param short - Ask the short form of each query that has one, and no other. */
export function readSet(folder: string, name: string, { short = false } = {}): EvalSet {
  const queries = readLines<EvalQuery>(join(folder, name, "queries.jsonl"));
  return {
    name,
    documents: readLines<EvalDocument>(join(folder, name, "corpus.jsonl")),
    queries: short
      ? queries.flatMap((query) => (query.short === undefined ? [] : [{ ...query, text: query.short }]))
      : queries,
  };
}

/** The queries that a set's figures are about. */
export function mainQueries({ queries }: EvalSet): EvalQuery[] {
  return queries.filter(({ cat, rel }) => !APART.includes(cat) && Object.keys(rel).length > 0);
}

/** The kit's files are ours to trust: they are read as they are. */
function readLines<Row>(path: string): Row[] {
  return readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Row);
}
