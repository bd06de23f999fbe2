import { describe, expect, it } from "vitest";
import { memoryId, projectId, runId } from "../../src/core/ids.ts";
import type { Memory } from "../../src/core/memory.ts";
import { fakeMemory } from "../support/fake-memory.ts";
import { runCli } from "../support/run-cli.ts";

describe("ingest", () => {
  it("resolves the path and ends with 0 for a session that taught nothing", async () => {
    const memory = fakeMemory();
    const { code, stdout } = await runCli(["ingest", "session.jsonl", "--dry-run"], { memory });
    expect(code).toBe(0);
    expect(memory.calls).toEqual(["ingest /work/billing/session.jsonl"]);
    expect(stdout).toContain("nothing worth keeping (dry run: nothing was written)");
    expect(stdout).toContain("rules, no model");
  });

  it("shows the whole plan: what is added and what it replaces, by which guards, and why", async () => {
    const fact = { title: "Use pnpm", type: "preference", proposed: "DELETE (outdates)", guards: [] } as const;
    const [memory, target] = [memoryId("abcdef000001"), memoryId("uvwxyz000001")];
    const decisions = [
      { ...fact, applied: "DELETE", memory, target, reason: "the lockfile changed" },
      { ...fact, applied: "ADD", memory, target, guards: ["guard:rank"], reason: null },
      { ...fact, applied: "NONE", memory: target, target, reason: null },
    ] as const;
    const ingestReport = { result: { kind: "facts" }, decisions } as const;
    const { stdout } = await runCli(["ingest", "x", "--dry-run"], { memory: fakeMemory({ ingestReport }) });
    expect(stdout).toContain("DELETE P-abcdef  preference  Use pnpm  replaces uvwxyz  the lockfile changed\n");
    expect(stdout).toContain("ADD P-abcdef     preference  Use pnpm  beside uvwxyz  [guard:rank]\n");
    expect(stdout).toContain("NONE P-uvwxyz    preference  Use pnpm\n");
  });

  it("ends with 1 when the run failed, and says whether it will be retried", async () => {
    const result = { kind: "failed", failure: "model", retryable: true, message: "429" } as const;
    const { code, stdout } = await runCli(["ingest", "x"], { memory: fakeMemory({ ingestReport: { result } }) });
    expect(code).toBe(1);
    expect(stdout).toContain("failed (model, will be retried): 429");
  });

  it.each([
    [true, 0, "rules stood in; the session is tried again later"],
    [false, 1, "rules stood in; set that right, then `arcticmem runs retry run-1` asks it"],
  ] as const)("says that the model could not be asked, and what becomes of it (by itself: %s)", async (...row) => {
    const [retryable, exit, later] = row;
    const withoutModel = { run: runId("run-1"), message: "no route to x.", retryable };
    const memory = fakeMemory({ ingestReport: { result: { kind: "facts" }, withoutModel } });
    const { code, stdout } = await runCli(["ingest", "x"], { memory });
    expect(stdout).toContain(`the model could not be asked: no route to x.\n${later}\n`);
    expect(code).toBe(exit);
  });

  it("says why a session was skipped, and whether it is tried again", async () => {
    const result = { kind: "skipped", reason: "budget" } as const;
    const { code, stdout } = await runCli(["ingest", "x"], { memory: fakeMemory({ ingestReport: { result } }) });
    expect(code).toBe(0);
    expect(stdout).toContain("skipped: the budget is used up; it is tried again when the day is over\n");
  });

  it.each([
    [null, "where the session ran"],
    ["/gone", "/gone, its own folder, is not here"],
  ] as const)(
    "names the project where it is not the expected one (folder that is gone: %s)",
    async (goneFolder, why) => {
      const ingestReport = { project: projectId("named:shop"), place: { name: "shop", goneFolder } };
      const { stdout } = await runCli(["ingest", "x"], { memory: fakeMemory({ ingestReport }) });
      expect(stdout).toContain(`project: shop (named:shop): ${why}\n`);
    },
  );

  it("refuses an outcome that does not exist", async () => {
    expect((await runCli(["ingest", "x", "--outcome", "fine"])).code).toBe(2);
  });
});

const DEAD = { run: runId("run-1"), session: "s1", error: "bad reply" };

describe("status and doctor", () => {
  it("says loudly that nothing is being stored, and ends with 1", async () => {
    const store = { path: "/x/memory.db", bytes: 0, writable: false, problem: "disk full" };
    const { code, stdout } = await runCli(["status"], { memory: fakeMemory({ status: { store } }) });
    expect(code).toBe(1);
    expect(stdout).toContain("NOT STORING: disk full");
  });

  it("shows dead letters and whether learning is paused", async () => {
    const memory = fakeMemory({ status: { paused: true, deadLetters: [DEAD] } });
    const { code, stdout } = await runCli(["status"], { memory });
    expect(code).toBe(0);
    expect(stdout).toContain("given up: session s1: bad reply");
    expect(stdout).toContain("paused");
  });

  it("fails the check-up for a session that was given up", async () => {
    const memory = fakeMemory({ status: { deadLetters: [DEAD] } });
    const { code, stdout } = await runCli(["doctor", "--json"], { memory, home: "/nowhere" });
    const checks = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as { name: string; state: string });
    expect(code).toBe(1);
    expect(checks.find(({ name }) => name === "given up")).toMatchObject({
      state: "fail",
      hint: "`arcticmem runs retry run-1` tries again, `arcticmem runs dismiss run-1` leaves it.",
    });
    expect(checks.find(({ name }) => name === "store")?.state).toBe("ok");
  });
});

describe("status and doctor of a memory that can't learn", () => {
  const extractor = {
    mode: "model",
    name: "anthropic:m",
    endpoint: null,
    problem: "MY_KEY holds no API key.",
  } as const;

  it("say why", async () => {
    const memory = fakeMemory({ status: { extractor } });
    const status = await runCli(["status"], { memory });
    expect(status.stdout).toContain("CAN'T LEARN: MY_KEY holds no API key.");
    expect(status.code).toBe(1);
    const { code, stdout } = await runCli(["doctor"], { memory, home: "/nowhere" });
    expect(code).toBe(1);
    expect(stdout).toMatch(/FAIL\s+extractor\s+anthropic:m can't learn: MY_KEY holds no API key\./);
  });

  it("never call a model of a provider one on this machine", async () => {
    const memory = fakeMemory({ status: { extractor: { mode: "model", name: "anthropic:m", endpoint: null } } });
    const { stdout } = await runCli(["doctor"], { memory, home: "/nowhere" });
    expect(stdout).toMatch(/ok\s+extractor\s+anthropic:m at the provider's own address/);
  });
});

describe("runs", () => {
  it.each(["retry", "dismiss"])("%s takes ids, or --dead for all, and one of the two", async (how) => {
    const memory = fakeMemory();
    expect((await runCli(["runs", how, "a", "b"], { memory })).code).toBe(0);
    expect((await runCli(["runs", how, "--dead"], { memory })).stderr).toBe("No run was given up.\n");
    expect(memory.calls).toEqual([`${how} a,b`, `${how} dead`]);
    expect((await runCli(["runs", how], { memory })).code).toBe(2);
    expect((await runCli(["runs", how, "a", "--dead"], { memory })).code).toBe(2);
  });
});

describe("index, work, pause, runs, why, project", () => {
  it("tells what was indexed", async () => {
    expect((await runCli(["index"])).stdout).toBe("+ AGENTS.md\n1 file, 2 passages, 2 embedded\n");
  });

  it("answers each with JSON where asked", async () => {
    for (const argv of [["index"], ["work"], ["status"], ["reindex"], ["pause"], ["resume"], ["project"]]) {
      const { code, stdout } = await runCli([...argv, "--json"]);
      expect(code, argv.join(" ")).toBe(0);
      expect(JSON.parse(stdout), argv.join(" ")).toBeTypeOf("object");
    }
  });

  it("stops indexing when it is interrupted, and ends with 130", async () => {
    const memory = fakeMemory();
    const files: Memory["files"] = {
      ...memory.files,
      async index({ signal } = {}) {
        signal?.throwIfAborted();
        return memory.files.index();
      },
    };
    const reindex: Memory["reindex"] = async (_onProgress, signal) => {
      signal?.throwIfAborted();
      return memory.reindex();
    };
    const setting = { memory: { ...memory, files, reindex }, signal: AbortSignal.abort() };
    expect(await runCli(["index"], setting)).toMatchObject({ code: 130, stdout: "", stderr: "Interrupted.\n" });
    expect(await runCli(["reindex"], setting)).toMatchObject({ code: 130, stdout: "" });
  });

  it("runs the default of a command group", async () => {
    expect((await runCli(["project"])).stdout).toContain("acme/billing");
    expect((await runCli(["runs"])).stderr).toContain("No session was ingested yet.");
  });
});

describe("project", () => {
  const OLD = projectId("gitdir:0123456789abcdef0123");
  const view = { id: OLD, name: "billing", root: "/work/billing", remote: null, by: "git-directory" } as const;

  it("tells after an acceptance what is still filed under the old identity, and how to take it along", async () => {
    const memory = fakeMemory();
    const project: Memory["project"] = {
      ...memory.project,
      current: async () => ({ ...view, pendingOverride: "shop" }),
      acceptOverride: async () => ({ ...view, id: projectId("named:shop"), by: "override", pendingOverride: null }),
      list: async () => [{ ...view, memories: 3 }],
    };
    const { stderr } = await runCli(["project", "accept", "--yes"], { memory: { ...memory, project } });
    expect(stderr).toContain(`3 memories are still filed under ${OLD}: \`arcticmem project merge ${OLD} .\``);
  });

  it("merges into `.` though nothing was kept in this project yet", async () => {
    const memory = fakeMemory();
    const merged: string[][] = [];
    const project: Memory["project"] = {
      ...memory.project,
      current: async () => ({ ...view, id: projectId("git:example.com/acme/new"), pendingOverride: null }),
      list: async () => [{ ...view, memories: 3 }],
      merge: async (...ids) => {
        merged.push(ids);
        return { memories: 3, files: 0 };
      },
    };
    const { code } = await runCli(["project", "merge", OLD, ".", "--yes"], { memory: { ...memory, project } });
    expect({ code, merged }).toEqual({ code: 0, merged: [[OLD, "git:example.com/acme/new"]] });
  });
});
