/**
 * Opens the memory: builds the object graph lazily, and alone picks the adapters. What a part needs is loaded on its first
 * call, so that a hook which only leaves a note pays for nothing else.
 */
import type { Memory } from "./core/memory.ts";
import { openFilesPart } from "./memory/files-part.ts";
import { listMemories, searchMemories, viewMemory } from "./memory/find-part.ts";
import { openIngestPart } from "./memory/ingest-part.ts";
import { openKeepPart } from "./memory/keep-part.ts";
import { openModelsPart } from "./memory/models/models-part.ts";
import { openProjectPart } from "./memory/project-part.ts";
import { openRenderPart } from "./memory/render-part.ts";
import { type OpenMemoryOptions, openWorkbench } from "./memory/workbench.ts";

export type { OpenMemoryOptions } from "./memory/workbench.ts";

/**
 * Opens lazily: no file is touched, no module of weight loaded, before the first call that needs it.
 *
 * @throws {ArcticMemError} `CONFIG_INVALID` where there is no place for our files. What else goes wrong comes from the
 *   first call that needs it.
 */
export async function openMemory(options: OpenMemoryOptions = {}): Promise<Memory> {
  const bench = openWorkbench(options);
  const files = openFilesPart(bench);
  return {
    search: (request) => searchMemories(bench, request, files.refresh),
    get: (handle) => viewMemory(bench, handle),
    list: (request) => listMemories(bench, request),
    add: async (note) => (await import("./memory/add-part.ts")).addMemory(bench, note),
    start: async (event) => (await import("./memory/session-start-part.ts")).startSession(bench, event),
    status: async () => (await import("./memory/status.ts")).readStatus(bench),
    reindex: async (...how) => (await import("./memory/reindex.ts")).reindex(bench, ...how),
    files,
    ingest: openIngestPart(bench),
    keep: openKeepPart(bench),
    project: openProjectPart(bench),
    models: openModelsPart(bench),
    render: openRenderPart(bench),
    paths: {
      store: bench.paths.store,
      data: bench.paths.dataDir,
      state: bench.paths.stateDir,
      log: bench.paths.log,
    },
    [Symbol.asyncDispose]: async () => {
      await files.close();
      await bench.close();
    },
  };
}
