/** Lends ingestion what it needs from the other parts: the pipelines see contracts, here they get the real things. */
import { existsSync } from "node:fs";
import { CAUTIOUS_COSINES, type CalibratedCosines } from "../../core/findings/calibration.ts";
import { randomIds } from "../../core/ids.ts";
import type { Session } from "../../core/session.ts";
import type { IngestDeps } from "../../ingest/ingest-deps.ts";
import type { EmbedPort } from "../../ingest/stage-deps.ts";
import type { Embedder } from "../../models/embedder.ts";
import { embedServing } from "../models/build-vectors.ts";
import { calibrationOf } from "../models/calibration.ts";
import type { Workbench } from "../workbench.ts";
import { findNear, similarityAmong } from "./candidates.ts";
import { readTranscript } from "./read-transcript.ts";
import { openSummaryCache } from "./summary-cache.ts";

/** Titles that the model is told as known: as many as it can keep in mind. */
const KNOWN_TITLES = 20;

export async function ingestDeps(bench: Workbench): Promise<IngestDeps> {
  const [{ createRedactor }, config, profile, store] = await Promise.all([
    import("../../text/redact.ts"),
    bench.config(),
    bench.profile(),
    bench.store(),
  ]);
  const { budgets, prices, skipExternalSessions, onUnknown, onLifecycleFailure } = config.ingest;
  const model = await bench.languageModel();
  const embedder = await bench.serving();
  const cosines = await cosinesOf(bench, embedder);
  return {
    store,
    ...(model === undefined ? {} : { model }),
    ...(embedder === undefined ? {} : { embed: embedPort(embedder, cosines) }),
    readTranscript,
    projectOf: (session, where) => projectOf(bench, session, where),
    profile: onUnknown === null ? profile : { ...profile, outcome: { ...profile.outcome, onUnknown } },
    createRedactor: () => createRedactor({ personalData: profile.redaction.pii }),
    findCandidates: (project, fact) => findNear(bench, project, fact),
    cosines,
    similarity: (facts, memories) => similarityAmong(bench, facts, memories),
    knownTitles: async (project) => {
      const known = await store.memories.list({
        projects: [project],
        user: true,
        statuses: ["active"],
        limit: KNOWN_TITLES,
      });
      return known.map(({ title }) => title);
    },
    knownDocuments: async (project) => (await store.files.chunks(project)).map(({ text }) => text),
    cache: openSummaryCache(bench.paths.stateDir),
    embedMissing: (signal) => embedServing(bench, { signal }),
    budgets,
    priceOf: (name) => prices.models[name.slice(name.indexOf(":") + 1)] ?? prices.models[name],
    skipExternalSessions,
    onLifecycleFailure,
    now: bench.now,
    ids: bench.ids,
    owner: `${process.pid}-${randomIds.next()}`,
  };
}

/** By the folder in which the session ran, if it is on this machine; else the project of the caller. */
async function projectOf(
  bench: Workbench,
  { project: { cwd: recorded } }: Session,
  { cwd, register }: Parameters<IngestDeps["projectOf"]>[1],
): ReturnType<IngestDeps["projectOf"]> {
  const folder = [recorded, cwd ?? undefined].find((place) => place !== undefined && existsSync(place));
  const identity = await bench.identity(folder);
  const id = register ? await bench.registerProject(identity) : await bench.projectId(identity);
  return { id, root: folder === undefined ? null : identity.root };
}

async function cosinesOf(bench: Workbench, embedder: Embedder | undefined): Promise<CalibratedCosines> {
  const calibration = embedder === undefined ? undefined : await calibrationOf(bench, embedder.fingerprint);
  return calibration?.cosines ?? CAUTIOUS_COSINES;
}

function embedPort(embedder: Embedder, { generic, duplicate, situation }: CalibratedCosines): EmbedPort {
  return { embed: (texts) => embedder.embed(texts), thresholds: { generic, duplicate, trigger: situation } };
}
