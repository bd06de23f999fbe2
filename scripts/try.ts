/**
 * Walks the main road in front of the reader's eyes, with the built package and a throw-away home: a sample workspace is
 * indexed, a session becomes memories, and the memories come back in the next session's start and in a search. No
 * network, no key, and nothing of the reader's own is touched.
 *
 *   npm run try
 *   npm run try -- --session FILE --ask TEXT
 */
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

const ROOT = resolve(import.meta.dirname, "..");
const CLI = join(ROOT, "dist/cli/main.js");
const HOOK = join(ROOT, "dist/hooks/run-hook.js");
const SAMPLE_WORKSPACE = join(ROOT, "test/fixtures/workspaces/tidewatch");
const SAMPLE_SESSION = join(ROOT, "test/fixtures/sessions/claude-code-correction.jsonl");
const SAMPLE_QUESTION = "a gauge station delivers readings that are an hour off";

interface Stage {
  readonly cwd: string;
  readonly environment: Record<string, string>;
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

function heading(text: string): void {
  say(`\n\x1b[1m── ${text}\x1b[0m`);
}

/** A home and a checkout of the sample workspace that are gone when the walk is over. No worker: the walk works itself. */
function setTheStage(folder: string): Stage {
  const cwd = join(folder, "tidewatch");
  cpSync(SAMPLE_WORKSPACE, cwd, { recursive: true });
  const git = (...args: string[]): void => {
    const identity = ["-c", "user.name=Sample", "-c", "user.email=sample@example.invalid"];
    execFileSync("git", [...identity, ...args], { cwd, stdio: "ignore" });
  };
  git("init", "--quiet", "--initial-branch", "station-firmware");
  git("add", ".");
  git("commit", "--quiet", "--message", "Sample workspace");
  const { PATH = "", SystemRoot = "" } = process.env;
  return {
    cwd,
    environment: {
      PATH,
      SystemRoot,
      HOME: folder,
      USERPROFILE: folder,
      ARCTICMEM_HOME: join(folder, "arcticmem"),
      ARCTICMEM_NO_WORKER: "1",
    },
  };
}

function arcticmem(stage: Stage, ...args: string[]): string {
  return execFileSync(process.execPath, [CLI, ...args], {
    cwd: stage.cwd,
    env: stage.environment,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });
}

function show(stage: Stage, ...args: string[]): void {
  say(`$ arcticmem ${args.join(" ")}`);
  say(arcticmem(stage, ...args).trimEnd());
}

/** @returns Whether a command spoke for itself: its own words stand on the screen, and a stack below them helps nobody. */
function hasSpoken(thrown: unknown): boolean {
  return thrown instanceof Error && "status" in thrown && typeof thrown.status === "number";
}

/** What the hook gives the agent when the next session starts, as Claude Code would read it. */
function injectedBlock(stage: Stage): string {
  const payload = { session_id: "next-session", cwd: stage.cwd, hook_event_name: "SessionStart", source: "startup" };
  const env = { ...stage.environment, CLAUDECODE: "1" };
  const printed = execFileSync(process.execPath, [HOOK, "claude-code"], {
    cwd: stage.cwd,
    env,
    input: JSON.stringify(payload),
    encoding: "utf8",
  });
  if (printed.trim() === "") return "(nothing to say)";
  const answer = JSON.parse(printed) as { hookSpecificOutput?: { additionalContext?: string } };
  return answer.hookSpecificOutput?.additionalContext ?? "(nothing to say)";
}

/** Asks the real MCP server, as an agent does in mid-task. */
async function askServer(stage: Stage, question: string): Promise<string> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [CLI, "mcp"],
    cwd: stage.cwd,
    env: stage.environment,
    stderr: "inherit",
  });
  const client = new Client({ name: "arcticmem-try", version: "1.0.0" });
  await client.connect(transport);
  try {
    const answer = await client.callTool({ name: "memory_search", arguments: { query: question } });
    return answer.content.map((part) => (part.type === "text" ? part.text : `(${part.type})`)).join("\n");
  } finally {
    await client.close();
  }
}

async function walk(stage: Stage, session: string, question: string): Promise<void> {
  heading("1. The rules that people wrote in the workspace are indexed (tier 1)");
  show(stage, "index");

  heading("2. A session becomes memories (tier 2)");
  show(stage, "ingest", session, "--host", "claude-code");

  heading("3. What was kept, with its evidence");
  const memories = JSON.parse(`[${arcticmem(stage, "list", "--json").trim().split("\n").join(",")}]`) as {
    handle: string;
  }[];
  if (memories.length === 0)
    say("Nothing: the session taught nothing that is worth keeping, or its outcome was a failure.");
  for (const { handle } of memories) show(stage, "show", handle);

  heading("4. The next session starts: what the agent is given unasked");
  say(injectedBlock(stage));

  heading(`5. In mid-task the agent calls memory_search("${question}")`);
  say(await askServer(stage, question));

  heading("What ran");
  const status = JSON.parse(arcticmem(stage, "status", "--json")) as {
    extractor: { mode: string; name: string };
    embedder: { name: string };
  };
  const extractor =
    status.extractor.mode === "rules"
      ? `${status.extractor.name}: rule-based, no language model; what it found is marked as unreviewed`
      : status.extractor.name;
  say(`extractor: ${extractor}`);
  say(`embedder:  ${status.embedder.name}, embedded in the package`);
  say("network:   none");
}

const folder = mkdtempSync(join(tmpdir(), "arcticmem-try-"));
try {
  const { values } = parseArgs({ options: { session: { type: "string" }, ask: { type: "string" } } });
  const session = values.session === undefined ? SAMPLE_SESSION : resolve(values.session);
  await walk(setTheStage(folder), session, values.ask ?? SAMPLE_QUESTION);
} catch (thrown) {
  if (!hasSpoken(thrown)) process.stderr.write(`error: ${thrown instanceof Error ? thrown.message : String(thrown)}\n`);
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
}
