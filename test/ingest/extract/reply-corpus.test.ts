/** Every reply of the corpus through a whole run: how the run ends, what of the reply is stored, which rules refused the rest. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { buildSession, edits, human, runs, says } from "../../support/build-session.ts";
import { modelOf } from "../../support/corrected-session.ts";
import { ingestHarness } from "../../support/ingest-harness.ts";

const FOLDER = join(import.meta.dirname, "../../fixtures/replies");
const textOf = (name: string) => readFileSync(join(FOLDER, `${name}.txt`), "utf8");
const NUMBERS = Array.from({ length: 25 }, (_, at) => `gauge ${at}: ok`).join("\n");

/** What the true facts of the corpus speak of, in the turns that they cite. */
const SESSION = buildSession([
  /* 0 */ human("Find out why readings of the repeated hour are lost in autumn, and fix it."),
  /* 1, 2 */ runs("npx vitest run window.test.ts", "AssertionError: expected 11 to be 12", { status: "error" }),
  /* 3 */ human("You must always compare in UTC."),
  /* 4, 5 */ edits("src/window.ts"),
  /* 6, 7 */ runs("npx vitest run window.test.ts", `Tests 41 passed\n${NUMBERS}`),
  /* 8, 9 */ runs("git diff --stat", "src/window.ts | 4 ++--"),
  /* 10, 11 */ runs("npm run build", "done"),
  /* 12 */ says("The importer compares local time, not UTC, when the clock is set back; window.test.ts shows it."),
  /* 13 */ human("Perfect, thanks."),
]);

/** How the run ends, how many facts of the reply are stored, rules that refused others. */
type Ending = readonly [kind: string, stored: number, ...rules: string[]];
const ONE: Ending = ["facts", 1];
const BOTH: Ending = ["facts", 2];
const NOTHING: Ending = ["no_facts", 0];
const FAILED: Ending = ["failed", 0];
const UNGROUNDED: Ending = ["no_facts", 0, "R-ungrounded"];

const ENDINGS: Readonly<Record<string, Ending>> = {
  "valid-one": ONE,
  "valid-two": BOTH,
  "valid-compact": ONE,
  "valid-empty": NOTHING,
  "fenced-json": ONE,
  "fenced-plain": ONE,
  "fence-never-closed": ONE,
  "reasoning-tags": ONE,
  "reasoning-end-only": ONE,
  "prose-before": ONE,
  "prose-after": ONE,
  "prose-around": BOTH,
  "bare-array": BOTH,
  "single-object": ONE,
  "nested-wrapper": ONE,
  "double-wrapper": ONE,
  "other-key": ONE,
  "object-by-number": ONE,
  "two-objects": BOTH,
  "trailing-comma": ONE,
  "single-quotes": ONE,
  "bare-keys": ["no_facts", 0, "R7"],
  comments: ONE,
  "string-json": ONE,
  "duplicate-keys": ONE,
  "proto-key": ONE,
  "numbers-as-strings": ONE,
  "percent-confidence": ["facts", 1, "R8"],
  "string-for-list": ONE,
  "type-aliases": ["facts", 1, "R8"],
  "unknown-type": ONE,
  "unknown-source": ONE,
  "extra-fields": ONE,
  "null-fields": ONE,
  "missing-fields": FAILED,
  "no-evidence": FAILED,
  "negative-turn": FAILED,
  "array-of-strings": FAILED,
  "twenty-five-facts": ["facts", 10, "R12"],
  "wrong-language": ONE,
  "invented-turns": UNGROUNDED,
  "invented-quote": UNGROUNDED,
  "injection-echo": UNGROUNDED,
  "closing-tag-echo": ONE,
  "secret-in-output": ["no_facts", 0, "R4"],
  "refusal-in-field": ONE,
  "meta-in-field": ONE,
  "rtl-and-zero-width": ONE,
  "lone-surrogates": ["no_facts", 0, "R7"],
  "nul-characters": ["no_facts", 0, "R7"],
  "truncated-mid-item": ONE,
  "truncated-mid-string": ONE,
  "truncated-after-comma": ONE,
  "truncated-first-item": FAILED,
  "unbalanced-brackets": FAILED,
  empty: FAILED,
  whitespace: FAILED,
  refusal: FAILED,
  "refusal-as-ai": FAILED,
  "refusal-with-empty-object": FAILED,
  "nothing-to-record": NOTHING,
  "nothing-short": NOTHING,
  "no-facts-prose": NOTHING,
  "context-length": FAILED,
  "prompt-too-long": FAILED,
  "html-error": FAILED,
  "prose-only": FAILED,
  "number-json": FAILED,
  "null-json": FAILED,
  "string-scalar": FAILED,
};

async function endingOf(reply: string): Promise<Ending> {
  const harness = await ingestHarness({ model: modelOf({ extract: reply, repair: "I have nothing better." }) });
  const { report, waiting } = await harness.ingest(SESSION);
  const { result, rejections } = waiting ?? report;
  const memories = await harness.memories();
  const stored = memories.filter(({ provenance }) => provenance.every((one) => !one.extractor.startsWith("rules/")));
  return [result.kind, stored.length, ...[...new Set(rejections.map(({ rule }) => rule))].sort()];
}

describe("a run over the corpus of replies", () => {
  it("has an ending for every reply to an extraction, and at least forty of them", () => {
    const names = readdirSync(FOLDER).map((file) => file.replace(/\.txt$/, ""));
    expect(Object.keys(ENDINGS).sort()).toEqual(names.filter((name) => !name.startsWith("decision-")).sort());
    expect(names.length).toBeGreaterThanOrEqual(40);
  });

  it.each(Object.entries(ENDINGS))("ends as it has to with %s", async (name, ending) => {
    expect(await endingOf(textOf(name))).toEqual(ending);
  });

  it("stores nothing of a title of sixty kilobytes, of a reply of two megabytes, of a hundred thousand levels", async () => {
    const [fact] = JSON.parse(textOf("valid-one")).facts;
    expect(await endingOf(JSON.stringify({ facts: [{ ...fact, title: "x".repeat(60_000) }] }))).toEqual(FAILED);
    const long = JSON.stringify({ facts: Array.from({ length: 3_500 }, () => fact) });
    expect(long.length).toBeGreaterThan(2_000_000);
    const [, stored] = await endingOf(long);
    expect(stored).toBeLessThanOrEqual(1);
    expect(await endingOf(`{"facts":${'{"a":'.repeat(100_000)}`)).toEqual(FAILED);
  });
});
