/** Sessions in normal form, written as a test reads them: `human("…")`, `runs("npm test", "3 passed")`, `says("Done.")`. */
import { sha256 } from "../../src/core/hash.ts";
import { sessionId } from "../../src/core/ids.ts";
import type { Session, ToolStatus, Turn } from "../../src/core/session.ts";

type Draft = Omit<Turn, "index">;

const START = new Date("2026-03-02T09:00:00Z");

export function human(text: string): Draft[] {
  return [{ kind: "human", text, origin: "human", trust: 3 }];
}

export function says(text: string): Draft[] {
  return [{ kind: "assistant", text, origin: "model", trust: 2 }];
}

export function happens(text: string, origin: Turn["origin"] = "human"): Draft[] {
  return [{ kind: "event", text, origin, trust: 2 }];
}

export interface Ran {
  readonly status?: ToolStatus;
  readonly exitCode?: number;
  /** The user ran it. */
  readonly byUser?: boolean;
}

/** A shell command and its result. */
export function runs(command: string, output = "", { status = "ok", exitCode, byUser = false }: Ran = {}): Draft[] {
  const code = exitCode === undefined ? {} : { exitCode };
  return [
    {
      kind: "tool_call",
      text: "",
      origin: byUser ? "human" : "model",
      trust: 2,
      tool: { name: "Bash", args: command },
    },
    { kind: "tool_result", text: output, origin: "tool_local", trust: 2, tool: { name: "Bash", status, ...code } },
  ];
}

/** A change to a file. */
export function edits(path: string, status: ToolStatus = "ok"): Draft[] {
  const args = JSON.stringify({ file_path: path });
  return [
    { kind: "tool_call", text: "", origin: "model", trust: 2, tool: { name: "Edit", args } },
    {
      kind: "tool_result",
      text: `${path} has been updated`,
      origin: "tool_local",
      trust: 2,
      tool: { name: "Edit", status },
    },
  ];
}

/** What a tool brought from outside the project. */
export function fetches(url: string, output: string): Draft[] {
  return [
    {
      kind: "tool_call",
      text: "",
      origin: "model",
      trust: 2,
      tool: { name: "WebFetch", args: JSON.stringify({ url }) },
    },
    { kind: "tool_result", text: output, origin: "tool_external", trust: 1, tool: { name: "WebFetch", status: "ok" } },
  ];
}

export function buildSession(drafts: readonly (readonly Draft[])[], changes: Partial<Session> = {}): Session {
  const turns = drafts
    .flat()
    .map((draft, index) => ({ ...draft, index, at: new Date(START.getTime() + index * 1000) }));
  return {
    id: sessionId("session-1"),
    host: "claude-code",
    project: { cwd: "/home/ana/work/tidewatch" },
    startedAt: START,
    endedAt: new Date(START.getTime() + turns.length * 1000),
    turns,
    digest: sha256(JSON.stringify(turns)),
    report: { records: turns.length, unparsable: 0, truncated: 0, ignored: {} },
    ...changes,
  };
}
