/**
 * Whether what memories cite still stands in the checkout. A memory whose citation fails is withheld from what sessions
 * start with until a later check passes; search finds it, with a mark.
 */
import { given } from "../core/given.ts";
import type { MemoryEvent } from "../core/lifecycle.ts";
import { changeOf } from "../core/lifecycle.ts";
import type { MemoryView } from "../core/memory.ts";
import type { MemoryRecord } from "../core/memory-record.ts";
import type { Workbench } from "./workbench.ts";

const MOST = 2_000;

type Freshness = Pick<MemoryView, "freshness" | "checks">;

/** Citations are paths in the checkout of the memory's own project: elsewhere nothing is known of them. */
export async function checkFreshness(
  bench: Workbench,
  { citations, scope }: Pick<MemoryRecord, "citations" | "scope">,
  searchMs?: number,
): Promise<Freshness> {
  const isHere = scope.kind === "project" && scope.project === (await bench.projectId());
  if (!isHere) return { freshness: "unverifiable", checks: [] };
  const { checkCitations } = await import("../project/checkout.ts");
  const { root, repository } = await bench.identity();
  return checkCitations(root, citations, { isGit: repository !== null, ...given({ searchMs }) });
}

/** What a session start needs of the time that is left after a check, and how much of the rest a search may take. */
const RESERVE_MS = 20;
const SHARE = 0.5;

/** Checks what a session is about to be shown, as far as there is time. @returns Those that fail, each with its check. */
export async function findStale(
  bench: Workbench,
  memories: readonly MemoryRecord[],
  msLeft: () => number,
): Promise<ReadonlyMap<MemoryRecord, Freshness>> {
  const stale = new Map<MemoryRecord, Freshness>();
  await Promise.all(
    memories.map(async (memory) => {
      const searchMs = Math.floor((msLeft() - RESERVE_MS) * SHARE);
      if (memory.citations.length === 0 || searchMs <= 0) return;
      const found = await checkFreshness(bench, memory, searchMs);
      if (found.freshness === "stale") stale.set(memory, found);
    }),
  );
  return stale;
}

/** Looks at all memories of this project that cite something. @returns How many changed their standing. */
export async function recheckCitations(bench: Workbench): Promise<number> {
  const { memories } = await bench.store();
  const held = await memories.list({
    projects: [await bench.projectId()],
    statuses: ["active", "provisional"],
    limit: MOST,
  });
  let changed = 0;
  for (const memory of held.filter(({ citations }) => citations.length > 0)) {
    if (await noteFreshness(bench, memory, await checkFreshness(bench, memory))) changed += 1;
  }
  return changed;
}

/** Sets or takes the mark; what can't be checked keeps the one it has. Losing a race against another writer is harmless: the next check sets it. */
export async function noteFreshness(
  bench: Workbench,
  memory: MemoryRecord,
  { freshness, checks }: Freshness,
): Promise<boolean> {
  const isMarked = memory.flags.includes("stale_suspect");
  const isStale = freshness === "stale";
  const isUnknown = freshness === "unverifiable" && memory.citations.length > 0;
  if (isMarked === isStale || isUnknown) return false;
  const at = bench.now();
  const others = memory.flags.filter((flag) => flag !== "stale_suspect");
  const { memories } = await bench.store();
  const patch = {
    flags: isStale ? [...others, "stale_suspect" as const] : others,
    ...(isStale ? {} : { confirmedAt: at }),
  };
  const event: MemoryEvent = {
    memory: memory.id,
    kind: "flagged",
    run: null,
    actor: "pipeline",
    rules: [isStale ? "citation:gone" : "citation:found"],
    reason: checks.join(" ") || null,
    at,
  };
  const { applied } = await memories.apply([changeOf(memory, { patch })], [event]);
  return applied;
}
