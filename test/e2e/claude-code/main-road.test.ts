/**
 * The main road with the real Claude Code client: one session teaches, the next is reminded, another project is not.
 * Agent and extractor are scripted models on loopback; client, hooks, worker, store and MCP server are the real ones.
 */
import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ModelCall } from "../../support/scripted-model/script.ts";
import { type ScriptedModel, startScriptedModel } from "../../support/scripted-model/server.ts";
import { type ClaudeResult, installClaude, runClaude } from "./claude-client.ts";
import { agentScript, extractorScript, isMainLoop, sideRequests, userPrompts } from "./sample-task.ts";

const CLI = resolve(import.meta.dirname, "../../../dist/cli/main.js");
const SESSION_TIMEOUT_MS = 120_000;

interface Road extends AsyncDisposable {
  readonly nonce: string;
  readonly model: ScriptedModel;
  arcticmem(cwd: string, ...args: string[]): string;
  /** Runs a session in a project and returns what the agent's model was asked. */
  session(
    cwd: string,
    prompts: readonly string[],
  ): Promise<{ readonly result: ClaudeResult; readonly calls: ModelCall[] }>;
  readonly home: string;
  project(name: string): string;
}

let claude: string;

beforeAll(() => {
  claude = installClaude();
}, 300_000);

/** A home with ArcticMem set up as the README says, its extraction model on loopback. */
async function openRoad(extra: Readonly<Record<string, string>> = {}): Promise<Road> {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "arcticmem-road-")));
  const model = await startScriptedModel([sideRequests]);
  const environment = {
    PATH: process.env.PATH ?? "",
    HOME: home,
    ANTHROPIC_BASE_URL: model.url,
    ANTHROPIC_API_KEY: "loopback",
    SCRIPTED_KEY: "loopback",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    DISABLE_AUTOUPDATER: "1",
    ...extra,
  };
  const road: Road = {
    nonce: `quill${randomBytes(4).toString("hex")}`,
    model,
    home,
    arcticmem: (cwd, ...args) =>
      execFileSync(process.execPath, [CLI, ...args], { cwd, env: environment, encoding: "utf8" }),
    async session(cwd, prompts) {
      const before = model.calls.length;
      const result = await runClaude({ binary: claude, cwd, environment, prompts, timeoutMs: SESSION_TIMEOUT_MS });
      return { result, calls: model.calls.slice(before).filter(isMainLoop) };
    },
    project(name) {
      const cwd = join(home, "work", name);
      mkdirSync(cwd, { recursive: true });
      execFileSync("git", ["init", "--quiet", cwd]);
      return cwd;
    },
    async [Symbol.asyncDispose]() {
      await model.close();
      rmSync(home, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    },
  };
  const provider = ["--provider", "openai-compatible", "--base-url", model.baseUrl, "--model", "scripted"];
  road.arcticmem(home, "init", "--yes", ...provider, "--api-key-env", "SCRIPTED_KEY");
  road.arcticmem(home, "install", "claude-code");
  return road;
}

/** Session 1: the task, the correction, the repair. */
async function learn(road: Road, cwd: string): Promise<void> {
  const task = { cwd, nonce: road.nonce };
  road.model.extend([...agentScript(task), ...extractorScript(task)]);
  const { result } = await road.session(cwd, userPrompts(task));
  expect(result.exitCode, result.stderr + result.output).toBe(0);
}

/** The worker is detached: its work shows in the store some time after the session's end. */
async function untilLearned(road: Road, cwd: string, timeoutMs: number): Promise<boolean> {
  const deadline = Date.now() + timeoutMs;
  while (Date.now() < deadline) {
    if (road.arcticmem(cwd, "list", "--json").includes(road.nonce)) return true;
    await wait(500);
  }
  return false;
}

/** A later session, in which the agent asks for what it is reminded of. */
async function remember(road: Road, cwd: string): Promise<{ readonly first: ModelCall; readonly answer: string }> {
  const query = "an invoice total is off by a cent";
  road.model.extend([
    {
      match: { when: isMainLoop },
      reply: { text: "Let me look.", toolCalls: [{ name: "mcp__arcticmem__memory_search", input: { query } }] },
      times: 1,
    },
    { match: { when: isMainLoop }, reply: "I know now.", times: 1 },
  ]);
  const { result, calls } = await road.session(cwd, ["An invoice total is off by a cent. Please look into it."]);
  expect(result.exitCode, result.stderr + result.output).toBe(0);
  const [first, second] = calls;
  if (first === undefined || second === undefined)
    throw new Error(`the agent made ${calls.length} calls: ${result.output}`);
  return { first, answer: second.messages.at(-1)?.text ?? "" };
}

describe("the main road with the real Claude Code client", () => {
  let road: Road;
  let project: string;

  beforeAll(async () => {
    road = await openRoad();
    project = road.project("billing");
    await learn(road, project);
  }, SESSION_TIMEOUT_MS);
  afterAll(() => road[Symbol.asyncDispose]());

  it("turns the correction of session 1 into a memory, without anybody asking", async () => {
    expect(await untilLearned(road, project, 60_000), road.arcticmem(project, "status")).toBe(true);
  }, 90_000);

  it(
    "puts the memory's title before the model when session 2 starts, and answers memory_search with all of it",
    async () => {
      const { first, answer } = await remember(road, project);
      expect(first.text).toContain("<arcticmem-memories");
      expect(first.text).toContain(`Totals of the ${road.nonce} ledger are rounded once, at the end`);
      expect(answer).toContain(`Invoice totals are compared by the ${road.nonce} ledger`);
      expect(answer).toContain("The user corrected a version that rounded each line.");
      expect(answer).toContain("Add the unrounded lines first and round the sum.");
      expect(answer).toContain("round once at the end, never per line");
      expect(answer).toMatch(/claude-code/);
    },
    SESSION_TIMEOUT_MS,
  );

  it(
    "says nothing of it in another project, neither unasked nor asked",
    async () => {
      const { first, answer } = await remember(road, road.project("elsewhere"));
      expect(first.text).not.toContain(road.nonce);
      expect(answer).not.toContain(road.nonce);
    },
    SESSION_TIMEOUT_MS,
  );
});

describe("the main road with the worker switched off", () => {
  it(
    "reminds of nothing: what the other test sees comes from the worker",
    async () => {
      await using road = await openRoad({ ARCTICMEM_NO_WORKER: "1" });
      const project = road.project("billing");
      await learn(road, project);
      expect(await untilLearned(road, project, 8_000)).toBe(false);
      const { first, answer } = await remember(road, project);
      expect(first.text).not.toContain(road.nonce);
      expect(answer).not.toContain(road.nonce);
    },
    2 * SESSION_TIMEOUT_MS,
  );
});
