/**
 * Builds a session in normal form from what a host's reader found. All rules that hold for every host stand here:
 * cleaning, injected text, private spans, clipping, folding of repeats, lineage trust, the digest.
 */
import { given } from "../../core/given.ts";
import { sha256 } from "../../core/hash.ts";
import type { SessionId } from "../../core/ids.ts";
import type { Trust } from "../../core/memory-record.ts";
import type { FormatReport, Session, SessionProject, ToolUse, Turn, TurnKind, TurnOrigin } from "../../core/session.ts";
import { cleanText } from "../../text/clean.ts";
import { homeFromPath, rewriteHome } from "../../text/home-paths.ts";
import { containsSentinel, privateContents, stripInjectedSpans, stripPrivateSpans } from "../../text/injected-spans.ts";
import { type ClippedText, clipText, maskBinary } from "./clip.ts";
import { foldRepeat } from "./fold-repeats.ts";
import { createTrustTracker } from "./trust-tracker.ts";

/** A turn as a host's reader found it. */
export interface TurnDraft {
  readonly kind: TurnKind;
  /** For a tool call: its arguments, as in `tool.args`. */
  readonly text: string;
  readonly origin: TurnOrigin;
  readonly at?: Date | undefined;
  readonly tool?: ToolUse | undefined;
  /** Only to lower the trust that follows from the origin. */
  readonly trust?: Trust;
}

export interface SessionHead {
  readonly id: SessionId;
  readonly host: string;
  readonly project: SessionProject;
  readonly parentId?: SessionId | undefined;
  readonly isSubagent?: boolean;
}

export interface SessionEnding {
  readonly report: FormatReport;
  readonly endedBy?: Session["endedBy"] | undefined;
  /** Stands for both ends of a session whose records carry no time. */
  readonly fallbackTime: Date;
}

export interface SessionBuilder {
  /** Injected turns and turns that nothing is left of are dropped. */
  add(draft: TurnDraft): void;
  /** Text that a hook or the host put before the model: whoever repeats it repeats us. */
  noteInjected(text: string): void;
  /** Call once, at the end. */
  finish(ending: SessionEnding): Session;
}

/** Private text shorter than this is too common to be searched for elsewhere. */
const MIN_PRIVATE_CHARACTERS = 8;

export function createSessionBuilder(head: SessionHead): SessionBuilder {
  const roots = rootsOf(head.project);
  const trusts = createTrustTracker();
  const turns: Omit<Turn, "index">[] = [];
  const privates = new Set<string>();
  let isSentinel = false;

  const textOf = (kind: TurnKind, raw: string): string => {
    const cleaned = cleanText(raw);
    for (const content of privateContents(cleaned)) {
      if (content.length >= MIN_PRIVATE_CHARACTERS) privates.add(content);
    }
    const open = isTool(kind) ? stripPrivateSpans(cleaned) : stripInjectedSpans(cleaned);
    return rewriteHome(maskBinary(withoutPrivates(open, privates)), roots);
  };

  return {
    add(draft) {
      if (draft.kind === "human" && containsSentinel(draft.text)) isSentinel = true;
      const text = textOf(draft.kind, draft.text);
      if (text.trim() === "" && !isTool(draft.kind)) return;
      const trust = trusts.judge(draft, text);
      if (draft.origin === "injected") return;
      const turn = shapeTurn(draft, text, trust);
      if (!foldRepeat(turns, turn)) turns.push(turn);
    },
    noteInjected: (text) => trusts.noteInjected(rewriteHome(cleanText(text), roots)),
    finish: (ending) => finishSession({ head, ending, turns, isSentinel }),
  };
}

function shapeTurn(draft: TurnDraft, text: string, trust: Trust): Omit<Turn, "index"> {
  const clipped: ClippedText = isTool(draft.kind) ? clipText(text) : { text };
  return {
    kind: draft.kind,
    text: clipped.text,
    origin: draft.origin,
    trust,
    ...given({
      tool: draft.tool && withArgs(draft.tool, draft.kind, clipped.text),
      at: draft.at,
      elided: clipped.elided,
    }),
  };
}

/** A call's arguments are its text, cleaned and clipped; a result repeats none. */
function withArgs(tool: ToolUse, kind: TurnKind, text: string): ToolUse {
  const { args: _, ...rest } = tool;
  return kind === "tool_call" ? { ...rest, args: text } : rest;
}

interface Finished {
  readonly head: SessionHead;
  readonly ending: SessionEnding;
  readonly turns: readonly Omit<Turn, "index">[];
  readonly isSentinel: boolean;
}

function finishSession({ head, ending, turns, isSentinel }: Finished): Session {
  const times = turns.flatMap((turn) => (turn.at === undefined ? [] : [turn.at.getTime()]));
  const fallback = ending.fallbackTime.getTime();
  const startedAt = times.reduce((least, time) => Math.min(least, time), times[0] ?? fallback);
  const endedAt = times.reduce((most, time) => Math.max(most, time), times[0] ?? fallback);
  return {
    id: head.id,
    host: head.host,
    project: head.project,
    startedAt: new Date(startedAt),
    endedAt: new Date(endedAt),
    turns: turns.map((turn, index) => ({ index, ...turn })),
    ...given({ parentId: head.parentId, endedBy: ending.endedBy }),
    ...(head.isSubagent === true ? { isSubagent: true } : {}),
    ...(isSentinel ? { sentinel: true } : {}),
    digest: digestOf(turns),
    report: ending.report,
  };
}

/** Times and ids stay out, so that a fork or a copy of a session is recognised as the same. */
function digestOf(turns: readonly Omit<Turn, "index">[]): string {
  const canonical = turns.map(({ kind, text, tool, origin, trust, elided, repeats }) => [
    kind,
    text,
    tool === undefined ? null : [tool.name, tool.args ?? null, tool.status ?? null, tool.exitCode ?? null],
    origin,
    trust,
    elided?.sha256 ?? null,
    repeats ?? 0,
  ]);
  return sha256(JSON.stringify(canonical));
}

function isTool(kind: TurnKind): boolean {
  return kind === "tool_call" || kind === "tool_result";
}

function withoutPrivates(text: string, privates: ReadonlySet<string>): string {
  let result = text;
  for (const content of privates) {
    if (result.includes(content)) result = result.replaceAll(content, "[private]");
  }
  return result;
}

function rootsOf({ cwd }: SessionProject): { home?: string; root?: string } {
  return cwd === undefined ? {} : { root: cwd, ...given({ home: homeFromPath(cwd) }) };
}
