/**
 * A session becomes memories. This file alone knows the order of the steps: read, refuse, claim, redact, judge, extract,
 * decide and store, look again at what was learned before, embed. Every run ends in one of four ways that are never
 * conflated: facts, nothing worth keeping, skipped, failed.
 */
import { ArcticMemError, isConfigError, ModelError, messageOf } from "../core/errors.ts";
import { given } from "../core/given.ts";
import { sha256 } from "../core/hash.ts";
import { type ProjectId, projectId, type RunId, runId, sessionId } from "../core/ids.ts";
import { profileKey } from "../core/profile.ts";
import {
  type DecisionTrail,
  ERASED_RULE,
  type IngestReport,
  type OpenItems,
  type Rejection,
  type RunResult,
  type StageReport,
  withoutQuotes,
} from "../core/report.ts";
import type { Outcome, Session } from "../core/session.ts";
import type { RunClaim } from "../store/store.ts";
import { RULES_EXTRACTOR } from "./extract/extract-by-rules.ts";
import type { IngestDeps, IngestRequest, IngestResult } from "./ingest-deps.ts";
import { judgeOutcome } from "./outcome/judge-outcome.ts";
import { markFailedSpans } from "./outcome/mark-failed-spans.ts";
import { type CollectedFact, collectByModel, collectByRules } from "./session/collect-facts.ts";
import { type MeteredModel, meterModel } from "./session/metered-model.ts";
import { openItemsOf } from "./session/open-items.ts";
import { policyFor } from "./session/outcome-policy.ts";
import { redactSession, refusalOf } from "./session/prepare-session.ts";
import { claimRun, finishRun, underLease } from "./session/run-claim.ts";
import { isStoreError } from "./session/store-error.ts";
import { storeFacts } from "./session/store-facts.ts";
import type { StageDeps } from "./stage-deps.ts";

/** Of those that were given up last. */
const MOST_DEAD = 500;

/**
 * Ingests one transcript. The same session twice is once: the stored report comes back.
 *
 * @throws {ArcticMemError} what the store throws; then the run is still open and will be tried again.
 */
export async function ingestSession(deps: IngestDeps, request: IngestRequest): Promise<IngestResult> {
  request.onStage?.("read");
  const opened = await openSession(deps, request);
  if (opened.kind === "unreadable") return { report: opened.report, waiting: null };
  if (request.dryRun !== true) await closeUnread(deps, request);
  const report = await runOnce(deps, opened, request);
  const { model: asked, ...withoutModel } = deps;
  const failure = report.result.kind === "failed" ? report.result.failure : undefined;
  const isModelMissing = asked !== undefined && (failure === "model" || failure === "config");
  if (!isModelMissing) return { report, waiting: null };
  return { report: await runOnce(withoutModel, opened, request), waiting: report };
}

interface OpenedSession {
  readonly kind: "opened";
  readonly session: Session;
  readonly project: ProjectId;
  readonly root: string | null;
  readonly transcript: string;
}

/** Reads the transcript; what can't be read is a run that failed, so that it is seen and not tried without end. */
async function openSession(
  deps: IngestDeps,
  request: IngestRequest,
): Promise<OpenedSession | { readonly kind: "unreadable"; readonly report: IngestReport }> {
  try {
    const session = await deps.readTranscript(request.host, request.transcript, request.signal);
    const { id: project, root } = await deps.projectOf(session, {
      cwd: request.cwd,
      register: request.dryRun !== true,
    });
    return { kind: "opened", session, project, root, transcript: request.transcript };
  } catch (error) {
    const failure = unreadable(error);
    if (failure === undefined || request.onUnreadable === "throw") throw error;
    const report = reportOf(deps, { run: runId(deps.ids.next()), request, result: failure });
    if (request.dryRun !== true) await recordUnreadable(deps, request, report);
    return { kind: "unreadable", report };
  }
}

type Failed = Extract<RunResult, { kind: "failed" }>;

function unreadable(error: unknown): Failed | undefined {
  if (!(error instanceof ArcticMemError)) return undefined;
  const { message } = error;
  if (error.code === "FILE_NOT_FOUND") return { kind: "failed", failure: "missing", retryable: false, message };
  if (error.code === "FORMAT_UNKNOWN") return { kind: "failed", failure: "format", retryable: false, message };
  if (error.code === "FILE_UNREADABLE") return { kind: "failed", failure: "missing", retryable: true, message };
  return undefined;
}

async function recordUnreadable(deps: IngestDeps, request: IngestRequest, report: IngestReport): Promise<void> {
  const claim = await claimRun(claimDeps(deps), {
    id: report.run,
    host: request.host ?? "unknown",
    session: report.session,
    digest: unreadDigest(request),
    profile: profileKey(deps.profile),
    extractor: extractorOf(deps),
    project: null,
    transcript: request.transcript,
  });
  if (claim.kind !== "claimed") return;
  await finishRun(claimDeps(deps), claim.run, { report: { ...report, run: claim.run.id }, watermark: 0 });
}

function unreadDigest({ transcript }: IngestRequest): string {
  return `unread:${sha256(transcript)}`;
}

/** What could not be read before can be read now: nobody needs to hear of it any more. */
async function closeUnread({ store, now }: IngestDeps, request: IngestRequest): Promise<void> {
  for (const { id, digest, report, error } of await store.runs.list({ status: "dead", limit: MOST_DEAD })) {
    if (digest !== unreadDigest(request)) continue;
    await store.runs.finish(id, { status: "done", notBefore: null, watermark: 0, report, error }, now());
  }
}

/** One run under one extractor: refused, already done, or worked through. */
async function runOnce(deps: IngestDeps, opened: OpenedSession, request: IngestRequest): Promise<IngestReport> {
  const { session, project, transcript } = opened;
  const about = { session, project };
  const skipped = refusalOf(session, {
    now: deps.now(),
    minIdleMs: request.minIdleMs ?? 0,
    skipExternal: deps.skipExternalSessions,
  });
  const fresh = runId(deps.ids.next());
  if (skipped === "active" || request.dryRun === true) {
    if (skipped !== undefined) return reportOf(deps, { run: fresh, request, about, result: skip(skipped) });
    return workThrough(deps, { run: fresh, opened, request, fromTurn: 0 });
  }
  const key = {
    host: session.host,
    session: session.id,
    digest: session.digest,
    profile: profileKey(deps.profile),
    extractor: extractorOf(deps),
  };
  const claim = await claimAsked(deps, request, { ...key, id: fresh, project, transcript });
  switch (claim.kind) {
    case "done":
    case "dead":
      return storedReport(deps, claim.run.report, { run: claim.run.id, request, about });
    case "leased":
      return reportOf(deps, { run: fresh, request, about, result: skip("active") });
    case "waiting": {
      const { id, report } = claim.run;
      if (report?.result.kind === "skipped") return reportOf(deps, { run: id, request, about, result: report.result });
      const message = `an earlier try failed; the next is due at ${claim.until.toISOString()}`;
      const result: Failed = { kind: "failed", failure: "model", retryable: true, message };
      return reportOf(deps, { run: fresh, request, about, result });
    }
    case "claimed":
      break;
    default:
      return claim satisfies never;
  }
  const run = claim.run.id;
  const fromTurn = await deps.store.runs.watermark(session.host, session.id, key.extractor);
  const report =
    skipped === undefined
      ? await underLease(claimDeps(deps), { id: run, signal: request.signal }, (signal) =>
          workThrough(deps, { run, opened, request: { ...request, signal }, fromTurn }),
        )
      : reportOf(deps, { run, request, about, result: skip(skipped) });
  return finishRun(claimDeps(deps), claim.run, { report, watermark: session.turns.length });
}

/** For who asks by hand a run that failed is not the last word, and its pause is over. */
async function claimAsked(
  deps: IngestDeps,
  { again = false }: IngestRequest,
  start: Parameters<typeof claimRun>[1],
): Promise<RunClaim> {
  const claim = await claimRun(claimDeps(deps), start);
  const isOpen =
    claim.kind === "dead" ||
    claim.kind === "waiting" ||
    (claim.kind === "done" && claim.run.report?.result.kind === "failed");
  if (!again || !isOpen) return claim;
  await deps.store.runs.revive(claim.run.id);
  return claimRun(claimDeps(deps), start);
}

interface Work {
  readonly run: RunId;
  readonly opened: OpenedSession;
  readonly request: IngestRequest;
  readonly fromTurn: number;
}

/** The steps themselves. Failures of model, reply and redaction become results; those of the store are thrown. */
async function workThrough(deps: IngestDeps, work: Work): Promise<IngestReport> {
  const { run, opened, request } = work;
  const meter = deps.model === undefined ? undefined : meterFor(deps, deps.model, work);
  const about = { session: opened.session, project: opened.project };
  const startedAt = deps.now();
  try {
    return { ...(await withoutErased(deps, await stepsOf(deps, meter, work))), startedAt };
  } catch (error) {
    if (isStoreError(error) || request.signal?.aborted === true) throw error;
    const result = meter?.exceeded() == null ? failureOf(error) : skip("budget");
    return { ...reportOf(deps, { run, request, about, result }), startedAt };
  }
}

/** What the user had erased, and this session says again, does not come back to disk by way of report or summaries. */
async function withoutErased({ cache }: IngestDeps, report: IngestReport): Promise<IngestReport> {
  if (report.rejections.every(({ rule }) => rule !== ERASED_RULE)) return report;
  if (!report.dryRun) await cache?.forget?.();
  return withoutQuotes(report);
}

async function stepsOf(deps: IngestDeps, meter: MeteredModel | undefined, work: Work): Promise<IngestReport> {
  const { run, opened, request, fromTurn } = work;
  const onStage = request.onStage ?? (() => undefined);
  const redactor = deps.createRedactor();
  onStage("redact");
  const redacted = await redactSession(redactor, opened.session);
  const stageDeps = { ...stageDepsOf(deps, request), redactor };
  onStage("outcome");
  const judging = { session: redacted, ...given({ stated: request.outcome }) };
  const judged = await judgeOutcome(meter === undefined ? stageDeps : { ...stageDeps, model: meter }, judging);
  const { outcome, reading } = judged;
  const session = outcome.label === "success" ? { ...redacted, turns: markFailedSpans(reading) } : redacted;
  const policy = policyFor(outcome, deps.profile);
  const input = { session, reading, outcome, policy, project: opened.project, fromTurn, onStage };
  const collection =
    meter === undefined
      ? await collectByRules(deps, stageDeps, input)
      : await collectByModel(deps, { ...stageDeps, model: meter }, input);
  const about = { session, project: opened.project, outcome, open: openItemsOf(reading, outcome.label) };
  const stages = [judged.report, ...collection.stages];
  if (collection.kind === "failed") {
    const { failure, retryable, message } = collection;
    const failed: Failed = { kind: "failed", failure, retryable, message };
    const result = meter?.exceeded() == null ? failed : skip("budget");
    return reportOf(deps, { run, request, about, result, stages });
  }
  const stored = await storeFacts(meter === undefined ? deps : { ...deps, model: meter }, {
    ...work,
    session,
    outcome,
    reading,
    status: policy.status,
    facts: collection.facts,
    onStage,
  });
  return reportOf(deps, {
    run,
    request,
    about,
    result: resultOf(collection.facts, policy.facts),
    stages: [...stages, ...stored.stages],
    decisions: stored.trail,
    rejections: [...collection.rejections, ...stored.rejections],
    coverage: collection.coverage,
    leftOut: collection.leftOut,
  });
}

function resultOf(facts: readonly CollectedFact[], mayTeach: boolean): RunResult {
  if (facts.length > 0) return { kind: "facts" };
  return mayTeach ? { kind: "no_facts" } : skip("outcome");
}

function failureOf(error: unknown): Failed {
  const message = messageOf(error);
  if (error instanceof ModelError) return { kind: "failed", failure: "model", retryable: error.retryable, message };
  if (isConfigError(error)) return { kind: "failed", failure: "config", retryable: false, message };
  const isRedaction = error instanceof ArcticMemError && error.code === "REDACTION_FAILED";
  return { kind: "failed", failure: isRedaction ? "redaction" : "parse", retryable: true, message };
}

function skip(reason: Extract<RunResult, { kind: "skipped" }>["reason"]): RunResult {
  return { kind: "skipped", reason };
}

function claimDeps({ store, now, owner }: IngestDeps) {
  return { runs: store.runs, now, owner };
}

function extractorOf({ model }: IngestDeps): string {
  return model === undefined ? RULES_EXTRACTOR : `model:${model.name}`;
}

function meterFor(deps: IngestDeps, model: NonNullable<IngestDeps["model"]>, { run, opened }: Work): MeteredModel {
  const { budgets, priceOf, store, now } = deps;
  return meterModel({
    model,
    budgets,
    price: priceOf(model.name),
    usage: store.sessions,
    now,
    run,
    session: opened.session.id,
  });
}

function stageDepsOf(deps: IngestDeps, { signal, dryRun }: IngestRequest): Omit<StageDeps, "model" | "redactor"> {
  const { now, ids, profile, embed } = deps;
  const cache =
    dryRun === true && deps.cache !== undefined ? { ...deps.cache, write: async () => undefined } : deps.cache;
  return { now, ids, profile, ...given({ embed, cache, signal }) };
}

interface ReportParts {
  readonly run: RunId;
  readonly request: IngestRequest;
  readonly about?: {
    readonly session: Session;
    readonly project: ProjectId;
    readonly outcome?: Outcome;
    readonly open?: OpenItems;
  };
  readonly result: RunResult;
  readonly stages?: readonly StageReport[];
  readonly decisions?: readonly DecisionTrail[];
  readonly rejections?: readonly Rejection[];
  readonly coverage?: number;
  readonly leftOut?: readonly string[];
}

function reportOf(deps: IngestDeps, parts: ReportParts): IngestReport {
  const { run, request, about, result } = parts;
  return {
    run,
    session: about?.session.id ?? sessionId(request.session ?? sha256(request.transcript).slice(0, 16)),
    host: about?.session.host ?? request.host ?? "unknown",
    project: about?.project ?? projectId("unknown"),
    result,
    mode: deps.model === undefined ? "rules" : "model",
    extractor: extractorOf(deps),
    outcome: about?.outcome ?? null,
    ...given({ open: about?.open }),
    decisions: parts.decisions ?? [],
    rejections: parts.rejections ?? [],
    stages: parts.stages ?? [],
    coverage: parts.coverage ?? 0,
    leftOut: parts.leftOut ?? [],
    dryRun: request.dryRun === true,
    alreadyIngested: false,
    startedAt: deps.now(),
    finishedAt: deps.now(),
  };
}

function storedReport(deps: IngestDeps, stored: IngestReport | null, parts: Omit<ReportParts, "result">): IngestReport {
  if (stored !== null) return { ...stored, alreadyIngested: true };
  const message = "the run was given up without a word";
  return reportOf(deps, { ...parts, result: { kind: "failed", failure: "store", retryable: false, message } });
}
