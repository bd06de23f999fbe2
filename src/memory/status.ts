/** What `status` tells: whether memory is being kept at all comes first, then what is kept, what waits and what it cost. */
import { accessSync, constants, existsSync } from "node:fs";
import { dirname } from "node:path";
import { DEFAULT_CONFIG, type ModelConfig } from "../config/config.ts";
import { packageVersion } from "../config/package-version.ts";
import { ArcticMemError, messageOf } from "../core/errors.ts";
import { given } from "../core/given.ts";
import type { RunRecord, StatusReport } from "../core/report.ts";
import { startOfDay } from "../core/time/days.ts";
import type { Store } from "../store/store.ts";
import { allConflictNotes } from "./conflicts/file-conflicts.ts";
import { leftBehind } from "./earlier/earlier-identities.ts";
import { isPaused } from "./marks/pause.ts";
import { calibrationOf } from "./models/calibration.ts";
import type { Workbench } from "./workbench.ts";

/** Of one standing; who has more sees as many. */
const MOST_RUNS = 500;

export async function readStatus(bench: Workbench): Promise<StatusReport> {
  const store = await openOrExplain(bench);
  const [{ countSpooled, notesSetAside }, config] = await Promise.all([
    import("../ingest/ingest-queue.ts"),
    bench.config().catch(() => DEFAULT_CONFIG), // what is wrong with it is told with the extractor
  ]);
  const identity = await bench.identity();
  const off = await bench.isOff().catch(() => false);
  const spooled = await countSpooled(bench.paths.spool);
  const aside = await notesSetAside(bench.paths.spool);
  const paused = isPaused(bench);
  const { currency, asOf: pricesAsOf } = config.ingest.prices;
  const priced = { currency, pricesAsOf };
  const extractor = { ...extractorOf(config.model), ...given({ problem: await learningProblem(bench) }) };
  const common = { version: packageVersion(), disabled: off, paused, extractor };
  if (!("runs" in store)) {
    return {
      ...common,
      store: { path: bench.paths.store, bytes: 0, writable: false, problem: store.problem },
      project: null,
      memories: {},
      files: { files: 0, chunks: 0 },
      queue: { spooled, waiting: 0, running: 0, dead: 0, setAside: aside.count },
      deadLetters: [],
      embedder: { name: config.embedder.provider, missingVectors: 0 },
      usage: { callsToday: 0, tokensToday: 0, costToday: null, ...priced },
      lastRun: null,
      fileConflicts: [],
      warnings: [`not storing: ${store.problem}`],
    };
  }
  const { name, root, pendingOverride: pending } = identity;
  const id = await bench.projectId();
  const counts = await countRuns(store);
  const dead = await store.runs.list({ status: "dead", limit: MOST_RUNS });
  const usage = await store.sessions.usageSince(startOfDay(bench.now()));
  const problem = writeProblem(bench.paths.store);
  const vectors = await readVectors(bench, store);
  return {
    ...common,
    store: { path: bench.paths.store, bytes: await store.bytes(), writable: problem === null, problem },
    project: { id, name, root },
    memories: await store.memories.countByStatus({ projects: [id], user: true }),
    files: await store.files.counts(id),
    queue: { spooled, ...counts, dead: dead.length, setAside: aside.count },
    deadLetters: dead.map(({ id: run, session, error }) => ({ run, session, error: error ?? "" })),
    embedder: vectors.embedder,
    usage: {
      callsToday: usage.calls,
      tokensToday: usage.inputTokens + usage.outputTokens,
      costToday: usage.cost,
      ...priced,
    },
    lastRun: await lastRunOf(store),
    fileConflicts: await allConflictNotes(bench),
    warnings: [
      ...warningsOf({ off, paused, problem, pending, aside }),
      ...(await leftBehind(bench)),
      ...vectors.warnings,
    ],
  };
}

async function openOrExplain(bench: Workbench): Promise<Store | { readonly problem: string }> {
  try {
    return await bench.store();
  } catch (error) {
    return { problem: explained(error) };
  }
}

/** A store that can be read but not written would look healthy and keep nothing. */
function writeProblem(path: string): string | null {
  try {
    accessSync(existsSync(path) ? path : dirname(path), constants.W_OK);
    accessSync(dirname(path), constants.W_OK);
    return null;
  } catch {
    return `${path} can't be written.`;
  }
}

function extractorOf(model: ModelConfig): StatusReport["extractor"] {
  if (model.provider === "none") return { mode: "rules", name: "rules", endpoint: null };
  return { mode: "model", name: `${model.provider}:${model.model ?? "?"}`, endpoint: hostOf(model.baseUrl) };
}

/** What would fail at the next session, asked for here: nothing is sent anywhere. */
async function learningProblem(bench: Workbench): Promise<string | undefined> {
  try {
    const [{ keySourceOf }, { readApiKey }] = await Promise.all([
      import("./models/choose-models.ts"),
      import("../models/api-key.ts"),
    ]);
    await bench.profile();
    const { model } = await bench.config();
    if (model.provider !== "none") await readApiKey(keySourceOf(model), bench.environment.variables);
    return undefined;
  } catch (thrown) {
    return explained(thrown);
  }
}

function explained(thrown: unknown): string {
  const hint = thrown instanceof ArcticMemError && thrown.hint !== undefined ? ` ${thrown.hint}` : "";
  return `${messageOf(thrown)}${hint}`.replaceAll("\n", " ");
}

function hostOf(url: string | null): string | null {
  return url !== null && URL.canParse(url) ? new URL(url).host : url;
}

const NOT_CALIBRATED =
  "the embedding model is not calibrated: cautious thresholds hold until `arcticmem calibrate` has measured it";

interface VectorStatus {
  readonly embedder: StatusReport["embedder"];
  readonly warnings: readonly string[];
}

/** @returns What serves and what is missing; why the model can't be had, where it can't. */
async function readVectors(bench: Workbench, { index }: Store): Promise<VectorStatus> {
  const wanted = await bench.embedder().catch(explained);
  if (wanted === undefined)
    return { embedder: { name: "none: words and symbols only", missingVectors: 0 }, warnings: [] };
  const active = await index.activeFingerprint();
  if (typeof wanted === "string") {
    const missingVectors = active === undefined ? 0 : await index.countMissing(active);
    return { embedder: { name: active ?? "none yet", missingVectors }, warnings: [`the embedding model: ${wanted}`] };
  }
  const missingVectors = await index.countMissing(wanted.fingerprint);
  const embedder = { name: wanted.fingerprint, missingVectors };
  const warnings = (await calibrationOf(bench, wanted.fingerprint)) === undefined ? [NOT_CALIBRATED] : [];
  if (active === undefined || active === wanted.fingerprint) return { embedder, warnings };
  const total = await index.countMissing("");
  return { embedder: { ...embedder, swap: { from: active, done: total - missingVectors, total } }, warnings };
}

async function countRuns({ runs }: Store): Promise<{ readonly waiting: number; readonly running: number }> {
  const count = async (status: RunRecord["status"]) => (await runs.list({ status, limit: MOST_RUNS })).length;
  return { waiting: await count("waiting"), running: await count("running") };
}

async function lastRunOf({ runs }: Store): Promise<StatusReport["lastRun"]> {
  const [last] = await runs.list({ limit: 1 });
  if (last === undefined) return null;
  return { at: last.updatedAt, result: last.report?.result.kind ?? last.status, error: last.error };
}

interface Trouble {
  readonly off: boolean;
  readonly paused: boolean;
  readonly problem: string | null;
  readonly pending: string | null;
  readonly aside: { readonly folder: string; readonly count: number };
}

function warningsOf({ off, paused, problem, pending, aside }: Trouble): string[] {
  return [
    ...(off ? ["switched off: nothing is learned and nothing is shown"] : []),
    ...(paused ? ["paused: nothing is learned until `arcticmem resume`"] : []),
    ...(problem === null ? [] : [`not storing: ${problem}`]),
    ...(aside.count === 0 ? [] : [`notes of hooks that could not be used: ${aside.count}, in ${aside.folder}`]),
    ...(pending === null
      ? []
      : [`this checkout calls its project ${JSON.stringify(pending)}: \`arcticmem project accept\` honours that`]),
  ];
}
