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
import { renderManifest } from "./render-manifest.ts";
import { type ChooseDeps, type ChosenEntries, chooseEntries } from "./start/choose-entries.ts";
import { isStatedPreference } from "./start/priors.ts";
import { isTrusted, type TrustedDeps, trustedMemories } from "./start/trusted.ts";

export type SessionStartDeps = ChooseDeps & TrustedDeps;

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
  const maxCharacters = Math.min(MAX_CHARACTERS, request.maxCharacters);
  const { totalTokens, manifestTokens, blockTokens } = request.budget ?? BUDGET;
  const manifest = renderManifest({
    scope: `project:${request.projectName}`,
    memories: held.trusted,
    counts: held.counts,
    unconfirmed: held.unconfirmed,
    maxTokens: Math.min(manifestTokens, totalTokens),
    maxCharacters: Math.floor(maxCharacters * MANIFEST_SHARE),
  });
  if (request.source === "resume" && request.knownRev === manifest.rev) {
    return { text: "", shown: [], rev: manifest.rev, degraded: [] };
  }
  const chosen = shownAgain(request, held.trusted) ?? (await choose(deps, request, held.trusted));
  const block = renderBlock({
    entries: chosen.entries,
    inFull: held.trusted.filter((memory) => memory.pinned || isStatedPreference(memory)),
    matched: chosen.matched,
    mode: request.mode,
    news: request.news,
    now: deps.now(),
    maxTokens: blockTokens,
    maxTotalTokens: totalTokens - estimateTokens(`${manifest.text}\n`),
    maxCharacters: maxCharacters - manifest.text.length - 1,
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
  const again = trusted.filter(({ id }) => alreadyShown.includes(id));
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
