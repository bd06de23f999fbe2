/** The commands of a session with how they ended, and which files were changed between them. */
import { type JsonObject, parseObject } from "../../../core/json/json-values.ts";
import type { Trust } from "../../../core/memory-record.ts";
import type { Profile } from "../../../core/profile.ts";
import type { Session, Turn } from "../../../core/session.ts";
import { errorSignatures, normaliseErrorMessage } from "../../../text/error-signature.ts";
import { isTellingError } from "./telling-error.ts";

export interface CommandRun {
  /** Turn of the call, and of its result. */
  readonly call: number;
  readonly result: number;
  readonly command: string;
  /** What kind of run it is: its program and subcommand, or `verify` number n of the profile. */
  readonly family: string;
  /** It checks the work: a test, a build, a linter. */
  readonly checks: boolean;
  readonly ok: boolean;
  /** The line that names the error, as printed; null for a run that went well or failed without one. */
  readonly errorLine: string | null;
  readonly signature: string | null;
  /** Those of all its errors. */
  readonly signatures: readonly string[];
  /** The least trust of call and result. */
  readonly trust: Trust;
}

export interface FileEdit {
  readonly turn: number;
  readonly path: string;
  readonly before: string | null;
  readonly after: string | null;
}

const MAX_ERROR_LINE = 140;
/** Time, process and level of a line of a log. */
const LOG_HEAD = /^\s*\[?\d[\d.:,TZ/ -]*\]?\s+(?:[A-Z]\s+)?/;
const VERIFY = "verify ";

/** Runs of a shell in the order of their results; denied ones are none. */
export function commandRuns(session: Session, profile: Profile): CommandRun[] {
  return callsWithResults(session.turns).flatMap(({ call, result }) => {
    const run = runOf(call, result, profile);
    return run === undefined ? [] : [run];
  });
}

/** Each result with its call: by the host's id, else the call before it. */
function callsWithResults(turns: readonly Turn[]): { readonly call: Turn; readonly result: Turn }[] {
  const calls = turns.filter(({ kind }) => kind === "tool_call");
  const byId = new Map(calls.map((call) => [call.tool?.callId, call]));
  return turns.flatMap((result) => {
    if (result.kind !== "tool_result") return [];
    const id = result.tool?.callId;
    const named = id === undefined ? undefined : byId.get(id);
    const call = named ?? calls.findLast(({ index }) => index < result.index);
    return call === undefined ? [] : [{ call, result }];
  });
}

function runOf(call: Turn, result: Turn, profile: Profile): CommandRun | undefined {
  const command = call.tool?.args?.trim() ?? "";
  const status = result.tool?.status;
  if (command === "" || /^[{[]/.test(command) || (status !== "ok" && status !== "error")) return undefined;
  if (result.origin !== "tool_local") return undefined;
  const ok = status === "ok" && (result.tool?.exitCode ?? 0) === 0;
  const errorLine = ok ? null : errorLineIn(result.text);
  const family = familyOf(command, profile);
  return {
    call: call.index,
    result: result.index,
    command,
    family,
    checks: family.startsWith(VERIFY),
    ok,
    errorLine,
    signature: errorLine === null ? null : normaliseErrorMessage(errorLine),
    signatures: ok ? [] : errorLinesIn(result.text).map(normaliseErrorMessage),
    trust: Math.min(call.trust, result.trust) as Trust,
  };
}

/** The printed line that names something, else the first that reports an error. */
function errorLineIn(text: string): string | null {
  const found = errorLinesIn(text);
  const line = found.find(isTellingError) ?? found[0] ?? "";
  return line === "" || line.length > 400 ? null : line.slice(0, MAX_ERROR_LINE);
}

function errorLinesIn(text: string): string[] {
  const lines = text.split("\n");
  return errorSignatures(text).flatMap((signature) => {
    const line = lines.find((candidate) => normaliseErrorMessage(candidate) === signature);
    return line === undefined ? [] : [line.replace(/\s+/g, " ").replace(LOG_HEAD, "").trim()];
  });
}

/** `npm run build` of `cd app && CI=1 npm run build -- --watch`. */
function familyOf(command: string, profile: Profile): string {
  const verify = profile.outcome.verifyCommands.findIndex((pattern) => new RegExp(pattern, "i").test(command));
  if (verify !== -1) return `${VERIFY}${verify}`;
  const own =
    command
      .split(/&&|;|\|\|?/)
      .map((part) => part.trim())
      .find((part) => !/^(?:cd|export|source|set)\b/.test(part)) ?? command;
  const words = own.split(/\s+/).filter((word) => !/^(?:sudo|env|time|npx|\w+=\S*)$/.test(word));
  const [program = "", second = ""] = words;
  const third = /^(?:run|exec|-m|compose)$/.test(second) ? ` ${words[2] ?? ""}` : "";
  return /^[a-z][\w:-]*$|^-m$/i.test(second) ? `${program} ${second}${third}` : program;
}

/** Changes of files by the profile's edit tools that were not refused. */
export function fileEdits(session: Session, profile: Profile): FileEdit[] {
  const failed = new Set(
    session.turns
      .filter(({ kind, tool }) => kind === "tool_result" && (tool?.status === "error" || tool?.status === "denied"))
      .map(({ tool }) => tool?.callId),
  );
  return session.turns.flatMap((turn) => {
    const { tool } = turn;
    if (turn.kind !== "tool_call" || tool === undefined || !profile.outcome.editTools.includes(tool.name)) return [];
    if (tool.callId !== undefined && failed.has(tool.callId)) return [];
    return editsIn(tool.args ?? "").map((edit) => ({ turn: turn.index, ...edit }));
  });
}

/** Files that a patch names; `apply_patch` of Codex. */
export const PATCHED = /^\*\*\* (?:Update|Add|Delete) File: (.+)$/gm;

function editsIn(args: string): Omit<FileEdit, "turn">[] {
  const patched = Array.from(args.matchAll(PATCHED), ([, path = ""]) => ({
    path: path.trim(),
    before: null,
    after: null,
  }));
  const edit = patched.length > 0 ? undefined : editOf(args);
  return edit === undefined ? patched : [edit];
}

function editOf(args: string): Omit<FileEdit, "turn"> | undefined {
  const fields = parseObject(args) ?? {}; // of a host that renders its edits as text there is nothing small to tell
  const path = textOf(fields, ["file_path", "filePath", "path", "notebook_path"]);
  if (path === null) return undefined;
  return {
    path,
    before: textOf(fields, ["old_string", "oldString", "old_str"]),
    after: textOf(fields, ["new_string", "newString", "new_str"]),
  };
}

function textOf(fields: JsonObject, names: readonly string[]): string | null {
  for (const name of names) {
    const value = fields[name];
    if (typeof value === "string") return value;
  }
  return null;
}
