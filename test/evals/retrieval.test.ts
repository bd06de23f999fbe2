/** The retrieval eval takes any folder of sets in the kit's format, asks through the doors, and says what was odd. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readSet } from "../../evals/datasets/eval-set.ts";
import { runRetrieval } from "../../evals/systems/run-retrieval.ts";
import { type Embedder, settingsFor } from "../../src/internals.ts";
import { hashEmbedder } from "../support/hash-embedder.ts";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "arcticmem-sets-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

type Row = Readonly<Record<string, unknown>>;

function lines(name: string, file: string, rows: readonly (Row | string)[]): void {
  mkdirSync(join(folder, "data", name), { recursive: true });
  const text = rows.map((row) => (typeof row === "string" ? row : JSON.stringify(row))).join("\n");
  writeFileSync(join(folder, "data", name, file), `${text}\n`);
}

function set(name: string, documents: readonly (Row | string)[], queries: readonly (Row | string)[]): void {
  lines(name, "corpus.jsonl", documents);
  lines(name, "queries.jsonl", queries);
}

interface Run {
  readonly code: number;
  readonly report: string;
  readonly told: string;
}

async function run(...args: readonly string[]): Promise<Run> {
  const printed: string[] = [];
  const told: string[] = [];
  const places = ["--data", join(folder, "data"), "--out", join(folder, "out"), "--json", join(folder, "all.json")];
  const code = await runRetrieval([...places, "--embedder", "none", ...args], {
    print: (text) => printed.push(text),
    tell: (line) => told.push(line),
  });
  return { code, report: printed.join("\n"), told: told.join("\n") };
}

function ranked(name: string): Map<unknown, string[]> {
  const text = readFileSync(join(folder, "out", `${name}.run.jsonl`), "utf8").trimEnd();
  const rows = text === "" ? [] : text.split("\n").map((line) => JSON.parse(line));
  return new Map(rows.map((row) => [row.id, row.ranked]));
}

const json = () => JSON.parse(readFileSync(join(folder, "all.json"), "utf8"));

const BIRDS = [
  { id: "a", text: "The pangolin job runs at night, after the backup." },
  { id: "b", text: "The armadillo service listens on port 8081." },
  { id: "c", text: "Releases of the heron client are signed by Mara." },
];
const asks = (id: unknown, text: string, rel: Row): Row => ({ id, text, rel, cat: "x" });

describe("a run of the retrieval eval", () => {
  it("asks pieces of files in their own group, and leaves out what a query excludes", async () => {
    set(
      "talks",
      [
        { id: "t1/D1:1", group: "t1", text: "Ana: the zebra crossing is closed." },
        { id: "t1/D1:2", group: "t1", text: "Ben: then the zebra waits." },
        { id: "t2/D1:1", group: "t2", text: "Cleo: our zebra has stripes." },
      ],
      [
        { ...asks("q1", "Who spoke of the zebra crossing?", { "t1/D1:1": 1 }), group: "t1" },
        { ...asks("q2", "Who spoke of the zebra crossing?", { "t1/D1:2": 1 }), group: "t1", exclude: "t1/D1:1" },
        { ...asks("q3", "zebra stripes", { "t2/D1:1": 1 }), group: "t2" },
        { ...asks("q4", "zebra", { "t9/D1:1": 1 }), group: "t9" },
      ],
    );
    const { code, told, report } = await run();
    expect(code).toBe(0);
    expect(told).toMatch(/1 queries are of a group without documents/);
    expect(ranked("talks").get("q1")?.[0]).toBe("t1/D1:1");
    expect(ranked("talks").get("q2")).not.toContain("t1/D1:1");
    expect(ranked("talks").get("q3")).toEqual(["t2/D1:1"]);
    expect(ranked("talks").get("q4")).toEqual([]);
    expect(report).toMatch(/\| ArcticMem \|/);
    expect(json()).toMatchObject({ seed: 12_345, embedder: "none", commit: expect.any(String) });
  });

  it("loads facts by their status: what was superseded answers only a question about the past, below its successor", async () => {
    set(
      "facts",
      [
        { id: "old", text: "The otter service used MySQL as its database.", status: "superseded", successor: "new" },
        { id: "new", text: "The otter service uses PostgreSQL as its database.", status: "active" },
        { id: "lost", text: "The otter service had a queue on Kafka.", status: "outdated" },
        { id: "odd", text: "The otter queue is RabbitMQ.", status: "shiny" },
        { id: "gone", text: "The otter queue was never there.", status: "forgotten" },
        { id: "loop", text: "The badger loops.", status: "superseded", successor: "loop" },
      ],
      [
        asks("now", "which database does the otter service use", { new: 1 }),
        asks("past", "which database did the otter service use before", { old: 1 }),
        asks("queue", "otter queue", { odd: 1 }),
      ],
    );
    const { code, told } = await run();
    expect(code).toBe(0);
    expect(told).toMatch(/The status "shiny" is taken as active/);
    expect(told).toMatch(/6 documents as facts/);
    expect(ranked("facts").get("now")).toContain("new");
    expect(ranked("facts").get("now")).not.toContain("old");
    const past = ranked("facts").get("past") ?? [];
    expect(past.indexOf("new")).toBeLessThan(past.indexOf("old"));
    expect(past.indexOf("old")).toBeGreaterThan(-1);
    expect(ranked("facts").get("queue")).toEqual(["odd"]);
    expect(json().folders[0].sets[0].answers[0]).toMatchObject({ part: "all", outdatedFirst: [] });
  });

  it("takes documents of any kind: without group or text, doubled, huge, with odd ids, asked for by number", async () => {
    const long = `${"Filler about nothing at all. ".repeat(4_000)} The walrus password rotates on Fridays.`;
    set(
      "odd",
      [
        ...BIRDS,
        { id: "a/☃ \u0000 :x", text: "The ibis cache is warmed by hand.", group: null },
        { id: "copy", text: BIRDS[0]?.text },
        { id: "a", text: "A second document of the same id about the lynx." },
        { id: "empty", text: "" },
        { id: "none" },
        { id: "long", text: long },
        { id: 7, title: "The stork runs on ARM", content: "Its images are built for arm64 only." },
      ],
      [
        asks(1, "who signs the heron client", { c: 1 }),
        asks("ibis", "how is the ibis cache warmed", { "a/☃ \u0000 :x": 1 }),
        asks("lynx", "lynx", { a: 1 }),
        asks("walrus", "when does the walrus password rotate", { long: 1 }),
        asks("seven", "stork images arm64", { 7: 1 }),
        asks("nothing", "zzz qqq", {}),
        { id: "bare", text: "" },
      ],
    );
    const { code, told } = await run("--facts", "odd");
    expect(code).toBe(0);
    expect(told).toMatch(/2 documents are empty/);
    expect(told).toMatch(/1 ids of documents stand twice/);
    expect(ranked("odd").get(1)?.[0]).toBe("c");
    expect(ranked("odd").get("ibis")?.[0]).toBe("a/☃ \u0000 :x");
    expect(ranked("odd").get("lynx")?.[0]).toBe("a");
    expect(ranked("odd").get("walrus")?.[0]).toBe("long");
    expect(ranked("odd").get("seven")?.[0]).toBe("7");
    expect(ranked("odd").get("nothing")).toEqual([]);
    expect(ranked("odd").get("bare")).toEqual([]);
    expect(json().folders[0].sets[0].remarks.join()).toMatch(/documents are not kept/);
    expect((await run()).code).toBe(0);
    expect(ranked("odd").get("walrus")?.[0]).toBe("long");
  });

  it("says what it can't measure, and measures the rest", async () => {
    set("good", BIRDS, [asks("q", "heron client", { c: 1 })]);
    set("broken", BIRDS, ["{not json"]);
    lines("half", "corpus.jsonl", BIRDS);
    const { code, told } = await run();
    expect(code).toBe(1);
    expect(told).toMatch(/half is left out: it has no queries.jsonl/);
    expect(told).toMatch(/broken is not measured: .*queries.jsonl, line 1 is no JSON/);
    expect(ranked("good").get("q")?.[0]).toBe("c");
  });

  it("refuses a name that is not there with the names that are, and a folder that is not there", async () => {
    set("good", BIRDS, [asks("q", "heron client", { c: 1 })]);
    expect(await run("--set", "goood")).toMatchObject({
      code: 2,
      told: expect.stringMatching(/goood.*There are: good/),
    });
    expect(await run("--facts", "bad")).toMatchObject({ code: 2, told: expect.stringMatching(/There are: good/) });
    expect(await run("--fusion", "magic")).toMatchObject({ code: 2, told: expect.stringMatching(/min-max and rrf/) });
    expect(await run("--wrong")).toMatchObject({ code: 2, told: expect.stringMatching(/usage/) });
    const missing = join(folder, "nowhere");
    expect(await run("--data", missing)).toMatchObject({ code: 1, told: `There is no folder ${missing}.` });
    rmSync(join(folder, "data", "good"), { recursive: true });
    expect(await run()).toMatchObject({ code: 1, told: expect.stringMatching(/There is no set in/) });
  });
});

describe("ablations", () => {
  it("change what they say, and leave the store as it was", async () => {
    const documents = [
      { id: "old", text: "The otter service keeps data in MySQL.", status: "superseded", successor: "new" },
      { id: "new", text: "The otter service keeps data in PostgreSQL.", status: "active" },
      {
        id: "when",
        text: "Rebuild the index.",
        title: "Rebuild the index",
        when_to_use: ["a lookup is slow", "results are missing"],
        status: "active",
        pinned: true,
      },
    ];
    const queries = [
      asks("q", "a lookup is slow", { when: 1 }),
      asks("p", "where did the otter service keep data before, MySQL or what", { old: 1 }),
    ];
    set("facts", documents, queries);
    const { measureSet } = await import("../../evals/systems/measure-set.ts");
    const embedder = hashEmbedder();
    const settings = settingsFor(embedder.fingerprint);
    const shared = { embedder, asFacts: true, settings, isShipped: true, tell: () => {} };
    const result = await measureSet(readSet(join(folder, "data"), "facts"), { ...shared, ablate: true });
    const answersOf = (name: string) => {
      const system = result.results.find((one) => one.system === name);
      if (system === undefined) throw new Error(`no ${name}`);
      return new Map([...system.ranked].map(([query, ids]) => [query.id, ids]));
    };
    expect(result.results.map(({ system }) => system)).toEqual(
      expect.arrayContaining(["without successors", "ArcticMem"]),
    );
    const shipped = answersOf("ArcticMem").get("p") ?? [];
    expect(shipped.indexOf("new")).toBeLessThan(shipped.indexOf("old"));
    const unordered = answersOf("without successors").get("p") ?? [];
    expect(unordered.indexOf("old")).toBeLessThan(unordered.indexOf("new"));
    expect(answersOf("trigger: title, situations and joined text separate").get("q")?.[0]).toBe("when");
    expect(result.remarks).toEqual([]);
  });

  it("make vectors anew for what a rule leaves out", async () => {
    const pieces = ["one", "two", "three"].map((word, at) => ({ id: `t:${at + 1}`, text: `The ${word} zebra waits.` }));
    set("talks", pieces, [asks("q", "two zebra", { "t:2": 1 })]);
    const { loadSet } = await import("../../evals/systems/arcticmem.ts");
    const { serveOtherVectors, VECTOR_RULES } = await import("../../evals/systems/vector-rules.ts");
    const embedder = hashEmbedder();
    const loaded = await loadSet(readSet(join(folder, "data"), "talks"), { embedder, asFacts: false });
    const scoreOf = async (asked: Embedder) => {
      const { answer } = await loaded.ask({ text: "two zebra", group: "all" }, { embedder: asked, explain: true });
      const arm = answer.hits[0]?.explanation?.arms.find((one) => one.arm === "body");
      return arm?.score ?? 0;
    };
    const rule = VECTOR_RULES.find(({ name }) => /neighbours/.test(name));
    if (rule === undefined) throw new Error("no rule");
    const shaded = await scoreOf(embedder);
    const others = await serveOtherVectors(loaded.store, embedder, rule);
    expect(await scoreOf(others.embedder)).toBeGreaterThan(shaded);
    await others.restore();
    expect(await scoreOf(embedder)).toBeCloseTo(shaded, 5);
    await loaded.close();
  });
});
