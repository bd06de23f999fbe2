/**
 * The written sets are data that figures rest on: a relevant id that does not exist, a doubled query or a lopsided
 * split would move a figure without anybody noticing.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";

const DATASETS = join(import.meta.dirname, "../../evals/datasets");
const CALIBRATION = join(import.meta.dirname, "../../assets/calibration");
const LANGUAGES = ["zh", "ja", "ko", "de", "fr", "es", "pt", "ru", "ar", "hi"];

const Text = z.string().trim().min(1);
const Split = z.enum(["dev", "test"]);
const FactType = z.enum(["lesson", "context", "preference", "pointer"]);

const Document = z.strictObject({
  id: Text,
  group: Text,
  text: Text,
  status: z.enum(["active", "superseded"]),
  successor: Text.optional(),
  pinned: z.literal(true).optional(),
  type: FactType.optional(),
  title: Text.max(100).optional(),
  content: Text.optional(),
  why: z.string().optional(),
  how_to_apply: z.string().optional(),
  when_to_use: z.array(Text).min(1).max(3).optional(),
  lang: z.enum(LANGUAGES).optional(),
  made: z.literal("template").optional(),
});

const Query = z.strictObject({
  id: Text,
  group: Text,
  text: Text,
  rel: z.record(z.string(), z.literal(1)),
  cat: Text,
  split: Split,
  kind: z.enum(["name", "topic", "far"]).optional(),
  forbidden: z.array(Text).min(1).optional(),
  neutral: z.array(Text).min(1).optional(),
  lang: z.enum(["en", ...LANGUAGES]).optional(),
});

const Contradiction = z.strictObject({
  id: Text,
  file_text: Text,
  memory: z.strictObject({ type: FactType, title: Text, content: Text }),
  contradicts: z.boolean(),
  kind: z.enum(["number", "value", "negation", "tool", "port", "version", "none"]),
  split: Split,
});

const CalibrationPair = z.discriminatedUnion("kind", [
  z.strictObject({ id: Text, kind: z.literal("paraphrase"), a: Text, b: Text }),
  z.strictObject({
    id: Text,
    kind: z.literal("near_miss"),
    differs: z.enum(["number", "negation", "name", "value"]),
    a: Text,
    b: Text,
  }),
  z.strictObject({
    id: Text,
    kind: z.literal("unrelated"),
    distance: z.enum(["near", "far"]),
    query: Text,
    memory: Text,
  }),
  z.strictObject({ id: Text, kind: z.literal("answer"), query: Text, memory: Text }),
]);

function readRows<Row>(path: string, schema: z.ZodType<Row>): Row[] {
  return readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => schema.parse(JSON.parse(line)));
}

const readSet = (name: string) => ({
  documents: readRows(join(DATASETS, name, "corpus.jsonl"), Document),
  queries: readRows(join(DATASETS, name, "queries.jsonl"), Query),
});

/** Values that occur more than once. */
function repeated(values: readonly string[]): string[] {
  const seen = new Set<string>();
  return values.filter((value) => seen.size === seen.add(value).size);
}

function countBy<Item>(items: readonly Item[], key: (item: Item) => string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(key(item), (counts.get(key(item)) ?? 0) + 1);
  return counts;
}

describe.each(["precision", "symbols", "languages", "triggers"])("the set %s", (name) => {
  const { documents, queries } = readSet(name);
  const groupOf = new Map(documents.map(({ id, group }) => [id, group]));

  it("has no id, document or question twice", () => {
    expect(repeated(documents.map(({ id }) => id))).toEqual([]);
    expect(repeated(queries.map(({ id }) => id))).toEqual([]);
    expect(repeated(documents.map(({ group, text }) => `${group} ${text.toLowerCase()}`))).toEqual([]);
    expect(repeated(queries.map(({ group, text }) => `${group} ${text.toLowerCase()}`))).toEqual([]);
  });

  it("asks each question among at least 200 documents", () => {
    const sizes = countBy(documents, ({ group }) => group);
    expect(queries.filter(({ group }) => (sizes.get(group) ?? 0) < 200)).toEqual([]);
  });

  it("names relevant documents that are there, in the question's own group", () => {
    expect(queries.filter(({ group, rel }) => Object.keys(rel).some((id) => groupOf.get(id) !== group))).toEqual([]);
  });

  it("forbids and tolerates only documents that are there and not relevant", () => {
    const apart = queries.flatMap(({ rel, forbidden = [], neutral = [] }) =>
      [...forbidden, ...neutral].filter((id) => !groupOf.has(id) || id in rel),
    );
    expect(apart).toEqual([]);
    expect(queries.flatMap(({ forbidden = [], neutral = [] }) => repeated([...forbidden, ...neutral]))).toEqual([]);
  });

  it("leaves only unanswerable questions without an answer", () => {
    const unlike = queries.filter(({ cat, rel }) => (cat === "unanswerable") !== (Object.keys(rel).length === 0));
    expect(unlike).toEqual([]);
  });

  it("is split into halves, and every category with it", () => {
    for (const [category, count] of countBy(queries, ({ cat }) => cat)) {
      const dev = queries.filter(({ cat, split }) => cat === category && split === "dev").length;
      expect(Math.abs(2 * dev - count), category).toBeLessThanOrEqual(3);
    }
    const dev = queries.filter(({ split }) => split === "dev").length;
    expect(dev / queries.length).toBeGreaterThan(0.45);
    expect(dev / queries.length).toBeLessThan(0.55);
  });

  it("asks about facts that were written by hand", () => {
    const made = new Set(documents.filter((document) => document.made !== undefined).map(({ id }) => id));
    expect(queries.filter(({ rel }) => Object.keys(rel).some((id) => made.has(id)))).toEqual([]);
  });
});

describe("the set precision", () => {
  const { documents, queries } = readSet("precision");

  it("has cases enough of each kind", () => {
    const counts = countBy(queries, ({ cat }) => cat);
    expect(queries.length).toBeGreaterThanOrEqual(120);
    expect(counts.get("unanswerable")).toBeGreaterThanOrEqual(40);
    for (const cat of ["scope", "alias", "superseded", "history", "pinned", "conflict"]) {
      expect(counts.get(cat), cat).toBeGreaterThanOrEqual(10);
    }
  });

  it("gives every superseded fact a successor that is active, in the same project", () => {
    const byId = new Map(documents.map((document) => [document.id, document]));
    const old = documents.filter(({ status }) => status === "superseded");
    expect(old.length).toBeGreaterThanOrEqual(15);
    for (const { id, group, successor } of old) {
      expect(byId.get(successor ?? ""), id).toMatchObject({ group, status: "active" });
    }
    expect(documents.filter(({ status, successor }) => status === "active" && successor !== undefined)).toEqual([]);
  });

  it("asks for the old value in history cases alone", () => {
    const old = new Set(documents.filter(({ status }) => status === "superseded").map(({ id }) => id));
    const asks = queries.filter(({ rel }) => Object.keys(rel).some((id) => old.has(id)));
    expect(new Set(asks.map(({ cat }) => cat))).toEqual(new Set(["history"]));
    expect(asks).toHaveLength(queries.filter(({ cat }) => cat === "history").length);
  });

  it("forbids another project's facts in scope cases", () => {
    const groupOf = new Map(documents.map(({ id, group }) => [id, group]));
    const scope = queries.filter(({ cat }) => cat === "scope");
    for (const { id, group, forbidden = [] } of scope) {
      expect(forbidden.length, id).toBeGreaterThan(0);
      expect(
        forbidden.map((other) => groupOf.get(other)),
        id,
      ).not.toContain(group);
    }
  });
});

describe("the set symbols", () => {
  it("covers paths, columns, codes, identifiers, settings, packages, typos and fragments", () => {
    const { queries } = readSet("symbols");
    const counts = countBy(queries, ({ cat }) => cat);
    expect(queries.length).toBeGreaterThanOrEqual(80);
    for (const cat of ["path", "suffix", "column", "error", "ident", "case", "env", "package", "typo", "partial"]) {
      expect(counts.get(cat), cat).toBeGreaterThanOrEqual(6);
    }
  });
});

describe("the set languages", () => {
  it.each(LANGUAGES)("asks in %s and in English, ten times or more each", (lang) => {
    const { documents, queries } = readSet("languages");
    expect(queries.filter(({ cat }) => cat === `same-${lang}`).length).toBeGreaterThanOrEqual(10);
    expect(queries.filter(({ cat }) => cat === `en-${lang}`).length).toBeGreaterThanOrEqual(10);
    const ofLanguage = new Set(documents.filter((document) => document.lang === lang).map(({ id }) => id));
    const wanted = queries.filter(({ cat }) => cat.endsWith(`-${lang}`)).flatMap(({ rel }) => Object.keys(rel));
    expect(wanted.filter((id) => !ofLanguage.has(id))).toEqual([]);
  });
});

describe("the set triggers", () => {
  const { documents, queries } = readSet("triggers");
  const words = (text: string) => text.toLowerCase().match(/[a-z]{5,}/g) ?? [];
  const SMALL = new Set(["after", "since", "there", "where", "which", "about", "should"]);

  it("holds facts with all their fields, and asks a hundred situations or more of each kind", () => {
    expect(documents.filter(({ title, content, when_to_use }) => !(title && content && when_to_use))).toEqual([]);
    const counts = countBy(queries, ({ cat }) => cat);
    expect(counts.get("situation")).toBeGreaterThanOrEqual(100);
    expect(counts.get("disjoint")).toBeGreaterThanOrEqual(100);
  });

  it("shares no longer word between a disjoint question and its fact", () => {
    const textOf = new Map(documents.map(({ id, text }) => [id, text]));
    const shared = queries
      .filter(({ cat }) => cat === "disjoint")
      .flatMap(({ id, text, rel }) => {
        const fact = new Set(Object.keys(rel).flatMap((target) => words(textOf.get(target) ?? "")));
        return words(text)
          .filter((word) => fact.has(word) && !SMALL.has(word))
          .map((word) => `${id}: ${word}`);
      });
    expect(shared).toEqual([]);
  });

  it("copies no trigger phrase into a question", () => {
    const phrases = documents.flatMap(({ when_to_use = [] }) => when_to_use);
    expect(queries.filter(({ text }) => phrases.some((phrase) => text.toLowerCase().includes(phrase)))).toEqual([]);
  });

  it("keeps both questions about a fact in one half", () => {
    const halves = new Map<string, Set<string>>();
    for (const { rel, split } of queries) {
      for (const id of Object.keys(rel)) halves.set(id, (halves.get(id) ?? new Set()).add(split));
    }
    expect([...halves].filter(([, splits]) => splits.size > 1)).toEqual([]);
  });
});

describe("the set contradictions", () => {
  const pairs = readRows(join(DATASETS, "contradictions/pairs.jsonl"), Contradiction);

  it("holds sixty pairs or more, about half of them false alarms", () => {
    expect(pairs.length).toBeGreaterThanOrEqual(60);
    const real = pairs.filter(({ contradicts }) => contradicts).length;
    expect(Math.abs(2 * real - pairs.length)).toBeLessThanOrEqual(4);
    expect(pairs.filter(({ contradicts, kind }) => contradicts === (kind === "none"))).toEqual([]);
  });

  it("has no pair twice, and every kind in both halves", () => {
    expect(repeated(pairs.map(({ id }) => id))).toEqual([]);
    expect(repeated(pairs.map(({ file_text, memory }) => `${file_text} ${memory.content}`))).toEqual([]);
    for (const kind of new Set(pairs.map((pair) => pair.kind))) {
      const splits = pairs.filter((pair) => pair.kind === kind).map(({ split }) => split);
      expect(new Set(splits).size, kind).toBe(2);
    }
  });
});

describe("the calibration pairs", () => {
  const pairs = readRows(join(CALIBRATION, "pairs.jsonl"), CalibrationPair);

  it("are 200 paraphrases, 200 near misses, 400 unrelated and 200 answers", () => {
    expect(Object.fromEntries(countBy(pairs, ({ kind }) => kind))).toEqual({
      paraphrase: 200,
      near_miss: 200,
      unrelated: 400,
      answer: 200,
    });
    expect(repeated(pairs.map(({ id }) => id))).toEqual([]);
  });

  it("never pair a text with itself", () => {
    const same = pairs.filter((pair) => ("a" in pair ? pair.a === pair.b : pair.query === pair.memory));
    expect(same).toEqual([]);
  });

  it("share no fact with the sets that are measured on", () => {
    const measured = new Set(
      ["precision", "symbols", "languages", "triggers"].flatMap((set) =>
        readSet(set).documents.flatMap(({ text, content = text }) => [text, content]),
      ),
    );
    expect(pairs.filter((pair) => measured.has("a" in pair ? pair.a : pair.memory))).toEqual([]);
  });

  it("come with about eighty statements that any model knows, none twice", () => {
    const generic = readFileSync(join(CALIBRATION, "generic.txt"), "utf8").trimEnd().split("\n");
    expect(generic.length).toBeGreaterThanOrEqual(75);
    expect(repeated(generic)).toEqual([]);
    expect(generic.filter((line) => line.trim() === "")).toEqual([]);
  });
});
