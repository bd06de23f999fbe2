/** The transcripts of a session's sub-agents, which lie beside the session's own. */
import { readdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { firstTextIn } from "../../core/json/json-values.ts";
import { readHead } from "../normal-form/open-file.ts";

const AGENT_FILE = /^agent-[\w-]+\.jsonl$/;
const HEAD_BYTES = 64 * 1024;

/** Whether a path is a sub-agent's own transcript. */
export function isAgentFile(path: string): boolean {
  return AGENT_FILE.test(basename(path));
}

/**
 * Paths of the sub-agents of the session at `path`: below `<session>/subagents`, and older ones that lie in the same
 * folder and name the session in their first record.
 */
export async function findSubagents(path: string): Promise<string[]> {
  if (isAgentFile(path)) return [];
  const folder = dirname(path);
  const session = basename(path, ".jsonl");
  const own = (await agentFiles(join(folder, session, "subagents"))).sort();
  const older: string[] = [];
  for (const file of (await agentFiles(folder)).sort()) {
    if (firstTextIn(await headOf(file, HEAD_BYTES), "sessionId") === session) older.push(file);
  }
  return [...own, ...older];
}

async function agentFiles(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).filter((name) => AGENT_FILE.test(name)).map((name) => join(folder, name));
  } catch {
    // Most sessions have no sub-agents, and then no folder for them.
    return [];
  }
}

/** The first bytes of a file as text; empty where it vanished or may not be read: it is not looked at further. */
export function headOf(path: string, bytes: number): Promise<string> {
  return readHead(path, bytes).catch(() => "");
}
