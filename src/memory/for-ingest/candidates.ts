/**
 * What retrieval lends to ingestion: the memories that each searcher finds near a fact, and how near they are by cosine.
 * The rankings stay apart, since ingestion interleaves them.
 */
import type { ProjectId } from "../../core/ids.ts";
import type { Fact, MemoryRecord } from "../../core/memory-record.ts";
import { LIVE_STATUSES } from "../../core/memory-record.ts";
import type { Arm } from "../../core/query.ts";
import { dot } from "../../core/vectors/dot.ts";
import { factTexts } from "../../store/unit-texts.ts";
import { askInOneModel } from "../models/ask-in-one-model.ts";
import type { Workbench } from "../workbench.ts";

const PER_ARM = 6;

export type NearMemories = Readonly<Partial<Record<Arm, readonly MemoryRecord[]>>>;

/** Best first, live ones of this project and of the user. */
export async function findNear(bench: Workbench, project: ProjectId, fact: Fact): Promise<NearMemories> {
  const [{ queryTerms }, { runArms }, { embedQuery }] = await Promise.all([
    import("../../retrieve/query/query-terms.ts"),
    import("../../retrieve/run-arms.ts"),
    import("../../retrieve/vector-search.ts"),
  ]);
  const { index } = await bench.store();
  const terms = queryTerms([fact.title, fact.content, ...fact.symbols].join("\n"));
  const filter = { unit: "fact", projects: [project], user: true, statuses: LIVE_STATUSES } as const;
  const { rankings } = await askInOneModel(bench, (embedder) => {
    const vector = embedQuery({ index, embedder }, terms.text);
    return runArms(index, { terms, vector, filter, timeoutMs: 10_000 });
  });
  const heads = rankings.map(({ arm, units }) => ({ arm, keys: units.slice(0, PER_ARM).map(({ key }) => key) }));
  const records = await index.memoriesByKey([...new Set(heads.flatMap(({ keys }) => keys))]);
  return Object.fromEntries(heads.map(({ arm, keys }) => [arm, keys.flatMap((key) => records.get(key) ?? [])]));
}

/** Cosines of facts and memories by their bodies; null where no model answers, or for a memory that has no vector yet. */
export async function similarityAmong(
  bench: Workbench,
  facts: readonly Fact[],
  memories: readonly MemoryRecord[],
): Promise<(fact: Fact, memory: MemoryRecord) => number | null> {
  const { index } = await bench.store();
  const keys = await index.keysOfMemories(memories.map(({ id }) => id));
  const found = await askInOneModel(bench, async (embedder) => {
    if (embedder === undefined || (await index.activeFingerprint()) !== embedder.fingerprint) return undefined;
    const stored = await index.vectorsOf([...keys.values()], "body", "fact");
    return { stored, embedded: await embedder.embed(facts.map(bodyText)) };
  }).catch(() => undefined);
  if (found === undefined) return () => null;
  const { stored, embedded } = found;
  const factVectors = new Map(facts.map((fact, at) => [fact, embedded[at]]));
  return (fact, memory) => {
    const [body] = stored.get(keys.get(memory.id) ?? -1) ?? [];
    const vector = factVectors.get(fact);
    return body === undefined || vector === undefined ? null : dot(vector, body);
  };
}

/** The text that would be embedded for it as a memory. */
function bodyText(fact: Fact): string {
  return factTexts(fact, "").find(({ slot }) => slot === "body")?.text ?? fact.content;
}
