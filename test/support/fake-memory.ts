/**
 * A memory that keeps everything in an array: for tests of the doors, which are about what a door asks and how it tells
 * the answer. What it does not keep it refuses, so that no test passes by accident.
 */

import { ArcticMemError } from "../../src/core/errors.ts";
import { isHarmful } from "../../src/core/findings/feedback.ts";
import { given } from "../../src/core/given.ts";
import type { Id } from "../../src/core/ids.ts";
import type { AddResult, EraseSelection, Memory, NewNote, SpoolEntry } from "../../src/core/memory.ts";
import { handleOf, LIVE_STATUSES, type MemoryRecord } from "../../src/core/memory-record.ts";
import type { SearchAnswer } from "../../src/core/query.ts";
import type { IngestReport, StatusReport } from "../../src/core/report.ts";
import { aMemory, factHit, NOW, PROJECT } from "./records.ts";

export interface FakeMemory extends Memory {
  readonly records: MemoryRecord[];
  readonly spooled: SpoolEntry[];
  /** Names of the calls that change or start something, in order. */
  readonly calls: string[];
  isClosed: boolean;
}

export interface FakeMemoryOptions {
  readonly records?: readonly MemoryRecord[];
  /** Folder for log and marks. */
  readonly folder?: string;
  readonly startText?: string;
  readonly startDelayMs?: number;
  readonly ingestReport?: Partial<IngestReport>;
  readonly status?: Partial<StatusReport>;
  /** Thrown by every call that needs the store. */
  readonly trouble?: Error;
}

export const QUIET_STATUS: StatusReport = {
  version: "0.0.0",
  store: { path: "/nowhere/memory.db", bytes: 4096, writable: true, problem: null },
  disabled: false,
  paused: false,
  project: { id: PROJECT, name: "acme/billing", root: "/work/billing" },
  memories: { active: 1 },
  files: { files: 0, chunks: 0 },
  queue: { spooled: 0, waiting: 0, running: 0, dead: 0, setAside: 0 },
  deadLetters: [],
  extractor: { mode: "rules", name: "rules/1", endpoint: null },
  embedder: { name: "minilm", missingVectors: 0 },
  usage: { callsToday: 0, tokensToday: 0, costToday: 0, currency: "USD", pricesAsOf: null },
  lastRun: null,
  fileConflicts: [],
  warnings: [],
};

const report = (fields: Partial<IngestReport>): IngestReport => ({
  run: "run1" as Id<"Run">,
  session: "session-1" as Id<"Session">,
  host: "claude-code",
  project: PROJECT,
  result: { kind: "no_facts" },
  mode: "rules",
  extractor: "rules/1",
  outcome: null,
  decisions: [],
  rejections: [],
  stages: [],
  coverage: 1,
  leftOut: [],
  dryRun: false,
  alreadyIngested: false,
  startedAt: NOW,
  finishedAt: NOW,
  ...fields,
});

export function fakeMemory(options: FakeMemoryOptions = {}): FakeMemory {
  const records: MemoryRecord[] = [...(options.records ?? [])];
  const spooled: SpoolEntry[] = [];
  const calls: string[] = [];
  const folder = options.folder ?? "/nowhere";

  const check = (): void => {
    if (options.trouble !== undefined) throw options.trouble;
  };
  const find = (handle: string): MemoryRecord => {
    check();
    const found = records.find((record) => record.id === handle || handleOf(record) === handle);
    if (found === undefined) throw new ArcticMemError("MEMORY_NOT_FOUND", `There is no memory ${handle}.`);
    return found;
  };
  const replace = (handle: string, fields: Partial<MemoryRecord>): MemoryRecord => {
    const changed = { ...find(handle), ...fields };
    records[records.findIndex(({ id }) => id === changed.id)] = changed;
    return changed;
  };
  const select = (selection: EraseSelection): MemoryRecord[] => {
    check();
    if ("handles" in selection) return selection.handles.map(find);
    if ("since" in selection) return records.filter(({ createdAt }) => createdAt >= selection.since);
    if ("session" in selection) {
      return records.filter(({ provenance }) => provenance.some(({ session }) => session === selection.session));
    }
    return records.filter(({ scope }) => scope.kind === "project" && scope.project === selection.project);
  };
  const add = (note: NewNote): AddResult => {
    check();
    if (note.text.trim() === "") throw new ArcticMemError("INPUT_INVALID", "The text is empty.");
    const known = records.find(({ content }) => content === note.text);
    if (known !== undefined) return { memory: known, added: false };
    const memory = aMemory(records.length + 1, {
      content: note.text,
      title: note.title ?? note.text,
      type: note.type ?? "context",
      status: note.by === "person" ? "active" : "provisional",
      scope: note.scope === "user" ? { kind: "user" } : { kind: "project", project: PROJECT },
      ...given({ why: note.why, howToApply: note.howToApply, whenToUse: note.whenToUse }),
    });
    records.push(memory);
    return { memory, added: true };
  };
  const refuse = async (): Promise<never> => {
    throw new Error("the fake memory does not do that");
  };

  return {
    records,
    spooled,
    calls,
    isClosed: false,
    models: { list: refuse, pull: refuse, use: refuse, build: refuse, calibrate: refuse },
    paths: { store: `${folder}/memory.db`, data: folder, state: folder, log: `${folder}/arcticmem.log` },
    async search(request): Promise<SearchAnswer> {
      check();
      const words = request.text.toLowerCase().split(/\s+/);
      const hits = records
        .filter(({ title, content }) => words.some((word) => `${title} ${content}`.toLowerCase().includes(word)))
        .filter(({ type }) => request.types === undefined || request.types.includes(type))
        .slice(0, request.limit ?? 10)
        .map((record) => factHit(record));
      return { hits, abstained: hits.length === 0 && records.length > 0, degraded: [], notes: [], searchedMs: 1 };
    },
    async get(handle) {
      return {
        memory: find(handle),
        freshness: "fresh",
        checks: [],
        successor: null,
        conflicts: [],
        fileConflicts: [],
      };
    },
    async list(request) {
      check();
      const statuses: readonly string[] = request.statuses ?? LIVE_STATUSES;
      return records
        .filter(({ status }) => statuses.includes(status))
        .filter(({ pinned }) => request.pinned === undefined || pinned === request.pinned)
        .slice(0, request.limit ?? records.length);
    },
    add: async (note) => add(note),
    async start() {
      check();
      await new Promise((resolve) => setTimeout(resolve, options.startDelayMs ?? 0));
      return { text: options.startText ?? "", shown: [], degraded: [] };
    },
    async status() {
      return { ...QUIET_STATUS, ...options.status };
    },
    async reindex(onProgress) {
      onProgress?.("embedding", records.length, records.length);
      return { memories: records.length, chunks: 0, embedded: records.length };
    },
    files: {
      put: async () => 0,
      watch: async () => ({ folders: 0, stopped: null, [Symbol.asyncDispose]: async () => {} }),
      async index() {
        check();
        calls.push("index");
        return {
          project: PROJECT,
          files: 1,
          added: ["AGENTS.md"],
          changed: [],
          removed: [],
          skipped: [],
          chunks: 2,
          embedded: 2,
        };
      },
    },
    ingest: {
      async session(path, request) {
        check();
        calls.push(`ingest ${path}`);
        return report({ dryRun: request?.dryRun ?? false, ...options.ingestReport });
      },
      async spool(entry) {
        spooled.push(entry);
      },
      async spoolIdle() {
        calls.push("spoolIdle");
        return 0;
      },
      isDue: async () => spooled.length > 0,
      async launchWorker() {
        calls.push("launchWorker");
        return spooled.length > 0;
      },
      async work() {
        check();
        return { processed: [], failed: [], remaining: 0, busy: false, embedded: 0 };
      },
      runs: async () => [],
      run: refuse,
      async settle(ids, how) {
        calls.push(`${how} ${String(ids)}`);
        return [];
      },
      async pause() {
        calls.push("pause");
      },
      async resume() {
        calls.push("resume");
      },
    },
    keep: {
      edit: async (handle, edit) => replace(handle, { ...edit, humanEdited: true }),
      pin: async (handle, pinned) => replace(handle, { pinned }),
      confirm: async (handle) => replace(handle, { status: "active" }),
      async forget(handle, { by, reason }) {
        const target = find(handle);
        if (by === "agent" && target.pinned) {
          throw new ArcticMemError("PROTECTED", `${handle} is pinned.`, { hint: "Ask the user." });
        }
        return replace(handle, { status: "forgotten", reason: reason ?? null });
      },
      restore: async (handle) => replace(handle, { status: "active" }),
      preview: async (selection) => select(selection),
      async erase(selection) {
        const gone = select(selection);
        for (const { id } of gone)
          records.splice(
            records.findIndex((record) => record.id === id),
            1,
          );
        return gone.length;
      },
      async purge() {
        records.length = 0;
        calls.push("purge");
      },
      async why(handle) {
        const memory = find(handle);
        const event = {
          memory: memory.id,
          kind: "added",
          run: null,
          actor: "user",
          rules: [],
          reason: null,
          at: NOW,
        } as const;
        return { memory, events: [event], versions: [memory], runs: [] };
      },
      async feedback(handle, { verdict, by, note }) {
        const target = find(handle);
        calls.push(`${by} says ${verdict}${note === undefined ? "" : `: ${note}`}`);
        if (!isHarmful(verdict)) return { memory: target, effect: "noted" };
        if (by === "agent" && target.pinned) return { memory: target, effect: "protected" };
        const effect = by === "agent" ? "disputed" : "archived";
        return { memory: replace(handle, { status: effect }), effect };
      },
      async noteOpened(id, { session }) {
        calls.push(`opened ${id} in ${session}`);
      },
      undo: async (handle) => ({ changed: [find(handle)], left: records.filter(({ pinned }) => pinned) }),
    },
    project: {
      async current() {
        return {
          id: PROJECT,
          name: "acme/billing",
          root: "/work/billing",
          remote: "example.com/acme/billing",
          by: "remote",
          pendingOverride: null,
        };
      },
      list: async () => [{ id: PROJECT, name: "acme/billing", root: "/work/billing", memories: records.length }],
      leftBehind: async () => [],
      acceptOverride: refuse,
      merge: refuse,
      move: refuse,
    },
    render: {
      search: async (answer) =>
        answer.hits
          .map((hit) => (hit.unit === "fact" ? `[${handleOf(hit.memory)}] ${hit.memory.title}` : hit.chunk.path))
          .join("\n"),
      view: async ({ memory }) => `[${handleOf(memory)}] ${memory.title}: ${memory.content}`,
    },
    async [Symbol.asyncDispose]() {
      this.isClosed = true;
    },
  };
}
