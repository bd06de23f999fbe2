/** Builds a golden session from its notation: the files that its host would have written, as texts by relative path. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { writeClaudeCode } from "./claude-code-writer.ts";
import { writeCodex } from "./codex-writer.ts";
import { expandFiller } from "./filler.ts";
import { writeGemini } from "./gemini-writer.ts";
import { parseNotation, type Script } from "./notation.ts";
import { createTicks, type Ticks } from "./ticks.ts";

export const NOTATION = "notation.txt";
const AGENT = /^agent-([\w-]+)\.txt$/;

export interface BuiltSession {
  /** Texts by path below the case's folder. */
  readonly files: ReadonlyMap<string, string>;
  /** It holds generated text, too long to be committed. */
  readonly isGenerated: boolean;
  /** Lines of the transcript when it was first ingested, where the session grew later. */
  readonly firstLines: number | undefined;
}

/** @param folder - One case, with `notation.txt` and `agent-<id>.txt` for each sub-agent. */
export function buildGolden(folder: string, name: string): BuiltSession {
  const script = read(join(folder, NOTATION), name);
  const isGenerated = /^--- filler |\{\{paste /m.test(readFileSync(join(folder, NOTATION), "utf8"));
  const ticks = createTicks(name, script.head.at ?? "2026-04-01T08:00:00Z");
  const lines = write(script, ticks);
  const cut = script.steps.findIndex(({ kind }) => kind === "cut");
  const first = cut === -1 ? undefined : { ...script, steps: script.steps.slice(0, cut) };
  const suffix = script.head.format === "json" ? "json" : "jsonl";
  const files = new Map([[`session.${suffix}`, asText(lines)]]);
  for (const file of readdirSync(folder).sort()) {
    const id = AGENT.exec(file)?.[1];
    if (id === undefined) continue;
    const agentTicks = createTicks(`${name}/${id}`, script.head.agentAt ?? script.head.at ?? "");
    const agent = writeClaudeCode(read(join(folder, file), name), agentTicks, { id, sessionId: "session" });
    files.set(`session/subagents/agent-${id}.jsonl`, asText(agent));
  }
  const firstLines = first === undefined ? undefined : write(first, createTicks(name, script.head.at ?? "")).length - 1;
  return { files, isGenerated, firstLines };
}

/** The transcript alone, of a notation that is no file. */
export function buildText(notation: string, name: string): string {
  const script = parseNotation(notation);
  return asText(write(script, createTicks(name, script.head.at ?? "")));
}

function read(path: string, name: string): Script {
  const script = parseNotation(readFileSync(path, "utf8"));
  return { ...script, steps: expandFiller(script.steps, name) };
}

function write(script: Script, ticks: Ticks): Readonly<Record<string, unknown>>[] {
  const steps = script.steps.filter(({ kind }) => kind !== "cut");
  const host = script.head.host ?? "claude-code";
  if (host === "codex") return writeCodex({ ...script, steps }, ticks);
  if (host === "gemini") return writeGemini({ ...script, steps }, ticks);
  return writeClaudeCode({ ...script, steps }, ticks);
}

function asText(lines: readonly unknown[]): string {
  return lines.map((line) => `${JSON.stringify(line)}\n`).join("");
}
