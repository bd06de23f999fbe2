import { afterEach, describe, expect, it } from "vitest";
import type { WorkFacets } from "../../src/core/facets.ts";
import { projectId } from "../../src/core/ids.ts";
import type { MemoryRecord, Provenance } from "../../src/core/memory-record.ts";
import { estimateTokens } from "../../src/core/tokens.ts";
import {
  composeSessionStart,
  type SessionStartDeps,
  type SessionStartRequest,
} from "../../src/retrieve/session-start.ts";
import { type RetrievalSettings, settingsFor } from "../../src/retrieve/settings.ts";
import type { Store } from "../../src/store/store.ts";
import { filledStore, type StoreContents } from "../support/filled-store.ts";
import { hashEmbedder } from "../support/hash-embedder.ts";
import { NO_FACETS } from "../support/no-facets.ts";
import { aChunk, aMemory, daysAgo, NOW, PROJECT } from "../support/records.ts";

const settings: RetrievalSettings = {
  ...settingsFor(undefined),
  thresholds: { trigger: 0.4, body: 0.4, piece: 0.4, coverage: 0.6, coverageAlone: 0.35 },
};
const byRule: Provenance = {
  kind: "session",
  host: null,
  session: null,
  run: null,
  turn: 1,
  quote: null,
  transcript: null,
  extractor: "rules/1",
  at: NOW,
  excerpt: null,
};

const refund = aMemory(1, {
  title: "Refund retry must wait for the ledger close",
  content: "A refund retry before the ledger close books totals twice",
  createdAt: daysAgo(50),
  confirmedAt: daysAgo(50),
});
const others = Array.from({ length: 4 }, (_, at) =>
  aMemory(10 + at, {
    type: "context",
    title: `Tenant ${at} has its own schema`,
    content: `Schema of tenant ${at}`,
    createdAt: daysAgo(20 + at),
  }),
);

let open: Store | undefined;
afterEach(async () => {
  await open?.close();
  open = undefined;
});

interface Asked {
  readonly contents: StoreContents;
  readonly facets?: Partial<WorkFacets>;
  readonly request?: Partial<SessionStartRequest>;
  readonly deps?: Partial<SessionStartDeps>;
}

async function start({ contents, facets, request, deps }: Asked) {
  const embedder = hashEmbedder({ dimensions: 256 });
  await open?.close();
  open = await filledStore({ embedder, ...contents });
  return composeSessionStart(
    { index: open.index, memories: open.memories, embedder, now: () => NOW, settings, ...deps },
    {
      source: "startup",
      projects: [PROJECT],
      projectName: "acme/billing",
      facets: { ...NO_FACETS, ...facets },
      maxCharacters: 9_000,
      deadlineAt: NOW.getTime() + 10_000,
      mode: "llm",
      news: "",
      ...request,
    },
  );
}

const blockOf = (text: string): string => text.slice(text.indexOf("<arcticmem-memories"));
const store = (...memories: readonly MemoryRecord[]): StoreContents => ({ memories: [...others, ...memories] });

describe("composeSessionStart", () => {
  it("puts the memory that fits the branch first, with the reason, after the manifest", async () => {
    const { text, shown } = await start({ contents: store(refund), facets: { branch: "fix/refund-retry" } });
    expect(text.indexOf("<arcticmem-manifest")).toBe(0);
    expect(blockOf(text).split("\n")[1]).toBe(
      '- [L-000001] Refund retry must wait for the ledger close (lesson, 50d) — matches branch "refund-retry"',
    );
    expect(shown[0]).toBe(refund.id);
  });

  it("finds a memory by a changed file that it names", async () => {
    const named = aMemory(2, {
      title: "Rounding is half-even",
      symbols: ["src/jobs/rounding.ts"],
      createdAt: daysAgo(90),
    });
    const { text } = await start({ contents: store(named), facets: { changedFiles: ["src/jobs/rounding.ts"] } });
    expect(blockOf(text)).toContain('Rounding is half-even (lesson, today) — matches changed file "rounding.ts"');
  });

  it("puts what was learned in the time that a commit speaks of before its equals, and keeps the others", async () => {
    const twins = ["alpha", "omega"];
    for (const recent of twins) {
      const memories = twins.map((word, at) =>
        aMemory(20 + at, {
          title: `Refund retry ${word}`,
          content: `Refund retry of ${word}`,
          createdAt: daysAgo(60),
          eventAt: daysAgo(word === recent ? 1 : 60),
        }),
      );
      const commits = [{ text: "Refund retry yesterday", at: NOW }];
      const { text } = await start({ contents: store(...memories), facets: { commits } });
      const lines = blockOf(text)
        .split("\n")
        .filter((line) => line.includes("Refund retry"));
      expect(lines).toHaveLength(2);
      expect(lines[0]).toContain(recent);
    }
  });

  it("shows what always applies and says that nothing fits, where nothing does", async () => {
    const pinned = aMemory(3, { title: "Never touch prod", pinned: true, createdAt: daysAgo(400) });
    const { text } = await start({ contents: store(pinned), facets: { branch: "zebra-quagga" } });
    expect(blockOf(text)).toContain("No specific match");
    expect(blockOf(text)).toContain("Never touch prod (lesson, today) — pinned");
  });

  it("says nothing at all for an empty store", async () => {
    expect(await start({ contents: {}, facets: { branch: "refund" } })).toMatchObject({
      text: "",
      shown: [],
      degraded: [],
    });
  });

  it("keeps out what nobody vouches for, and counts it", async () => {
    const provisional = aMemory(4, {
      ...refund,
      id: aMemory(4).id,
      title: "Unconfirmed refund",
      content: "a",
      status: "provisional",
    });
    const byRuleOnly = aMemory(5, {
      ...refund,
      id: aMemory(5).id,
      title: "Ruled refund",
      content: "b",
      status: "provisional",
      provenance: [byRule],
    });
    const stated = aMemory(6, {
      ...refund,
      id: aMemory(6).id,
      title: "Stated refund",
      content: "c",
      status: "provisional",
      source: "user_stated",
      provenance: [byRule],
    });
    const disputed = aMemory(7, {
      ...refund,
      id: aMemory(7).id,
      title: "Disputed refund",
      content: "d",
      status: "disputed",
    });
    const outside = aMemory(8, { ...refund, id: aMemory(8).id, title: "Outside refund", content: "e", trust: 1 });
    const { text } = await start({
      contents: store(provisional, byRuleOnly, stated, disputed, outside),
      facets: { branch: "refund" },
    });
    expect(text).toContain("Stated refund");
    for (const kept of ["Unconfirmed refund", "Ruled refund", "Disputed refund", "Outside refund"])
      expect(text).not.toContain(kept);
    expect(text).toContain("+2 unconfirmed: memory_search");
  });

  it("withholds a memory whose citation fails in this checkout, and changes rev", async () => {
    const held = await start({ contents: store(refund), facets: { branch: "refund-retry" } });
    const { text, rev } = await start({
      contents: store(refund),
      facets: { branch: "refund-retry" },
      deps: { isWithheld: ({ id }) => id === refund.id },
    });
    expect(text).not.toContain(refund.title);
    expect(rev).not.toBe(held.rev);
  });

  it("withholds what is found stale on the way, from block and manifest, and shows the others", async () => {
    const pinned = aMemory(3, { title: "Never touch prod", content: "Prod is not touched", pinned: true });
    const asked: string[] = [];
    const contents = store(refund, pinned);
    const facets = { branch: "refund-retry" };
    const held = await start({ contents, facets });
    const findStale = async (shown: readonly MemoryRecord[]) => {
      asked.push(...shown.map(({ title }) => title));
      return new Set([refund.id]);
    };
    const { text, rev, shown } = await start({ contents, facets, deps: { findStale } });
    expect(asked).toEqual(expect.arrayContaining([refund.title, pinned.title]));
    expect(text).not.toContain(refund.title);
    expect(text).toContain(pinned.title);
    expect(shown).not.toContain(refund.id);
    expect(rev).not.toBe(held.rev);
  });

  it("shows nothing of another project", async () => {
    const elsewhere = aMemory(9, {
      ...refund,
      id: aMemory(9).id,
      title: "Refund of others",
      scope: { kind: "project", project: projectId("git:a/b/c") },
    });
    const { text } = await start({ contents: store(elsewhere), facets: { branch: "refund-retry" } });
    expect(text).not.toContain("Refund of others");
  });

  it("points to pieces of files but not of those that the host loads itself", async () => {
    const chunks = [
      aChunk(1, { path: "RULES.md", text: "A refund retry waits for the ledger close", headings: ["Refunds"] }),
      aChunk(2, { path: "CLAUDE.md", text: "A refund retry is done by the scheduler", headings: ["Refunds"] }),
    ];
    const { text } = await start({
      contents: { memories: others, chunks },
      facets: { branch: "refund-retry" },
      request: { loadedPaths: new Set(["CLAUDE.md"]) },
    });
    expect(blockOf(text)).toContain("- RULES.md › Refunds");
    expect(text).not.toContain("CLAUDE.md");
  });

  it("tells a resumed session nothing that it knows, and everything once something changed", async () => {
    const { rev } = await start({ contents: store(refund) });
    const resumed = { source: "resume", knownRev: rev } as const;
    expect((await start({ contents: store(refund), request: resumed })).text).toBe("");
    expect((await start({ contents: store(), request: resumed })).text).not.toBe("");
  });

  it("gives a compacted session the lines again that it knew, and no new ones", async () => {
    const { text, shown } = await start({
      contents: store(refund),
      facets: { branch: "tenant-schema" },
      request: { source: "compact", alreadyShown: [refund.id] },
    });
    expect(shown).toEqual([refund.id]);
    expect(text).toContain("<arcticmem-manifest");
  });

  it("answers from words where there is no time to embed, and names what was left out", async () => {
    const soon = { deadlineAt: NOW.getTime() + 20 };
    const hurried = await start({ contents: store(refund), facets: { branch: "refund-retry-ledger" }, request: soon });
    expect(blockOf(hurried.text)).toContain("[L-000001]");
    expect(hurried.degraded.join("\n")).toMatch(/branch, body: no time left to embed/);
    const late = await start({
      contents: store(refund),
      facets: { branch: "refund" },
      request: { deadlineAt: NOW.getTime() },
    });
    expect(late.degraded).toEqual(["branch: no time left"]);
    expect(late.text).toContain("<arcticmem-manifest");
  });

  it("embeds a facet once for many sessions", async () => {
    const kept = new Map<string, Float32Array>();
    const vectors = {
      get: async (name: string) => kept.get(name),
      set: async (name: string, vector: Float32Array) => void kept.set(name, vector),
    };
    const facets = { branch: "refund-retry", commits: [{ text: "Close the ledger", at: NOW }] };
    await start({ contents: store(refund), facets, deps: { vectors } });
    expect(kept.size).toBe(2);
    const { embedQuery: _, ...broken } = hashEmbedder({ dimensions: 256 });
    const dead = { ...broken, embed: () => Promise.reject(new Error("must not be asked")) };
    const again = await start({ contents: store(refund), facets, deps: { vectors, embedder: dead } });
    expect(again.degraded).toEqual([]);
    expect(blockOf(again.text)).toContain("[L-000001]");
  });

  it("stays within what is injected at most, however much is known", async () => {
    const crowd = Array.from({ length: 700 }, (_, at) =>
      aMemory(1_000 + at, {
        title: `Refund retry rule ${at} that needs a rather long title to be told apart from others`,
        content: `Refund retry number ${at} ${"and so on ".repeat(20)}`,
        type: at % 3 === 0 ? "preference" : "lesson",
        source: "user_stated",
      }),
    );
    const { text } = await start({ contents: { memories: crowd }, facets: { branch: "refund-retry" } });
    expect(estimateTokens(text)).toBeLessThanOrEqual(2_200);
    expect(text.length).toBeLessThanOrEqual(9_000);
    expect(text).toContain('count="700"');
    expect(text).toContain("lesson (466): ");
    const small = await start({ contents: { memories: crowd }, request: { maxCharacters: 2_000 } });
    expect(small.text.length).toBeLessThanOrEqual(2_000);
  });
});
