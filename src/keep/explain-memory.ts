/** Why a memory is here: what was done to it, by whom, on what evidence, and what it said before. */
import { runId } from "../core/ids.ts";
import type { WhyReport } from "../core/memory.ts";
import type { MemoryRecord } from "../core/memory-record.ts";
import type { RunRecord } from "../core/report.ts";
import type { Store } from "../store/store.ts";

/** Events newest last, so that they read as a story; versions newest first. */
export async function explainMemory(
  { store }: { readonly store: Pick<Store, "memories" | "runs"> },
  memory: MemoryRecord,
): Promise<WhyReport> {
  const events = await store.memories.events({ memory: memory.id });
  const history = await store.memories.history(memory.id);
  const ids = new Set([...memory.provenance, ...events].flatMap(({ run }) => run ?? []));
  const runs: RunRecord[] = [];
  for (const id of ids) {
    const run = await store.runs.get(runId(id));
    if (run !== undefined) runs.push(run);
  }
  return {
    memory,
    events: [...events].reverse().sort((a, b) => a.at.getTime() - b.at.getTime()),
    versions: history.map((snapshot) => snapshot.memory),
    runs,
  };
}
