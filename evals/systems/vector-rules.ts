/**
 * Vectors made in another way than shipped, beside the shipped ones in the same store: under a fingerprint of their own,
 * which serves while they are measured. Every text gets a vector, so that nothing is left for the search to embed.
 */
import {
  type Embedder,
  embedShaded,
  type MissingVector,
  type NewVector,
  openSqliteStore,
  type UnitKind,
} from "../../src/internals.ts";

export interface VectorRule {
  readonly name: string;
  readonly unit: UnitKind;
  make(texts: UnitTexts): Promise<NewVector[]>;
}

/** The texts of one unit in one slot, in any order. */
interface UnitTexts {
  readonly texts: readonly MissingVector[];
  /** The whole text of a piece of a file. */
  readonly whole: string;
  /** In the order given. */
  readonly embed: (texts: readonly MissingVector[]) => Promise<NewVector[]>;
}

/** Of a fact's trigger texts the one that joins all of them is the longest. */
const joinedOf = (texts: readonly MissingVector[]): MissingVector =>
  texts.reduce((longest, entry) => (entry.text.length > longest.text.length ? entry : longest), texts[0] ?? NO_TEXT);
const NO_TEXT: MissingVector = { unit: "fact", key: 0, slot: "body", text: "" };

/** Each text gets the vector of the one that is chosen for it. */
function replaced(chosen: (entry: MissingVector, unit: UnitTexts) => MissingVector | undefined): VectorRule["make"] {
  return async (unit) => {
    const vectors = await unit.embed(unit.texts);
    const vectorOf = new Map(vectors.map(({ text, vector }) => [text, vector]));
    return vectors.map((entry) => ({
      ...entry,
      vector: vectorOf.get(chosen(entry, unit)?.text ?? "") ?? entry.vector,
    }));
  };
}

function onTriggers(make: VectorRule["make"]): VectorRule["make"] {
  return (unit) => (unit.texts[0]?.slot === "trigger" ? make(unit) : unit.embed(unit.texts));
}

const averaged: VectorRule["make"] = async ({ texts, embed }) => {
  const vectors = await embed(texts);
  const joined = joinedOf(texts);
  const separate = vectors.filter(({ text }) => text !== joined.text || texts.length === 1);
  const mean = (separate[0] ?? vectors[0])?.vector.map((_, at) =>
    separate.reduce((sum, { vector }) => sum + (vector[at] ?? 0), 0),
  );
  const length = Math.sqrt(mean?.reduce((sum, value) => sum + value * value, 0) ?? 1) || 1;
  return vectors.map((entry) => ({ ...entry, vector: mean?.map((value) => value / length) ?? entry.vector }));
};

export const VECTOR_RULES: readonly VectorRule[] = [
  {
    name: "long texts cut, not in windows",
    unit: "chunk",
    make: replaced((_, { texts, whole }) => texts.find(({ text }) => whole.startsWith(text))),
  },
  {
    name: "pieces without their neighbours",
    unit: "chunk",
    make: async ({ texts, embed }) => {
      const alone = await embed(texts.map(({ around: _, ...text }) => text));
      return alone.map((entry, at) => ({ ...entry, ...texts[at] }));
    },
  },
  { name: "triggers joined only", unit: "fact", make: onTriggers(replaced((_, { texts }) => joinedOf(texts))) },
  {
    name: "triggers separate only",
    unit: "fact",
    make: onTriggers(
      replaced((entry, { texts }) =>
        entry.text === joinedOf(texts).text ? texts.find(({ text }) => text !== entry.text) : entry,
      ),
    ),
  },
  { name: "triggers averaged", unit: "fact", make: onTriggers(averaged) },
];

export interface OtherVectors {
  /** Under the fingerprint of the other vectors. */
  readonly embedder: Embedder;
  /** The shipped ones serve again. */
  restore(): Promise<void>;
}

/** Makes the vectors of a rule and lets them serve. The store is open elsewhere too. */
export async function serveOtherVectors(path: string, embedder: Embedder, rule: VectorRule): Promise<OtherVectors> {
  const fingerprint = `${embedder.fingerprint}+${rule.name.replace(/\W+/g, "-")}`;
  const store = await openSqliteStore({ path });
  const missing = await store.index.missingVectors(fingerprint, Number.MAX_SAFE_INTEGER);
  const embed = (texts: readonly MissingVector[]): Promise<NewVector[]> => embedShaded(embedder, texts, undefined);
  const chunks = await store.index.chunksByKey(missing.flatMap(({ unit, key }) => (unit === "chunk" ? [key] : [])));
  const made: NewVector[] = [];
  for (const texts of groupsOf(missing)) {
    const whole = chunks.get(texts[0]?.key ?? -1)?.text ?? "";
    made.push(...(await rule.make({ texts, whole, embed })));
  }
  await store.index.putVectors(fingerprint, made);
  await store.index.activate(fingerprint, embedder.dimensions);
  const restore = async (): Promise<void> => {
    await store.index.activate(embedder.fingerprint, embedder.dimensions);
    await store.index.dropInactive();
    await store.close();
  };
  return { embedder: { ...embedder, fingerprint }, restore };
}

/** Texts of one unit and slot together. */
function groupsOf(missing: readonly MissingVector[]): Iterable<readonly MissingVector[]> {
  const groups = new Map<string, MissingVector[]>();
  for (const entry of missing) {
    const name = `${entry.unit} ${entry.key} ${entry.slot}`;
    const members = groups.get(name);
    if (members === undefined) groups.set(name, [entry]);
    else members.push(entry);
  }
  return groups.values();
}
