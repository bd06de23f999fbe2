/**
 * What a session starts with: the manifest of all trusted titles, and the few that fit the work at hand, found without
 * a prompt by branch, changed files, commits and open items. All local, within a deadline: what does not fit into the
 * time is left out and named.
 */
import type { WorkFacets } from "../core/facets.ts";
import type { MemoryId, ProjectId } from "../core/ids.ts";
import type { SessionStart } from "../core/memory.ts";
import type { MemoryRecord } from "../core/memory-record.ts";
import { estimateTokens } from "../core/tokens.ts";
import { renderBlock } from "./render-block.ts";
import { type Manifest, renderManifest } from "./render-manifest.ts";
import { type ChooseDeps, type ChosenEntries, chooseEntries } from "./start/choose-entries.ts";
import { isStatedPreference } from "./start/priors.ts";
import { isTrusted, type TrustedDeps, type TrustedMemories, trustedMemories } from "./start/trusted.ts";

export interface SessionStartDeps extends ChooseDeps, TrustedDeps {
  /** Which of those that are about to be shown cite what is gone. Default: none is looked at. */
  readonly findStale?: (shown: readonly MemoryRecord[]) => Promise<ReadonlySet<MemoryId>>;
}

export interface SessionStartRequest {
  readonly source: SessionStart["source"];
  /** The current one first. */
  readonly projects: readonly ProjectId[];
  /** `acme/billing`. */
  readonly projectName: string;
  readonly facets: WorkFacets;
  readonly maxCharacters: number;
  /** Default: as measured to be enough. */
  readonly budget?: InjectionBudget;
  /** Milliseconds since the epoch. */
  readonly deadlineAt: number;
  /** How memories are extracted here: `llm`, `rules`. */
  readonly mode: string;
  /** `learned 2 last time, 3 unconfirmed`; empty to say nothing. */
  readonly news: string;
  /** Files that the host puts into the prompt itself. */
  readonly loadedPaths?: ReadonlySet<string>;
  /** `rev` of the manifest that this session was given before: a resumed session is told nothing it knows. */
  readonly knownRev?: string;
  /** What this session was shown before; shown again after a compaction. */
  readonly alreadyShown?: readonly MemoryId[];
}

export interface SessionStartText {
  /** Empty where there is nothing to say. */
  readonly text: string;
  /** Memories whose titles stand in the block. */
  readonly shown: readonly MemoryId[];
  readonly rev: string;
  /** Facets, and searchers of facets, that were left out, each with the reason. */
  readonly degraded: readonly string[];
}

/** What may be injected, in tokens: all together, and each of the two blocks. */
export interface InjectionBudget {
  readonly totalTokens: number;
  readonly manifestTokens: number;
  readonly blockTokens: number;
}

const BUDGET: InjectionBudget = { totalTokens: 2_200, manifestTokens: 1_500, blockTokens: 400 };
const MAX_CHARACTERS = 9_000;
/** Of the characters, for the manifest; the rest is the block's. */
const MANIFEST_SHARE = 0.7;

/** Composes both blocks, the manifest first: what stays the same stands before what varies. */
export async function composeSessionStart(
  deps: SessionStartDeps,
  request: SessionStartRequest,
): Promise<SessionStartText> {
  const held = await trustedMemories(deps, request.projects[0]);
  const manifest = manifestOf(request, held);
  if (request.source === "resume" && request.knownRev === manifest.rev) {
    return { text: "", shown: [], rev: manifest.rev, degraded: [] };
  }
  const chosen = shownAgain(request, held.trusted) ?? (await choose(deps, request, held.trusted));
  const stale = (await deps.findStale?.(aboutToBeShown(chosen, held))) ?? new Set();
  const now = deps.now();
  if (stale.size === 0) return composeText(request, { held, manifest, chosen, now });
  const fresh = { ...held, trusted: held.trusted.filter(({ id }) => !stale.has(id)) };
  const entries = chosen.entries.filter((entry) => entry.unit === "chunk" || !stale.has(entry.memory.id));
  return composeText(request, {
    held: fresh,
    manifest: manifestOf(request, fresh),
    chosen: { ...chosen, entries },
    now,
  });
}

function manifestOf(request: SessionStartRequest, { trusted, counts, unconfirmed }: TrustedMemories): Manifest {
  const { totalTokens, manifestTokens } = request.budget ?? BUDGET;
  return renderManifest({
    scope: `project:${request.projectName}`,
    memories: trusted,
    counts,
    unconfirmed,
    maxTokens: Math.min(manifestTokens, totalTokens),
    maxCharacters: Math.floor(charactersOf(request) * MANIFEST_SHARE),
  });
}

function charactersOf({ maxCharacters }: SessionStartRequest): number {
  return Math.min(MAX_CHARACTERS, maxCharacters);
}

const inFullOf = ({ trusted }: TrustedMemories): MemoryRecord[] =>
  trusted.filter((memory) => memory.pinned || isStatedPreference(memory));

function aboutToBeShown({ entries }: ChosenEntries, held: TrustedMemories): MemoryRecord[] {
  const lines = entries.flatMap((entry) => (entry.unit === "fact" ? [entry.memory] : []));
  return [...new Map([...lines, ...inFullOf(held)].map((memory) => [memory.id, memory])).values()];
}

interface Parts {
  readonly held: TrustedMemories;
  readonly manifest: Manifest;
  readonly chosen: ChosenEntries;
  readonly now: Date;
}

function composeText(request: SessionStartRequest, { held, manifest, chosen, now }: Parts): SessionStartText {
  const { totalTokens, blockTokens } = request.budget ?? BUDGET;
  const block = renderBlock({
    entries: chosen.entries,
    inFull: inFullOf(held),
    matched: chosen.matched,
    mode: request.mode,
    news: request.news,
    now,
    maxTokens: blockTokens,
    maxTotalTokens: totalTokens - estimateTokens(`${manifest.text}\n`),
    maxCharacters: charactersOf(request) - manifest.text.length - 1,
  });
  const text = [manifest.text, block.text].filter((part) => part !== "").join("\n");
  return { text, shown: block.shown, rev: manifest.rev, degraded: chosen.degraded };
}

/** After a compaction the lines that the session knew come again, and no new ones. */
function shownAgain(
  { source, alreadyShown = [] }: SessionStartRequest,
  trusted: readonly MemoryRecord[],
): ChosenEntries | undefined {
  if (source !== "compact" || alreadyShown.length === 0) return undefined;
  const byId = new Map(trusted.map((memory) => [memory.id, memory]));
  const again = alreadyShown.flatMap((id) => byId.get(id) ?? []);
  return { entries: again.map((memory) => ({ unit: "fact", memory, reason: "" })), matched: true, degraded: [] };
}

function choose(
  deps: SessionStartDeps,
  request: SessionStartRequest,
  trusted: readonly MemoryRecord[],
): Promise<ChosenEntries> {
  const now = deps.now();
  return chooseEntries(deps, {
    projects: request.projects,
    facets: request.facets,
    deadlineAt: request.deadlineAt,
    trusted,
    accepts: (hit) =>
      hit.unit === "chunk"
        ? request.loadedPaths?.has(hit.chunk.path) !== true
        : isTrusted(hit.memory, now) && deps.isWithheld?.(hit.memory) !== true,
  });
}
