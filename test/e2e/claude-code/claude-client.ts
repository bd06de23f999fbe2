/**
 * The real Claude Code client, installed from npm once per machine and driven without a network: its home is a
 * temporary folder, its model a loopback address.
 */
import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The newest version that a Node 20 machine installs. */
const CLIENT_VERSION = "2.1.197";

/** Installs the client into a cache outside the project. @returns Path of its binary. */
export function installClaude(): string {
  const folder = join(tmpdir(), `arcticmem-e2e-claude-${CLIENT_VERSION}`);
  const binary = join(folder, "node_modules", ".bin", "claude");
  if (existsSync(binary)) return binary;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "claude-cache", private: true }));
  const args = ["install", "--no-audit", "--no-fund", `@anthropic-ai/claude-code@${CLIENT_VERSION}`];
  execFileSync("npm", args, { cwd: folder, stdio: "pipe" });
  return binary;
}

export interface ClaudeSession {
  readonly binary: string;
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
  /** What the user types, one after the other, each after the answer to the one before. */
  readonly prompts: readonly string[];
  readonly timeoutMs: number;
}

export interface ClaudeResult {
  readonly sessionId: string;
  readonly exitCode: number | null;
  /** The client's own stream of messages, for looking at when a test fails. */
  readonly output: string;
  readonly stderr: string;
}

/** Runs one whole session: all prompts, then the end of input, then the client's own end. */
export async function runClaude(session: ClaudeSession): Promise<ClaudeResult> {
  const args = ["-p", "--input-format", "stream-json", "--output-format", "stream-json", "--verbose"];
  const allowed = ["--allowedTools", "Bash,Write,Edit,Read,mcp__arcticmem"];
  const child = spawn(session.binary, [...args, ...allowed], {
    cwd: session.cwd,
    env: session.environment,
    stdio: ["pipe", "pipe", "pipe"],
  });
  const timer = setTimeout(() => child.kill("SIGKILL"), session.timeoutMs);
  let output = "";
  let stderr = "";
  let buffered = "";
  let sessionId = "";
  const waiting = [...session.prompts];
  const sendNext = (): void => {
    const prompt = waiting.shift();
    if (prompt === undefined) child.stdin.end();
    else child.stdin.write(`${JSON.stringify({ type: "user", message: { role: "user", content: prompt } })}\n`);
  };
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text;
    buffered += text;
    const lines = buffered.split("\n");
    buffered = lines.pop() ?? "";
    for (const line of lines) {
      const message = JSON.parse(line) as { type: string; session_id?: string };
      sessionId = message.session_id ?? sessionId;
      if (message.type === "result") sendNext();
    }
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  sendNext();
  const exitCode = await new Promise<number | null>((resolve) => child.on("close", resolve));
  clearTimeout(timer);
  return { sessionId, exitCode, output, stderr };
}
