/** Records in the form that Claude Code writes, for tests that need one that no fixture has. */
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

export type RawRecord = Readonly<Record<string, unknown>>;

export interface RecordWriter {
  /** Every record so far, as lines. */
  readonly records: RawRecord[];
  user(content: unknown, more?: RawRecord): string;
  assistant(content: readonly RawRecord[], more?: RawRecord): string;
  result(call: string, content: unknown, more?: RawRecord): string;
  add(record: RawRecord): void;
  /** The record that the next one follows. */
  follow(uuid: string | null): void;
}

/** Gives ids, times and parents as Claude Code does. */
export function claudeRecords(cwd = "/home/ana/work/tidewatch"): RecordWriter {
  const records: RawRecord[] = [];
  let parent: string | null = null;
  const push = (type: string, record: RawRecord): string => {
    const uuid = `u${records.length}`;
    const timestamp = new Date(Date.UTC(2026, 2, 1, 9, 0, records.length)).toISOString();
    records.push({
      parentUuid: parent,
      isSidechain: false,
      userType: "external",
      cwd,
      sessionId: "s",
      version: "2.1.332",
      gitBranch: "main",
      type,
      uuid,
      timestamp,
      ...record,
    });
    parent = uuid;
    return uuid;
  };
  return {
    records,
    user: (content, more = {}) => push("user", { message: { role: "user", content }, ...more }),
    assistant: (content, more = {}) =>
      push("assistant", { message: { id: `m${records.length}`, role: "assistant", content }, ...more }),
    result(call, content, more = {}) {
      const { is_error, ...record } = more;
      const block = { type: "tool_result", tool_use_id: call, content, ...(is_error === true ? { is_error } : {}) };
      return push("user", { message: { role: "user", content: [block] }, ...record });
    },
    add: (record) => void records.push(record),
    follow: (uuid) => {
      parent = uuid;
    },
  };
}

/** Writes lines into a file below a new folder. @returns The file's path. */
export function writeLines(lines: readonly (RawRecord | string)[], name = "s.jsonl"): string {
  const path = join(mkdtempSync(join(tmpdir(), "arcticmem-test-")), name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, lines.map((line) => `${typeof line === "string" ? line : JSON.stringify(line)}\n`).join(""));
  return path;
}
