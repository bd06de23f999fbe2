/**
 * Whether what memories cite still stands in the checkout. A memory whose citation fails is withheld from what sessions
 * start with until a later check passes; search finds it, with a mark.
 */

import type { MemoryEvent } from "../core/lifecycle.ts";
import { changeOf } from "../core/lifecycle.ts";
import type { MemoryView } from "../core/memory.ts";
import type { MemoryRecord } from "../core/memory-record.ts";
import type { Workbench } from "./workbench.ts";

const MOST = 2_000;

export async function checkFreshness(
  bench: Workbench,
  memory: Pick<MemoryRecord, "citations">,
): Promise<Pick<MemoryView, "freshness" | "checks">> {
  const { checkCitations } = await import("../project/checkout.ts");
  return checkCitations((await bench.identity()).root, memory.citations);
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

/** Sets or takes the mark. Losing a race against another writer is harmless: the next check sets it. */
export async function noteFreshness(
  bench: Workbench,
  memory: MemoryRecord,
  { freshness, checks }: Pick<MemoryView, "freshness" | "checks">,
): Promise<boolean> {
  const isMarked = memory.flags.includes("stale_suspect");
  const isStale = freshness === "stale";
  if (isMarked === isStale) return false;
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
