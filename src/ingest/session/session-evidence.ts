/**
 * Where a fact comes from, kept with it: the quotes, the turns around them so that evidence can be opened when the
 * transcript is gone, and the places in the code that it speaks of.
 */
import { hashLine } from "../../core/hash.ts";
import type { RunId } from "../../core/ids.ts";
import { parseObject } from "../../core/json/json-values.ts";
import type { Citation, Fact, Provenance } from "../../core/memory-record.ts";
import type { Session, Turn } from "../../core/session.ts";
import { cutAt } from "../../text/clean.ts";
import { extractSymbols, normaliseSymbol } from "../../text/symbols.ts";

export interface EvidenceContext {
  /** Redacted. */
  readonly session: Session;
  readonly run: RunId;
  readonly transcript: string;
  readonly extractor: string;
  /** Root of the project, for paths relative to it. */
  readonly root: string | null;
}

const MAX_SOURCES = 3;
const NEIGHBOURS = 1;
const TURN_CHARACTERS = 500;
const MAX_CITATIONS = 4;
/** Calls further from the cited turn than this belong to other work. */
const NEAR_TURNS = 4;
const MAX_PATH = 300;

/** One entry for each quote, at most three. */
export function provenanceOf(fact: Pick<Fact, "evidence">, context: EvidenceContext): Provenance[] {
  const { session, run, transcript, extractor } = context;
  return fact.evidence.slice(0, MAX_SOURCES).map(({ turn, quote }) => ({
    kind: "session" as const,
    host: session.host,
    session: session.id,
    run,
    turn,
    quote,
    transcript,
    extractor,
    at: session.turns[turn]?.at ?? session.endedAt,
    excerpt: excerptOf(session, turn),
  }));
}

/** When the fact was said or seen: its latest evidence. */
export function eventTime(fact: Fact, session: Session): Date {
  const times = fact.evidence.map(({ turn }) => (session.turns[turn]?.at ?? session.endedAt).getTime());
  return times.length === 0 ? session.endedAt : new Date(Math.max(...times));
}

/** The cited turn with its neighbours, one line of head for each. */
function excerptOf({ turns }: Session, at: number): string {
  return turns
    .slice(Math.max(0, at - NEIGHBOURS), at + NEIGHBOURS + 1)
    .map((turn) => `[t${turn.index} ${turn.kind}] ${clipped(contentOf(turn), turn.index === at)}`)
    .join("\n");
}

function contentOf({ tool, text }: Turn): string {
  return tool?.args !== undefined && text.trim() === "" ? tool.args : text;
}

function clipped(text: string, isCited: boolean): string {
  const most = isCited ? TURN_CHARACTERS * 2 : TURN_CHARACTERS;
  return text.length <= most ? text : `${cutAt(text, most)} […]`;
}

/**
 * Places in the code that the fact speaks of: files that it names itself, and files touched near its evidence in which
 * one of its names stands.
 */
export function citationsOf(fact: Fact, context: EvidenceContext): Citation[] {
  const text = [fact.title, fact.content, fact.howToApply].join("\n");
  const symbols = [...new Set([...extractSymbols(text), ...fact.symbols])];
  const named = symbols.flatMap((symbol): Citation[] => {
    const path = isFile(symbol) ? relativePath(symbol, context) : undefined;
    return path === undefined ? [] : [{ path, symbol: null, lineHash: null }];
  });
  const names = symbols.filter((symbol) => !isFile(symbol) && normaliseSymbol(symbol).length >= 4);
  const touched = fact.evidence.flatMap(({ turn }) => citationsNear(turn, names, context));
  const unique = new Map([...touched, ...named].map((citation) => [`${citation.path}\n${citation.symbol}`, citation]));
  return [...unique.values()].slice(0, MAX_CITATIONS);
}

function citationsNear(at: number, names: readonly string[], context: EvidenceContext): Citation[] {
  const near = context.session.turns.slice(Math.max(0, at - NEAR_TURNS), at + NEAR_TURNS + 1);
  return near.flatMap((turn) => {
    const path = turn.kind === "tool_call" ? relativePath(pathIn(turn.tool?.args ?? ""), context) : undefined;
    if (path === undefined) return [];
    const written = writtenText(turn.tool?.args ?? "");
    return names.flatMap((symbol): Citation[] => {
      const line = written.split("\n").find((candidate) => candidate.includes(symbol));
      return line === undefined ? [] : [{ path, symbol, lineHash: hashLine(line) }];
    });
  });
}

/** The file that a call names; empty where it names none. */
export function pathIn(args: string): string {
  return (
    /"(?:file_path|filePath|path|notebook_path)"\s*:\s*"((?:[^"\\]|\\.){1,400})"/
      .exec(args)?.[1]
      ?.replace(/\\\\/g, "/") ?? ""
  );
}

/** What an edit wrote; empty for calls that only read. */
function writtenText(args: string): string {
  // a shell's command, or arguments that were cut, hold nothing that could be cited
  const { new_string, newString, new_str, content } = parseObject(args) ?? {};
  return [new_string, newString, new_str, content].filter((value) => typeof value === "string").join("\n");
}

function isFile(symbol: string): boolean {
  return /[\w)]\.[A-Za-z]\w{0,7}$/.test(symbol) && !/^https?:|\s|@/.test(symbol) && !/^[\w-]+\(/.test(symbol);
}

/** Relative to the project with forward slashes; undefined for what lies elsewhere. */
function relativePath(path: string, { root, session }: EvidenceContext): string | undefined {
  let result = path.replace(/\\/g, "/");
  for (const base of [root, session.project.cwd]) {
    const folder = base?.replace(/\\/g, "/").replace(/\/+$/, "");
    if (folder !== undefined && folder !== "" && result.startsWith(`${folder}/`))
      result = result.slice(folder.length + 1);
  }
  result = result.replace(/^(?:\.\/)+/, "");
  const isInside = result !== "" && !/^(?:\/|~|[A-Za-z]:|\.\.)/.test(result) && result.includes("/");
  return isInside && result.length <= MAX_PATH ? result : undefined;
}
