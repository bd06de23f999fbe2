/** What a run of the retrieval eval is asked for: strict, since a name that is misspelt would measure something else. */
import { parseArgs } from "node:util";
import type { FusionKind } from "../../src/internals.ts";

export interface RetrievalOptions {
  /** Folders of sets. */
  readonly data: readonly string[];
  /** Only these sets. */
  readonly sets: readonly string[] | undefined;
  /** Sets without a `status` that are loaded as facts all the same. */
  readonly facts: readonly string[];
  readonly out: string | undefined;
  readonly cache: string | undefined;
  readonly json: string | undefined;
  readonly results: string | undefined;
  readonly embedder: "minilm" | "none";
  readonly fusion: FusionKind | undefined;
  readonly split: string | undefined;
  readonly short: boolean;
  readonly ablate: boolean;
}

/** Misused: the message says how. */
export class UsageError extends Error {}

export const USAGE = `usage: npm run eval:retrieval -- --data <folder> [--data …] [--set a,b] [--facts a,b] [--split dev|test]
  [--short] [--embedder minilm|none] [--fusion min-max|rrf] [--ablate]
  [--out <folder>] [--json <file>] [--results <file>] [--cache <folder>]`;

/** @throws {UsageError} for an option or value that does not exist. */
export function parseOptions(args: readonly string[]): RetrievalOptions {
  const { data = [], set, facts, embedder, fusion, ...others } = parsed(args);
  if (data.length === 0) throw new UsageError(`There is no --data folder.\n${USAGE}`);
  return {
    data,
    sets: listed(set),
    facts: listed(facts) ?? [],
    out: others.out,
    cache: others.cache,
    json: others.json,
    results: others.results,
    embedder: oneOf("embedder", embedder ?? "minilm", ["minilm", "none"]),
    fusion: fusion === undefined ? undefined : oneOf<FusionKind>("fusion", fusion, ["min-max", "rrf"]),
    split: others.split,
    short: others.short ?? false,
    ablate: others.ablate ?? false,
  };
}

function parsed(args: readonly string[]) {
  const text = { type: "string" } as const;
  const flag = { type: "boolean" } as const;
  try {
    return parseArgs({
      args: [...args],
      options: {
        data: { type: "string", multiple: true },
        set: text,
        facts: text,
        out: text,
        cache: text,
        json: text,
        results: text,
        embedder: text,
        fusion: text,
        split: text,
        short: flag,
        ablate: flag,
      },
    }).values;
  } catch (thrown) {
    throw new UsageError(`${thrown instanceof Error ? thrown.message : String(thrown)}\n${USAGE}`);
  }
}

function listed(value: string | undefined): string[] | undefined {
  return value
    ?.split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
}

function oneOf<Value extends string>(name: string, value: string, known: readonly Value[]): Value {
  const found = known.find((candidate) => candidate === value);
  if (found === undefined) throw new UsageError(`--${name} ${value}: known are ${known.join(" and ")}.`);
  return found;
}
