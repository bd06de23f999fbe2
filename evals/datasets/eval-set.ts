/**
 * Reads a set in the kit's format: a folder with `corpus.jsonl` ({id, group?, text, status?, …}) and `queries.jsonl`
 * ({id, group?, text, rel: {docId: gain}, cat?, split?, exclude?, short?}). Candidates of a query are the documents of its
 * group. Sets come from anywhere, so what is missing is filled in, and what can't be understood is said, not guessed.
 */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { FactType, MemoryRecord } from "../../src/internals.ts";

export interface EvalDocument {
  readonly id: string;
  readonly group: string;
  readonly text: string;
  /** A memory's status; sets with it hold facts. */
  readonly status?: MemoryRecord["status"];
  /** Fields of a fact, where the set has them. */
  readonly type?: FactType;
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
  /** As it stands in the file: the kit looks runs up by it. */
  readonly id: string;
  readonly group: string;
  readonly text: string;
  /** Empty where the right answer is nothing. */
  readonly rel: Readonly<Record<string, number>>;
  readonly cat: string;
  readonly split?: string;
  /** Of an unanswerable one: how near to the field it asks. */
  readonly kind?: string;
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
  /** What was odd about the files, as sentences. */
  readonly remarks: readonly string[];
}

/** A set that can't be read, with what a person can do about it. */
export class EvalSetError extends Error {}

/** Reported apart: questions whose evidence the text does not hold. */
const APART: readonly string[] = ["adversarial", "unanswerable"];
const FILES = ["corpus.jsonl", "queries.jsonl"] as const;

export interface FoundSets {
  /** Sorted. */
  readonly names: readonly string[];
  /** Folders that hold only a part of a set, as sentences. */
  readonly remarks: readonly string[];
}

/** @throws {EvalSetError} where there is no such folder. */
export function findSets(folder: string): FoundSets {
  if (!existsSync(folder) || !statSync(folder).isDirectory()) throw new EvalSetError(`There is no folder ${folder}.`);
  const names: string[] = [];
  const remarks: string[] = [];
  for (const name of readdirSync(folder).sort()) {
    const [has = false, asks = false] = FILES.map((file) => existsSync(join(folder, name, file)));
    if (has && asks) names.push(name);
    else if (has !== asks) remarks.push(`${name} is left out: it has no ${has ? "queries.jsonl" : "corpus.jsonl"}.`);
  }
  return { names, remarks };
}

/**
 * @param short - Ask the short form of each query that has one, and no other.
 * @throws {EvalSetError} for a line that is no JSON object, by file and line.
 */
export function readSet(folder: string, name: string, { short = false } = {}): EvalSet {
  const remarks: string[] = [];
  const isGrouped = readLines(join(folder, name, "corpus.jsonl")).some(({ group }) => group != null);
  const documents = readLines(join(folder, name, "corpus.jsonl")).map((row) => documentOf(row, { isGrouped, remarks }));
  const all = readLines(join(folder, name, "queries.jsonl")).map((row) => queryOf(row, isGrouped));
  const queries = short
    ? all.flatMap((query) => (query.short === undefined ? [] : [{ ...query, text: query.short }]))
    : all;
  const groups = new Set(documents.map(({ group }) => group));
  remark(remarks, queries.filter(({ group }) => !groups.has(group)).length, "queries are of a group without documents");
  remark(remarks, documents.filter(({ text }) => text.trim() === "").length, "documents are empty");
  remark(remarks, documents.length - new Set(documents.map(({ id }) => id)).size, "ids of documents stand twice");
  return { name, documents, queries, remarks };
}

/** The queries that a set's figures are about. */
export function mainQueries({ queries }: Pick<EvalSet, "queries">): EvalQuery[] {
  return queries.filter(({ cat, rel }) => !APART.includes(cat) && Object.keys(rel).length > 0);
}

function remark(remarks: string[], count: number, what: string): void {
  if (count > 0) remarks.push(`${count} ${what}.`);
}

type Row = Readonly<Record<string, unknown>>;

interface Reading {
  readonly isGrouped: boolean;
  readonly remarks: string[];
}

const stringOf = (value: unknown): string => (value == null ? "" : String(value));
const groupOf = ({ group }: Row, isGrouped: boolean): string => (isGrouped ? stringOf(group) : "all");

function documentOf(row: Row, { isGrouped, remarks }: Reading): EvalDocument {
  const { id, text, status, successor, ...others } = row as unknown as EvalDocument;
  const written = [others.title, others.content].filter((part) => typeof part === "string").join(". ");
  return {
    ...others,
    id: stringOf(id),
    group: groupOf(row, isGrouped),
    text: typeof text === "string" ? text : written,
    ...(status == null ? {} : { status: statusOf(stringOf(status), remarks) }),
    ...(successor == null ? {} : { successor: stringOf(successor) }),
  };
}

const STATUSES: Readonly<Record<string, MemoryRecord["status"]>> = {
  active: "active",
  current: "active",
  provisional: "provisional",
  disputed: "disputed",
  archived: "archived",
  superseded: "superseded",
  outdated: "superseded",
  obsolete: "superseded",
  deprecated: "superseded",
  forgotten: "forgotten",
};

/** A word that nobody knows hides nothing. */
function statusOf(status: string, remarks: string[]): MemoryRecord["status"] {
  const known = STATUSES[status.toLowerCase()];
  const message = `The status ${JSON.stringify(status)} is taken as active.`;
  if (known === undefined && !remarks.includes(message)) remarks.push(message);
  return known ?? "active";
}

function queryOf(row: Row, isGrouped: boolean): EvalQuery {
  const { text, rel, cat, exclude, ...others } = row as unknown as EvalQuery;
  return {
    ...others,
    group: groupOf(row, isGrouped),
    text: stringOf(text),
    rel: rel ?? {},
    cat: cat ?? "all",
    ...(exclude == null ? {} : { exclude: stringOf(exclude) }),
  };
}

function readLines(path: string): Row[] {
  return readFileSync(path, "utf8")
    .replace(/^\uFEFF/, "")
    .split(/\r?\n/)
    .flatMap((line, at) => (line.trim() === "" ? [] : [parseLine(line, `${path}, line ${at + 1}`)]));
}

function parseLine(line: string, place: string): Row {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    throw new EvalSetError(`${place} is no JSON.`);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new EvalSetError(`${place} is no JSON object.`);
  }
  return value as Row;
}

/** Documents by their group, in their order. */
export function byGroup(documents: readonly EvalDocument[]): Map<string, EvalDocument[]> {
  const groups = new Map<string, EvalDocument[]>();
  for (const document of documents) {
    const members = groups.get(document.group);
    if (members === undefined) groups.set(document.group, [document]);
    else members.push(document);
  }
  return groups;
}
