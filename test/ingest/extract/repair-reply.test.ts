import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { listIn, readReply } from "../../../src/ingest/extract/repair-reply.ts";
import { looksLikeFact, readFactItems } from "../../../src/ingest/extract/reply/fact-item.ts";

const FOLDER = join(import.meta.dirname, "../../fixtures/replies");
const textOf = (name: string) => readFileSync(join(FOLDER, `${name}.txt`), "utf8");
const whole = (text: string) => readReply({ text, truncated: false });

/** Reply, its class, items in it, items that are valid. */
const EXTRACTION: readonly (readonly [name: string, replyClass: string, items?: number, valid?: number])[] = [
  ["valid-one", "json", 1, 1],
  ["valid-two", "json", 2, 2],
  ["valid-empty", "json", 0, 0],
  ["valid-compact", "json", 1, 1],
  ["fenced-json", "json", 1, 1],
  ["fenced-plain", "json", 1, 1],
  ["fence-never-closed", "json", 1, 1],
  ["reasoning-tags", "json", 1, 1],
  ["reasoning-end-only", "json", 1, 1],
  ["prose-before", "json", 1, 1],
  ["prose-after", "json", 1, 1],
  ["prose-around", "json", 2, 2],
  ["bare-array", "json", 2, 2],
  ["single-object", "json", 1, 1],
  ["nested-wrapper", "json", 1, 1],
  ["double-wrapper", "json", 1, 1],
  ["other-key", "json", 1, 1],
  ["object-by-number", "json", 1, 1],
  ["trailing-comma", "json", 1, 1],
  ["single-quotes", "json", 1, 1],
  ["bare-keys", "json", 1, 1],
  ["comments", "json", 1, 1],
  ["string-json", "json", 1, 1],
  ["duplicate-keys", "json", 1, 1],
  ["numbers-as-strings", "json", 1, 1],
  ["percent-confidence", "json", 2, 2],
  ["string-for-list", "json", 1, 1],
  ["type-aliases", "json", 3, 3],
  ["unknown-type", "json", 2, 1],
  ["unknown-source", "json", 1, 1],
  ["twenty-five-facts", "json", 25, 25],
  ["null-fields", "json", 4, 1],
  ["missing-fields", "json", 1, 0],
  ["extra-fields", "json", 1, 1],
  ["wrong-language", "json", 1, 1],
  ["invented-turns", "json", 1, 1],
  ["negative-turn", "json", 1, 0],
  ["no-evidence", "json", 1, 0],
  ["array-of-strings", "json", 2, 0],
  ["refusal-in-field", "json", 2, 1],
  ["meta-in-field", "json", 2, 1],
  ["proto-key", "json", 1, 1],
  ["rtl-and-zero-width", "json", 1, 1],
  ["lone-surrogates", "json", 1, 1],
  ["nul-characters", "json", 1, 1],
  ["closing-tag-echo", "json", 1, 1],
  ["truncated-mid-item", "truncated", 2],
  ["truncated-mid-string", "truncated", 2],
  ["truncated-after-comma", "truncated", 2],
  ["truncated-first-item", "truncated", 1],
  ["unbalanced-brackets", "truncated", 1, 0],
  ["empty", "empty"],
  ["whitespace", "empty"],
  ["refusal", "refusal"],
  ["refusal-as-ai", "refusal"],
  ["refusal-with-empty-object", "refusal"],
  ["nothing-to-record", "nothing"],
  ["nothing-short", "nothing"],
  ["no-facts-prose", "nothing"],
  ["context-length", "too_long"],
  ["prompt-too-long", "too_long"],
  ["html-error", "prose"],
  ["prose-only", "prose"],
  ["number-json", "prose"],
  ["null-json", "prose"],
  ["string-scalar", "prose"],
];

describe("readReply over the corpus", () => {
  it("has at least forty replies", () => {
    expect(readdirSync(FOLDER).length).toBeGreaterThanOrEqual(40);
  });

  const cases = EXTRACTION.map(([name, replyClass, items, valid]) => ({ name, replyClass, items, valid }));

  it.each(cases)("reads $name as $replyClass", ({ name, replyClass, items, valid }) => {
    const read = whole(textOf(name));
    expect(read.class).toBe(replyClass);
    const list = read.value === undefined ? undefined : listIn(read.value, "facts", looksLikeFact);
    expect(list?.length).toBe(items);
    if (valid !== undefined) expect(readFactItems(list ?? []).valid).toHaveLength(valid);
  });

  it("reads every decision reply as JSON with its list", () => {
    const names = readdirSync(FOLDER).filter((name) => name.startsWith("decision-"));
    expect(names.length).toBeGreaterThanOrEqual(15);
    for (const name of names) {
      const read = whole(readFileSync(join(FOLDER, name), "utf8"));
      expect(listIn(read.value, "decisions", () => false)).toBeInstanceOf(Array);
    }
  });

  it("reads the complete items of a reply that was cut off, and the cut one as its last", () => {
    const cut = textOf("truncated-mid-item");
    const items = listIn(whole(cut).value, "facts", looksLikeFact) ?? [];
    expect(readFactItems(items.slice(0, -1)).valid[0]?.title).toBe("Gauge readings repeat when the clock is set back");
  });

  it("F4: takes 'nothing to record' for an empty answer and 'prompt is too long' for the complaint that it is", () => {
    expect(whole(textOf("nothing-to-record")).class).toBe("nothing");
    expect(whole(textOf("prompt-too-long")).class).toBe("too_long");
  });

  it("F5: never lets a refusal through as a field of a fact", () => {
    const items = listIn(whole(textOf("refusal-in-field")).value, "facts", looksLikeFact) ?? [];
    const { valid, problems } = readFactItems(items);
    expect(valid.map(({ type }) => type)).toEqual(["preference"]);
    expect(problems.join()).toContain("speaks about the task");
  });

  it("makes invisible characters, NUL and lone surrogates harmless", () => {
    for (const name of ["rtl-and-zero-width", "lone-surrogates", "nul-characters"]) {
      const [fact] = readFactItems(listIn(whole(textOf(name)).value, "facts", looksLikeFact) ?? []).valid;
      const text = `${fact?.title}${fact?.content}`;
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they must be gone
      expect(text).not.toMatch(/[\u0000\u200b\u202e\u2060\u00ad]|\p{Cs}/u);
      expect(text).toContain("local");
    }
  });

  it("refuses a field that is a text of its own, keeps its neighbours", () => {
    const item = JSON.parse(textOf("valid-one")).facts[0];
    const { valid, invalid } = readFactItems([{ ...item, title: "x".repeat(60_000) }, item]);
    expect([valid.length, invalid]).toEqual([1, 1]);
  });

  it("reads two megabytes, and a nesting of a hundred thousand levels, without harm", () => {
    const item = JSON.parse(textOf("valid-one")).facts[0];
    const long = JSON.stringify({ facts: Array.from({ length: 3_500 }, () => item) });
    expect(long.length).toBeGreaterThan(2_000_000);
    expect(whole(long)).toMatchObject({ class: "truncated" });
    expect(whole("[".repeat(100_000)).class).toBe("truncated");
    expect(whole(`{"facts":${'{"a":'.repeat(100_000)}`).value).toBeUndefined();
  });
});

describe("readReply (property 8)", () => {
  it("is total on arbitrary strings, and never calls a refusal or prose JSON", () => {
    void fc.assert(
      fc.property(fc.oneof(fc.string(), fc.string({ unit: "binary" }), fc.json()), fc.boolean(), (text, truncated) => {
        const read = readReply({ text, truncated });
        const items = read.value === undefined ? [] : (listIn(read.value, "facts", looksLikeFact) ?? []);
        readFactItems(items);
        if (read.class === "json") expect(typeof read.value).toBe("object");
      }),
      { numRuns: 500 },
    );
  });

  it("is total on mutilated valid replies, and what it calls valid is complete", () => {
    const base = textOf("valid-two");
    void fc.assert(
      fc.property(fc.nat(base.length), fc.nat(40), fc.string({ maxLength: 8 }), (at, length, put) => {
        const read = whole(base.slice(0, at) + put + base.slice(at + length));
        const items = read.value === undefined ? [] : (listIn(read.value, "facts", looksLikeFact) ?? []);
        for (const fact of readFactItems(items).valid) {
          expect(fact.title).not.toBe("");
          expect(fact.evidence.length).toBeGreaterThan(0);
          expect(fact.confidence).toBeGreaterThanOrEqual(0);
          expect(fact.confidence).toBeLessThanOrEqual(1);
        }
      }),
      { numRuns: 500 },
    );
  });
});
