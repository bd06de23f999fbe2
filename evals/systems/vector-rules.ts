/**
 * Vectors made in another way than shipped, beside the shipped ones in the same store: under a fingerprint of their own,
 * which serves while they are measured. Every text gets a vector, so that nothing is left for the search to embed.
 */
import {
  type Embedder,
  embedShaded,
  type MemoryRecord,
  type MissingVector,
  type NewVector,
  openDriver,
  openSqliteStore,
  SLOT_CODES,
  type Store,
  textHash,
  UNIT_CODES,
  type UnitKind,
} from "../../src/internals.ts";

export interface VectorRule {
  readonly name: string;
  readonly unit: UnitKind;
  /** The text whose vector, unshaded unless `around` stays, one text of a unit gets. */
  readonly from: (entry: MissingVector, unit: UnitTexts) => MissingVector;
  /** Trigger texts that a fact has beside its own. */
  readonly extra?: (memory: MemoryRecord) => readonly string[];
}

/** The texts of one unit in one slot, in any order. */
interface UnitTexts {
  readonly texts: readonly MissingVector[];
  /** The whole text of a piece of a file. */
  readonly whole: string;
  readonly memory: MemoryRecord | undefined;
}

const alone = ({ around: _, ...entry }: MissingVector): MissingVector => entry;
const ofTriggers =
  (from: VectorRule["from"]): VectorRule["from"] =>
  (entry, unit) =>
    entry.slot === "trigger" ? from(entry, unit) : entry;
const MOST_SITUATIONS = 3;
const situationsOf = ({ whenToUse }: MemoryRecord): readonly string[] => whenToUse.slice(0, MOST_SITUATIONS);

export const VECTOR_RULES: readonly VectorRule[] = [
  {
    name: "long texts cut, not in windows",
    unit: "chunk",
    from: (entry, { texts, whole }) => texts.find(({ text }) => whole.startsWith(text)) ?? entry,
  },
  { name: "pieces without their neighbours", unit: "chunk", from: alone },
  { name: "trigger: all joined in one text, not shaded", unit: "fact", from: ofTriggers(alone) },
  {
    name: "trigger: situations blended, without the claim",
    unit: "fact",
    from: ofTriggers((entry) => {
      const [first, ...others] = entry.around ?? [];
      return first === undefined
        ? entry
        : { ...entry, text: first.text, around: others.map((shade) => ({ ...shade, weight: 1 })) };
    }),
  },
  {
    name: "trigger: title, situations and joined text separate",
    unit: "fact",
    from: ofTriggers(alone),
    extra: (memory) => [memory.title, ...situationsOf(memory)],
  },
  {
    name: "trigger: title and situations separate, none joined",
    unit: "fact",
    from: ofTriggers((entry, { memory }) => ({ ...alone(entry), text: memory?.title ?? entry.text })),
    extra: (memory) => [memory.title, ...situationsOf(memory)],
  },
];

export interface OtherVectors {
  /** Under the fingerprint of the other vectors. */
  readonly embedder: Embedder;
  /** The shipped ones serve again. */
  restore(): Promise<void>;
}

/** Makes the vectors of a rule and lets them serve. The store may be open elsewhere too. */
export async function serveOtherVectors(path: string, embedder: Embedder, rule: VectorRule): Promise<OtherVectors> {
  const fingerprint = `${embedder.fingerprint}+${rule.name.replace(/\W+/g, "-")}`;
  const store = await openSqliteStore({ path });
  const missing = await store.index.missingVectors(fingerprint, Number.MAX_SAFE_INTEGER);
  const extra = await extraTexts(store, missing, rule);
  await changeTexts(path, extra, "INSERT OR IGNORE INTO unit_texts (unit, key, slot, text_hash) VALUES (?, ?, ?, ?)");
  const wanted = [...(await wantedTexts(store, missing, rule)), ...extra];
  const made = await embedShaded(embedder, wanted, undefined);
  const own = [...missing, ...extra];
  await store.index.putVectors(
    fingerprint,
    made.flatMap(({ vector }, at): NewVector[] => {
      const entry = own[at];
      return entry === undefined ? [] : [{ ...entry, vector }];
    }),
  );
  await store.index.activate(fingerprint, embedder.dimensions);
  const restore = async (): Promise<void> => {
    await store.index.activate(embedder.fingerprint, embedder.dimensions);
    await store.index.dropInactive();
    await changeTexts(path, extra, "DELETE FROM unit_texts WHERE unit = ? AND key = ? AND slot = ? AND text_hash = ?");
    await store.close();
  };
  return { embedder: { ...embedder, fingerprint }, restore };
}

/** For each missing text, in order, the one whose vector it gets. */
async function wantedTexts(
  store: Store,
  missing: readonly MissingVector[],
  rule: VectorRule,
): Promise<MissingVector[]> {
  const chunks = await store.index.chunksByKey(keysOf(missing, "chunk"));
  const memories = await store.index.memoriesByKey(keysOf(missing, "fact"));
  const nameOf = ({ unit, key, slot }: MissingVector): string => `${unit} ${key} ${slot}`;
  const groups = new Map<string, MissingVector[]>();
  for (const entry of missing) groups.set(nameOf(entry), [...(groups.get(nameOf(entry)) ?? []), entry]);
  return missing.map((entry) =>
    rule.from(entry, {
      texts: groups.get(nameOf(entry)) ?? [],
      whole: entry.unit === "chunk" ? (chunks.get(entry.key)?.text ?? "") : "",
      memory: entry.unit === "fact" ? memories.get(entry.key) : undefined,
    }),
  );
}

function keysOf(texts: readonly MissingVector[], unit: UnitKind): number[] {
  return [...new Set(texts.flatMap((entry) => (entry.unit === unit ? [entry.key] : [])))];
}

/** Those that the store does not have already. */
async function extraTexts(
  store: Store,
  missing: readonly MissingVector[],
  { extra }: VectorRule,
): Promise<MissingVector[]> {
  if (extra === undefined) return [];
  const nameOf = ({ key, slot, text }: Pick<MissingVector, "key" | "slot" | "text">): string =>
    `${key} ${slot} ${text}`;
  const known = new Set(missing.filter(({ around = [] }) => around.length === 0).map(nameOf));
  const memories = await store.index.memoriesByKey(keysOf(missing, "fact"));
  return [...memories].flatMap(([key, memory]) =>
    [...new Set(extra(memory))]
      .map((text): MissingVector => ({ unit: "fact", key, slot: "trigger", text }))
      .filter((entry) => !known.has(nameOf(entry))),
  );
}

/** Texts of the index beside those that a fact has by itself: no door makes them. */
async function changeTexts(path: string, texts: readonly MissingVector[], sql: string): Promise<void> {
  if (texts.length === 0) return;
  const driver = await openDriver({ path });
  const change = driver.prepare(sql);
  driver.transaction(() => {
    for (const entry of texts) change.run([UNIT_CODES[entry.unit], entry.key, SLOT_CODES[entry.slot], textHash(entry)]);
  });
  driver.close();
}
