import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { GOLDEN, isNullCase, readGolden } from "../../evals/datasets/golden.ts";
import { readTranscript } from "../../src/memory/for-ingest/read-transcript.ts";
import { buildGolden, NOTATION } from "../support/golden/build.ts";
import { parseNotation } from "../support/golden/notation.ts";

const CASES = readGolden(GOLDEN);
const named = CASES.map((one) => [one.name, one] as const);

describe("the golden set", () => {
  it("has sessions enough in each of three hosts' formats", () => {
    const count = (host: string): number => CASES.filter(({ expected }) => expected.host === host).length;
    expect(count("claude-code")).toBeGreaterThanOrEqual(12);
    expect(count("codex")).toBeGreaterThanOrEqual(7);
    expect(count("gemini")).toBeGreaterThanOrEqual(7);
  });

  it("has at least twenty-five sessions of coding, and some of each other domain under its own profile", () => {
    const count = (profile: string): number => CASES.filter(({ expected }) => expected.profile === profile).length;
    expect(count("coding")).toBeGreaterThanOrEqual(25);
    for (const other of ["data-analysis", "support", "research"]) expect(count(other), other).toBeGreaterThan(0);
  });

  it("holds about a third apart", () => {
    const held = CASES.filter(({ expected }) => expected.split === "held").length;
    expect(held / CASES.length).toBeGreaterThan(0.3);
    expect(held / CASES.length).toBeLessThan(0.4);
  });

  it("has at least four sessions with nothing worth keeping", () => {
    expect(CASES.filter(isNullCase).length).toBeGreaterThanOrEqual(4);
  });

  it.each(named)("%s: its transcript is as its notation says", (name, { folder, isGenerated }) => {
    const built = buildGolden(folder, name);
    expect(built.isGenerated).toBe(isGenerated);
    for (const [path, text] of built.files) {
      const file = join(folder, path);
      if (isGenerated) expect(existsSync(file)).toBe(false);
      else expect(readFileSync(file, "utf8") === text, path).toBe(true);
    }
  });

  it.each(named)("%s: says when it grew, where it did", (name, { folder, expected }) => {
    expect(expected.grows?.lines).toBe(buildGolden(folder, name).firstLines);
  });

  it.each(named)("%s: its parts refer to what is there", (_, { expected }) => {
    const names = new Set(CASES.map(({ name }) => name));
    expect((expected.after ?? []).filter((name) => !names.has(name))).toEqual([]);
    const seeds = (expected.lifecycle?.seed ?? []).map(({ id }) => id);
    expect((expected.lifecycle?.expect ?? []).map(({ seed }) => seed).sort()).toEqual([...seeds].sort());
    const ids = [...expected.mustHave, ...expected.mayHave].map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  const written = CASES.filter(({ isGenerated }) => !isGenerated).map((one) => [one.name, one] as const);

  it.each(written)("%s: is recognised and read as its host's", async (_, { folder, expected }) => {
    const suffix = existsSync(join(folder, "session.json")) ? "json" : "jsonl";
    const session = await readTranscript(undefined, join(folder, `session.${suffix}`));
    const typed = parseNotation(readFileSync(join(folder, NOTATION), "utf8")).steps.filter(
      ({ kind }) => kind === "user",
    );
    expect(session.host).toBe(expected.host);
    expect(session.report.unparsable).toBe(0);
    const human = session.turns.filter(({ kind }) => kind === "human").map(({ text }) => text);
    const told = typed.map(({ body }) => body.split(/[\n<]/)[0]?.trim() ?? "");
    expect(human.length).toBeGreaterThanOrEqual(typed.length);
    expect(told.filter((line) => !human.some((text) => text.includes(line)))).toEqual([]);
  });

  it("builds long sessions of the sizes that they are named after", () => {
    const sizeOf = (name: string): number =>
      [...buildGolden(join(GOLDEN, name), name).files.values()].reduce((sum, text) => sum + text.length, 0);
    expect(sizeOf("ledger-long-5m")).toBeGreaterThan(5_000_000);
    expect(sizeOf("porter-long-800k")).toBeGreaterThan(800_000);
    expect(sizeOf("ledger-long-90k")).toBeGreaterThan(90_000);
    expect(sizeOf("ledger-giant-paste")).toBeGreaterThan(120_000);
  });
});
