/** What the next session is given when it starts: gathers what is known of the work at hand, and remembers what it gave. */
import { existsSync } from "node:fs";
import { isRemote } from "../config/config.ts";
import type { SourceFile } from "../core/chunk.ts";
import type { DatedLine, OtherFacet, WorkFacets } from "../core/facets.ts";
import { given } from "../core/given.ts";
import { type ProjectId, type SessionId, sessionId } from "../core/ids.ts";
import type { MemoryView, SessionStart, SessionStartContext } from "../core/memory.ts";
import { isLive, type MemoryRecord } from "../core/memory-record.ts";
import type { ProfileFacet } from "../core/profile.ts";
import type { RunRecord } from "../core/report.ts";
import type { ProjectIdentity } from "../project/identity.ts";
import type { HalfLifeDays } from "../retrieve/rank/adjust-scores.ts";
import type { SessionStartRequest, SessionStartText } from "../retrieve/session-start.ts";
import type { Store } from "../store/store.ts";
import { filesMoved } from "./files-part.ts";
import { findStale, noteFreshness } from "./freshness.ts";
import { askToCatchUp } from "./marks/catch-up.ts";
import { askInOneModel } from "./models/ask-in-one-model.ts";
import { measuredSettings } from "./models/calibration.ts";
import { embedInTime } from "./models/embed-in-time.ts";
import { openFacetCache } from "./models/facet-cache.ts";
import { retrievalProfile } from "./start/retrieval-profile.ts";
import type { Workbench } from "./workbench.ts";

const NOTHING: SessionStartContext = { text: "", shown: [], degraded: [] };
/** Git has answered twice by then: its cache is warm. */
const LAST_RELEASE_MS = 40;
/** Revisions of the manifest are kept for so many sessions, for those that are resumed. */
const REMEMBERED_SESSIONS = 50;
const REVISIONS_KEY = "manifest-revisions";

export async function startSession(bench: Workbench, event: SessionStart): Promise<SessionStartContext> {
  const { inject } = await bench.config();
  if (!inject.enabled || (await bench.isOff())) return NOTHING;
  if (!existsSync(bench.paths.store)) return NOTHING;
  const [{ composeSessionStart }, { store, request, files, missing, halfLifeDays }] = await Promise.all([
    import("../retrieve/session-start.ts"),
    gather(bench, event),
  ]);
  const cache = openFacetCache(bench.paths.stateDir);
  const msLeft = (): number => event.deadlineAt - bench.now().getTime();
  const found = new Map<MemoryRecord, Pick<MemoryView, "freshness" | "checks">>();
  const start = await askInOneModel(bench, async (embedder) => {
    const settings = await measuredSettings(bench, embedder?.fingerprint);
    const deps = {
      index: store.index,
      memories: store.memories,
      embedder: embedder === undefined ? undefined : embedInTime(embedder, msLeft),
      now: bench.now,
      vectors: cache,
      halfLifeDays,
      ...given({ settings }),
      isWithheld: ({ flags }: MemoryRecord) => flags.includes("stale_suspect"),
      findStale: async (shown: readonly MemoryRecord[]) => {
        for (const [memory, check] of await findStale(bench, shown, msLeft)) found.set(memory, check);
        return new Set([...found.keys()].map(({ id }) => id));
      },
    };
    return composeSessionStart(deps, request);
  });
  cache.save();
  if (await filesMoved(bench, files)) await askToCatchUp(bench);
  await remember(bench, { session: sessionId(event.session), start }).catch(() => undefined);
  for (const [memory, check] of found) await noteFreshness(bench, memory, check).catch(() => false);
  return { text: start.text, shown: start.shown, degraded: [...missing, ...start.degraded] };
}

interface Gathered {
  readonly store: Store;
  readonly request: SessionStartRequest;
  readonly files: readonly SourceFile[];
  /** Facets that git did not tell in time. */
  readonly missing: readonly string[];
  readonly halfLifeDays: HalfLifeDays | undefined;
}

/** What is known of the work at hand; git is asked first and reads while the store is read. */
async function gather(bench: Workbench, event: SessionStart): Promise<Gathered> {
  const { inject, model } = await bench.config();
  const { readCheckoutFacets } = await import("../project/git-facets.ts");
  const identity = await bench.identity();
  const reading = readCheckoutFacets(identity, { home: bench.environment.home });
  const store = await bench.store();
  const session = sessionId(event.session);
  const project = await bench.projectId();
  const knownRev = event.source === "resume" ? (await readRevisions(store)).get(session) : undefined;
  const files = await store.files.list(project);
  const [last] = await store.runs.list({ project, status: "done", limit: 1 });
  const profile = await retrievalProfile(bench, false);
  const { facets, missing } = await reading;
  const request: SessionStartRequest = {
    source: event.source,
    projects: [project],
    projectName: identity.name,
    facets: await withRelease(identity, {
      ...facets,
      openItems: openLines(last),
      others: await othersOf(bench, profile?.facets ?? []),
    }),
    maxCharacters: Math.min(event.maxCharacters, inject.totalCharacters),
    budget: inject,
    deadlineAt: event.deadlineAt,
    mode: model.provider === "none" ? "rules" : "llm",
    news: inject.learnedLine ? await newsOf({ store, project, last }) : "",
    loadedPaths: new Set(files.filter(({ loadedBy }) => loadedBy.includes(event.host)).map(({ path }) => path)),
    ...given({ knownRev }),
    alreadyShown: event.source === "compact" ? await store.sessions.shown(session) : [],
  };
  return { store, request, files, missing, halfLifeDays: profile?.halfLifeDays };
}

/** Goal and open errors of the last session that was ingested. */
function openLines(last: RunRecord | undefined): DatedLine[] {
  const open = last?.report?.open;
  if (open === undefined) return [];
  const at = new Date(open.at);
  return [...(open.goal === null ? [] : [open.goal]), ...open.errors].map((text) => ({ text, at }));
}

/** What files and variables say passes through redaction before a model on another machine is asked about it. */
async function othersOf(bench: Workbench, facets: readonly ProfileFacet[]): Promise<OtherFacet[]> {
  if (facets.length === 0) return [];
  const { readProfileFacets } = await import("../project/profile-facets.ts");
  const { variables } = bench.environment;
  const others = readProfileFacets(facets, { root: (await bench.identity()).root, variables });
  if (others.length === 0 || !isRemote((await bench.config()).embedder.provider)) return others;
  const { redactPatterns } = await import("../text/redact.ts");
  return others.map((facet) => ({ ...facet, text: redactPatterns(facet.text) }));
}

/** Git is asked for the last release only where somebody speaks of it. */
async function withRelease({ root, repository }: ProjectIdentity, facets: WorkFacets): Promise<WorkFacets> {
  const { mentionsRelease } = await import("../retrieve/start/read-periods.ts");
  const isMentioned = [...facets.openItems, ...facets.commits].some(({ text }) => mentionsRelease(text));
  if (repository === null || !isMentioned) return facets;
  const { readLastRelease } = await import("../project/git-facets.ts");
  return { ...facets, ...given({ lastRelease: await readLastRelease(root, LAST_RELEASE_MS) }) };
}

interface News {
  readonly store: Store;
  readonly project: ProjectId;
  readonly last: RunRecord | undefined;
}

/** `learned 2 last time, 3 unconfirmed`; empty when there is nothing to tell. */
async function newsOf({ store, project, last }: News): Promise<string> {
  const unconfirmed = await store.memories.count({ projects: [project], statuses: ["provisional"] });
  const learned = last === undefined ? 0 : await learnedBy(store, last);
  const parts = [
    ...(learned > 0 ? [`learned ${learned} last time`] : []),
    ...(unconfirmed > 0 ? [`${unconfirmed} unconfirmed`] : []),
  ];
  return parts.join(", ");
}

/** What was forgotten, taken back or erased since is not counted. */
async function learnedBy({ memories }: Store, { report }: RunRecord): Promise<number> {
  const changed = (report?.decisions ?? []).filter(({ applied }) => applied !== "NONE");
  const kept = await memories.getMany(changed.flatMap(({ memory }) => memory ?? []));
  return kept.filter(isLive).length;
}

interface Given {
  readonly session: SessionId;
  readonly start: SessionStartText;
}

/** A locked store costs nothing but this note: a resumed session may then be told again what it knows. */
async function remember(bench: Workbench, { session, start }: Given): Promise<void> {
  const store = await bench.store();
  if (start.shown.length > 0) await store.sessions.markShown(session, start.shown, bench.now());
  const revisions = await readRevisions(store);
  if (revisions.get(session) === start.rev) return;
  revisions.delete(session);
  revisions.set(session, start.rev);
  await store.settings.set(REVISIONS_KEY, JSON.stringify([...revisions].slice(-REMEMBERED_SESSIONS)));
}

async function readRevisions(store: Store): Promise<Map<SessionId, string>> {
  const text = await store.settings.get(REVISIONS_KEY);
  return new Map(text === undefined ? [] : (JSON.parse(text) as [SessionId, string][]));
}
