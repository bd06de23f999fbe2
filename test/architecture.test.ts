import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { describe, expect, it } from "vitest";

const ROOT = resolve(import.meta.dirname, "..");

/** Who may import whom, besides itself. `types`: only `import type`. */
interface Rule {
  readonly may: readonly string[];
  readonly types?: readonly string[];
}

const BELOW_THE_DOORS = [
  "config",
  "files",
  "hosts",
  "ingest",
  "keep",
  "kernel",
  "models",
  "project",
  "retrieve",
  "store",
  "text",
  "transfer",
];

const RULES: Readonly<Record<string, Rule>> = {
  core: { may: [] },
  text: { may: ["core"] },
  kernel: { may: ["core"] },
  project: { may: ["core"] },
  config: { may: ["core", "text"] },
  hosts: { may: ["core", "text"], types: ["models"] },
  models: { may: ["core", "text", "kernel"] },
  store: { may: ["core", "text", "kernel"] },
  ingest: { may: ["core", "text"], types: ["models", "store", "hosts"] },
  keep: { may: ["core", "text"], types: ["models", "store", "hosts"] },
  transfer: { may: ["core", "text"], types: ["models", "store", "hosts"] },
  files: { may: ["core", "text"], types: ["models", "store"] },
  retrieve: { may: ["core", "text"], types: ["models", "store"] },
  memory: { may: ["core", ...BELOW_THE_DOORS] },
  mcp: { may: ["core", "memory"] },
  web: { may: ["core", "memory"] },
  hooks: { may: ["core", "memory", "hosts", "project"] },
  cli: { may: ["core", "config", "hosts", "memory", "mcp", "hooks", "web"] },
  index: { may: ["core", "config", "memory"], types: ["models", "store", "hosts"] },
  internals: { may: ["core", "memory", ...BELOW_THE_DOORS] },
};

/** Where `import()` stands: what may be absent, what is heavy and seldom needed, and the commands. */
const DYNAMIC_IMPORTS =
  /^src\/(?:memory\.ts|memory\/.+|cli\/(?:main|command-table)\.ts|hooks\/run-hook\.ts|mcp\/server\.ts|models\/adapters\/.+|store\/sqlite\/.+|text\/redact\.ts)$/;

const MOST_FILES_IN_FOLDER = 14;
const ANY_NUMBER_OF_FILES = /(?:^|\/)(?:commands|migrations)$/;
const MOST_LINES = 43_000;
const MOST_DEPENDENCIES = 20;

interface Import {
  readonly from: string;
  readonly specifier: string;
  readonly kind: "value" | "type" | "dynamic";
}

const STATIC = /^(?:import|export)\s+(?:(type)\s)?(?:[^"';]*?\sfrom\s+)?"([^"]+)"/gm;
const DYNAMIC = /\bimport\("([^"]+)"\)/g;

function filesBelow(folder: string): string[] {
  const entries = readdirSync(join(ROOT, folder), { withFileTypes: true, recursive: true });
  return entries
    .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)))
    .toSorted();
}

function importsOf(file: string): Import[] {
  const text = readFileSync(join(ROOT, file), "utf8");
  const fixed = [...text.matchAll(STATIC)].map(
    ([, type, specifier = ""]): Import => ({ from: file, specifier, kind: type === undefined ? "value" : "type" }),
  );
  return [
    ...fixed,
    ...[...text.matchAll(DYNAMIC)].map(([, specifier = ""]): Import => ({ from: file, specifier, kind: "dynamic" })),
  ];
}

/** `src/store/sqlite/x.ts` belongs to `store`, `src/memory.ts` to `memory`. */
function partOf(file: string): string {
  return file.replace(/^src\//, "").replace(/(?:\/.*|\.ts)$/, "");
}

function targetOf({ from, specifier }: Import): string | undefined {
  return specifier.startsWith(".") ? relative(ROOT, resolve(ROOT, dirname(from), specifier)) : undefined;
}

function isAllowed(one: Import): boolean {
  const target = targetOf(one);
  if (target === undefined || !target.startsWith("src/")) return true;
  const [from, into] = [partOf(one.from), partOf(target)];
  const rule = RULES[from];
  if (from === into || rule?.may.includes(into) === true) return true;
  return one.kind === "type" && rule?.types?.includes(into) === true;
}

/** Everything that is loaded with a file: its static imports, and theirs. Dynamic ones of the entry count, as it awaits them. */
function graphOf(entry: string): Import[] {
  const seen = new Set<string>();
  const found: Import[] = [];
  const visit = (file: string): void => {
    if (seen.has(file)) return;
    seen.add(file);
    for (const one of importsOf(file)) {
      if (one.kind === "type" || (one.kind === "dynamic" && file !== entry)) continue;
      found.push(one);
      const target = targetOf(one);
      if (target?.endsWith(".ts") === true) visit(target);
    }
  };
  visit(entry);
  return found;
}

const SOURCES = filesBelow("src");
const IMPORTS = SOURCES.flatMap(importsOf);
const shown = ({ from, specifier }: Import): string => `${from} → ${specifier}`;

describe("the house", () => {
  it("has a rule for every part", () => {
    expect(SOURCES.map(partOf).filter((part) => RULES[part] === undefined)).toEqual([]);
  });

  it("lets each part import only what its rule names", () => {
    expect(IMPORTS.filter((one) => !isAllowed(one)).map(shown)).toEqual([]);
  });

  it("keeps packages out of the nouns", () => {
    const packages = IMPORTS.filter(
      ({ from, specifier }) => partOf(from) === "core" && !/^(?:\.|node:)/.test(specifier),
    );
    expect(packages.map(shown)).toEqual([]);
  });

  it("imports dynamically only where the house says so", () => {
    const elsewhere = IMPORTS.filter(({ kind, from }) => kind === "dynamic" && !DYNAMIC_IMPORTS.test(from));
    expect(elsewhere.map(shown)).toEqual([]);
  });

  it("loads nothing but Node with a hook", () => {
    const graph = graphOf("src/hooks/run-hook.ts");
    expect(graph.length).toBeGreaterThan(10);
    expect(graph.filter(({ specifier }) => !/^(?:\.|node:)/.test(specifier)).map(shown)).toEqual([]);
  });

  it("loads nothing but Node with the server, before its first answers", () => {
    const graph = graphOf("src/mcp/server.ts").filter(({ kind }) => kind === "value");
    const first = graph.filter(({ from }) => from !== "src/mcp/sdk-server.ts");
    expect(first.filter(({ specifier }) => !/^(?:\.|node:)/.test(specifier)).map(shown)).toEqual([]);
  });

  it("measures from outside: evals and bench import the index, and the internals for measuring, alone", () => {
    const outside = ["evals", "bench"].filter((folder) => readdirSync(ROOT).includes(folder)).flatMap(filesBelow);
    const inner = outside.flatMap(importsOf).filter((one) => {
      const target = targetOf(one);
      return target?.startsWith("src/") === true && target !== "src/index.ts" && target !== "src/internals.ts";
    });
    expect(inner.map(shown)).toEqual([]);
  });

  it("tells at the head of every file why it exists", () => {
    const silent = SOURCES.filter((file) => !/^(?:#!.*\n)?\/\*\*/.test(readFileSync(join(ROOT, file), "utf8")));
    expect(silent).toEqual([]);
  });

  it("keeps folders small enough to be read at a glance", () => {
    const folders = [...new Set(SOURCES.map(dirname))].filter((folder) => !ANY_NUMBER_OF_FILES.test(folder));
    const counts = folders.map((folder) => ({
      folder,
      files: SOURCES.filter((file) => dirname(file) === folder).length,
    }));
    expect(counts.filter(({ files }) => files > MOST_FILES_IN_FOLDER)).toEqual([]);
  });

  it("stays a house, not a city", () => {
    const lines = SOURCES.reduce((sum, file) => sum + readFileSync(join(ROOT, file), "utf8").split("\n").length, 0);
    const { dependencies } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { dependencies: object };
    expect(lines).toBeLessThanOrEqual(MOST_LINES);
    expect(Object.keys(dependencies).length).toBeLessThanOrEqual(MOST_DEPENDENCIES);
  });
});
