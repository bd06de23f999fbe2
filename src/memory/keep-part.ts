/** What people and agents do to memories that are there. */
import { existsSync, readdirSync } from "node:fs";
import { rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { callerOf } from "../core/findings/feedback.ts";
import { runId } from "../core/ids.ts";
import type { EraseSelection, KeepPart, UndoReport } from "../core/memory.ts";
import type { MemoryRecord } from "../core/memory-record.ts";
import type { RunRecord } from "../core/report.ts";
import { inTurn } from "../core/time/in-turn.ts";
import type { KeepDeps } from "../keep/change-memory.ts";
import type { Store } from "../store/store.ts";
import type { Redactor } from "../text/redact.ts";
import { lookForConflicts } from "./conflicts/file-conflicts.ts";
import { forgetSummaries } from "./for-ingest/summary-cache.ts";
import { notePurge } from "./marks/purged.ts";
import { resolveHandle } from "./resolve-handle.ts";
import type { Workbench } from "./workbench.ts";

export function openKeepPart(bench: Workbench): KeepPart {
  return {
    edit: async (handle, edit) => {
      const { editMemory } = await import("../keep/edit-memory.ts");
      return embedded(bench, await editMemory(await writeDeps(bench), await resolveHandle(bench, handle), edit));
    },
    pin: async (handle, pinned) => {
      const { pinMemory } = await import("../keep/edit-memory.ts");
      return pinMemory(await keepDeps(bench), await resolveHandle(bench, handle), pinned);
    },
    confirm: async (handle) => {
      const { confirmMemory } = await import("../keep/edit-memory.ts");
      return confirmMemory(await keepDeps(bench), await resolveHandle(bench, handle));
    },
    forget: async (handle, options) => {
      const { forgetMemory } = await import("../keep/forget-memory.ts");
      return forgetMemory(await keepDeps(bench), await resolveHandle(bench, handle), options);
    },
    restore: async (handle) => {
      const { restoreMemory } = await import("../keep/forget-memory.ts");
      return restoreMemory(await keepDeps(bench), await resolveHandle(bench, handle));
    },
    preview: (selection) => selected(bench, selection),
    erase: async (selection) => {
      const { eraseMemories } = await import("../keep/erase-memories.ts");
      const erased = await eraseMemories(await keepDeps(bench), await selected(bench, selection));
      await forgetSummaries(bench.paths.stateDir);
      return erased;
    },
    purge: () => purge(bench),
    why: async (handle) => {
      const { explainMemory } = await import("../keep/explain-memory.ts");
      return explainMemory({ store: await bench.store() }, await resolveHandle(bench, handle));
    },
    undo: (runOrHandle) => undo(bench, runOrHandle),
    feedback: async (handle, feedback) => {
      const { takeFeedback } = await import("../keep/take-feedback.ts");
      const redact = async (text: string): Promise<string> => (await writeDeps(bench)).redactor.redact(text);
      return takeFeedback({ ...(await keepDeps(bench)), redact }, await resolveHandle(bench, handle), feedback);
    },
    noteOpened: async (memory, caller) => {
      const opened = { memory, kind: "opened", who: "agent", ...callerOf(caller), at: bench.now() } as const;
      const noting = bench.store().then(({ usage }) => usage.add(opened, { wait: false }));
      await noting.catch(() => false); // busy, read-only or gone: only a count is lost
    },
  };
}

async function keepDeps(bench: Workbench): Promise<KeepDeps & { readonly store: Store }> {
  return { store: await bench.store(), now: bench.now };
}

/** The same for who puts text in, with what takes the secrets out of it. */
export async function writeDeps(bench: Workbench): Promise<KeepDeps & { readonly redactor: Redactor }> {
  const { createRedactor } = await import("../text/redact.ts");
  return { ...(await keepDeps(bench)), redactor: createRedactor() };
}

/** Texts that are held against the rules files at once; the next pass over the files takes up the rest. */
const CONFLICTS_AFTER_CHANGE = 32;

const embedding = inTurn<Workbench>();

/**
 * Gives a changed text its vector, and its place among the conflicts; what fails, the next worker run tries again. Changes
 * that come at once take turns: each run embeds all texts that wait, so side by side they would embed each other's.
 */
export async function embedded<Value>(bench: Workbench, value: Value): Promise<Value> {
  await embedding(bench, () => embedChanged(bench));
  return value;
}

async function embedChanged(bench: Workbench): Promise<void> {
  const { embedServing } = await import("./models/build-vectors.ts");
  await embedServing(bench).catch(() => 0);
  await lookForConflicts(bench, CONFLICTS_AFTER_CHANGE);
}

async function selected(bench: Workbench, selection: EraseSelection): Promise<MemoryRecord[]> {
  const { chooseErasure } = await import("../keep/erase-memories.ts");
  const deps = await keepDeps(bench);
  if (!("handles" in selection)) return chooseErasure(deps, selection);
  return Promise.all(selection.handles.map((handle) => resolveHandle(bench, handle)));
}

async function undo(bench: Workbench, runOrHandle: string): Promise<UndoReport> {
  const { undoChanges } = await import("../keep/undo-changes.ts");
  const store = await bench.store();
  const run = await store.runs.get(runId(runOrHandle));
  const target = run === undefined ? { memory: (await resolveHandle(bench, runOrHandle)).id } : { run: run.id };
  const undone = await undoChanges(await keepDeps(bench), target);
  if (run !== undefined) await noteUndone(await bench.store(), run);
  return embedded(bench, undone);
}

/** The run is as it was, of its old time, but says so: else its report reads as if its facts were there. */
async function noteUndone({ runs }: Pick<Store, "runs">, run: RunRecord): Promise<void> {
  const { status, report, watermark, error, updatedAt } = run;
  if (status !== "done" || report === null) return;
  await runs.finish(
    run.id,
    { status, notBefore: null, watermark, report: { ...report, undone: true }, error },
    updatedAt,
  );
}

/** Everything but the config: store, copies that migrations left beside it, spool, caches, logs. */
async function purge(bench: Workbench): Promise<void> {
  await bench.close();
  const { store, spool, log, stateDir } = bench.paths;
  const files = [store, `${store}-wal`, `${store}-shm`, `${store}-journal`, log, `${log}.1`];
  const state = [
    "summaries",
    "facet-vectors.json",
    "worker-starts.json",
    "worker.lease",
    "paused",
    "claims",
    "catch-up",
    "hook-marks",
  ];
  const beside = existsSync(dirname(store)) ? readdirSync(dirname(store)) : [];
  const copies = beside.filter((name) => name.startsWith(`${basename(store)}.before-`));
  const all = [
    ...files,
    ...copies.map((name) => join(dirname(store), name)),
    spool,
    ...state.map((name) => join(stateDir, name)),
  ];
  for (const path of all) await rm(path, { recursive: true, force: true });
  notePurge(bench);
}
