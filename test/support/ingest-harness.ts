/** Ingestion over a real store in memory: sessions are handed over as objects, models are canned, the clock stands. */
import { memoryId } from "../../src/core/ids.ts";
import type { MemoryRecord } from "../../src/core/memory-record.ts";
import type { Session } from "../../src/core/session.ts";
import type { IngestDeps, IngestRequest, IngestResult } from "../../src/ingest/ingest-deps.ts";
import { ingestSession } from "../../src/ingest/ingest-session.ts";
import type { LanguageModel } from "../../src/models/language-model.ts";
import type { Store } from "../../src/store/store.ts";
import { createRedactor } from "../../src/text/redact.ts";
import { CODING } from "./coding-profile.ts";
import { filledStore } from "./filled-store.ts";
import { PROJECT } from "./records.ts";

export interface IngestHarness {
  readonly store: Store;
  readonly deps: IngestDeps;
  /** Moves the clock. */
  wait(ms: number): void;
  ingest(session: Session, request?: Partial<IngestRequest>): Promise<IngestResult>;
  memories(): Promise<MemoryRecord[]>;
}

export interface HarnessOptions {
  readonly model?: LanguageModel;
  readonly memories?: readonly MemoryRecord[];
  readonly changes?: Partial<IngestDeps>;
  /** Default: one in memory. */
  readonly store?: Store;
}

/** A minute after the sessions of `buildSession` end. */
const START = new Date("2026-03-02T10:00:00Z");

export async function ingestHarness({
  model,
  memories = [],
  changes = {},
  store: given,
}: HarnessOptions = {}): Promise<IngestHarness> {
  const store = given ?? (await filledStore({ memories }));
  let now = START;
  let counter = 0;
  const sessions = new Map<string, Session>();
  const deps: IngestDeps = {
    store,
    ...(model === undefined ? {} : { model }),
    readTranscript: async (_host, path) => {
      const session = sessions.get(path);
      if (session === undefined) throw new Error(`no session ${path}`);
      return session;
    },
    projectOf: async () => ({ id: PROJECT, root: "/home/ana/work/tidewatch" }),
    profile: CODING,
    createRedactor,
    findCandidates: async (_project, fact) => {
      const live = await store.memories.list({ statuses: ["active", "provisional", "disputed"] });
      return { body: live.filter(({ symbols }) => symbols.some((symbol) => fact.symbols.includes(symbol))) };
    },
    similarity: async () => () => null,
    knownTitles: async () => [],
    knownDocuments: async () => [],
    embedMissing: async () => 0,
    budgets: {
      callsPerSession: 40,
      charactersPerSession: 1_000_000,
      callsPerDay: 400,
      charactersPerDay: 10_000_000,
      moneyPerDay: null,
    },
    priceOf: () => undefined,
    skipExternalSessions: false,
    now: () => now,
    ids: {
      next: () => {
        counter += 1;
        return memoryId(`r${String(counter).padStart(11, "0")}`);
      },
    },
    owner: "test",
    ...changes,
  };
  return {
    store,
    deps,
    wait(ms) {
      now = new Date(now.getTime() + ms);
    },
    async ingest(session, request = {}) {
      const transcript = request.transcript ?? `/${session.id}.jsonl`;
      sessions.set(transcript, session);
      return ingestSession(deps, { cwd: null, ...request, transcript });
    },
    memories: () => store.memories.list({ order: "stable" }),
  };
}
