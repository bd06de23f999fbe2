import { type ChildProcess, spawn } from "node:child_process";
import { Client, type ClientOptions } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { CLI, newerNode, openStage, runProcess, type Stage } from "./stage.ts";

let stage: Stage;
beforeEach(() => {
  stage = openStage();
});
afterEach(() => stage.remove());

async function connect(options: ClientOptions, variables: Readonly<Record<string, string>> = {}): Promise<Client> {
  const client = new Client({ name: "e2e", version: "1.0.0" }, options);
  const env = { ...stage.variables, ...variables };
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [CLI, "mcp"],
      cwd: stage.project,
      env,
      stderr: "inherit",
    }),
  );
  return client;
}

async function call(
  client: Client,
  name: string,
  input: Record<string, unknown>,
): Promise<{ text: string; isError: boolean }> {
  const { content, isError } = await client.callTool({ name, arguments: input });
  const parts = Array.isArray(content) ? (content as { type: string; text?: string }[]) : [];
  return { text: parts.map(({ text }) => text ?? "").join("\n"), isError: isError === true };
}

/** Clients of both kinds: with the handshake, and without. */
const KINDS: readonly (readonly [string, ClientOptions])[] = [
  ["with a handshake", { versionNegotiation: { mode: "legacy" } }],
  ["that discovers", { versionNegotiation: { mode: { pin: "2026-07-28" } } }],
];

describe.each(KINDS)("the server, for a client %s", (_name, options) => {
  it("lists its tools, keeps a note, finds, reads, explains and hides it", async () => {
    const client = await connect(options, { CLAUDE_CODE_SESSION_ID: "session-7" });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      "memory_search",
      "memory_get",
      "memory_add",
      "memory_forget",
      "memory_feedback",
      "memory_explain",
    ]);
    for (const tool of tools) expect(tool._meta).toMatchObject({ "anthropic/alwaysLoad": true });

    const added = await call(client, "memory_add", {
      text: "Releases happen on Tuesdays",
      quote: "remember that we release on Tuesdays",
    });
    expect(added).toMatchObject({ isError: false });
    const handle = /[LCPR]-[0-9a-z]{6}/.exec(added.text)?.[0] ?? "";
    expect(added.text).toContain("provisional");

    expect((await call(client, "memory_search", { query: "on which day do we release" })).text).toContain("Tuesdays");
    expect((await call(client, "memory_get", { id: handle })).text).toContain("Releases happen on Tuesdays");
    const { text } = await call(client, "memory_feedback", { id: handle, verdict: "stale", note: "it is Mondays now" });
    expect(text).toContain(`${handle} is disputed from now on`);
    expect((await call(client, "memory_feedback", { id: handle, verdict: "helped" })).text).toContain("counts once");
    expect((await call(client, "memory_search", { query: "on which day do we release" })).text).toContain("disputed");
    expect((await call(client, "memory_explain", { id: handle })).text).toMatch(/disputed by agent.*it is Mondays now/);
    expect((await call(client, "memory_forget", { id: handle, reason: "the user says so" })).text).toContain(
      "arcticmem restore",
    );
    expect((await call(client, "memory_search", { query: "on which day do we release" })).text).not.toContain(
      "Tuesdays",
    );
    await client.close();
  });

  it("answers bad arguments and unknown notes with an error that can be read, and goes on", async () => {
    const client = await connect(options);
    expect(await call(client, "memory_search", { query: 5 })).toMatchObject({ isError: true });
    expect(await call(client, "memory_search", {})).toMatchObject({ isError: true });
    expect(await call(client, "memory_get", { id: "L-zzzzzz" })).toMatchObject({ isError: true });
    expect(await call(client, "memory_feedback", { id: "L-zzzzzz", verdict: "wrong" })).toMatchObject({
      isError: true,
    });
    expect(await call(client, "memory_feedback", { id: "L-zzzzzz", verdict: "great" })).toMatchObject({
      isError: true,
    });
    expect(await call(client, "memory_search", { query: "anything" })).toMatchObject({ isError: false });
    await client.close();
  });

  it("finds the project's rules without having been told to index them", async () => {
    const client = await connect(options);
    await expect
      .poll(
        async () =>
          (await call(client, "memory_search", { query: "are water levels floats or whole millimetres" })).text,
        { timeout: 30_000, interval: 500 },
      )
      .toMatch(/CLAUDE\.md|conventions\.md/);
    await client.close();
  });
});

describe("the server's process", () => {
  function start(): ChildProcess {
    return spawn(process.execPath, [CLI, "mcp"], {
      cwd: stage.project,
      env: { ...stage.variables },
      stdio: ["pipe", "pipe", "pipe"],
    });
  }
  const ended = (child: ChildProcess): Promise<number | null> => new Promise((resolve) => child.on("close", resolve));
  const OPENING = `${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "t", version: "1" } } })}\n`;

  it("ends when its client closes its input, at whatever moment", async () => {
    for (const text of ["", OPENING, `${OPENING}{"jsonrpc":"2.0","id":2,"method":"tools/list"}\n`]) {
      const child = start();
      child.stdin?.end(text);
      expect(await ended(child)).toBe(0);
    }
  });

  it("ends when it is told to", async () => {
    const child = start();
    child.stdin?.write(OPENING);
    await new Promise((resolve) => child.stdout?.once("data", resolve));
    child.kill("SIGTERM");
    expect(await ended(child)).toBe(0);
  });

  it("writes nothing but the protocol to standard output", async () => {
    const messages = [
      "not json",
      '{"jsonrpc":"2.0","id":7,"method":"no/such"}',
      "[]",
      '{"jsonrpc":"2.0","id":8,"method":"tools/list"}',
    ];
    const { stdout } = await runProcess(process.execPath, [CLI, "mcp"], {
      cwd: stage.project,
      env: stage.variables,
      input: `${OPENING}${messages.join("\n")}\n`,
    });
    for (const line of stdout.trimEnd().split("\n")) expect(JSON.parse(line)).toMatchObject({ jsonrpc: "2.0" });
  });
});

describe("the MCP inspector on a newer Node", () => {
  it("lists the tools and calls one", async () => {
    const { node, inspector } = newerNode();
    const inspect = (...argv: string[]) => {
      const server = [node, CLI, "mcp"];
      return runProcess(node, [inspector, "--cli", "-e", `ARCTICMEM_HOME=${stage.memory}`, ...server, ...argv], {
        cwd: stage.project,
        env: stage.variables,
        input: "",
      });
    };
    await stage.arcticmem(["add", "The harbour master signs every release"]);
    const listed = JSON.parse((await inspect("--method", "tools/list")).stdout) as { tools: unknown[] };
    expect(listed.tools).toHaveLength(6);
    const called = await inspect(
      "--method",
      "tools/call",
      "--tool-name",
      "memory_search",
      "--tool-arg",
      "query=the harbour master signs releases",
    );
    expect(called.stdout).toContain("harbour master");
  });
});

describe("two servers and a command line on one store", () => {
  it("lose nothing of what is written at the same time", async () => {
    const clients = await Promise.all([connect({}), connect({})]);
    const add = (client: Client, number: number): Promise<unknown> =>
      call(client, "memory_add", { text: `Buoy ${number} is checked by crew ${number * 7}`, quote: `buoy ${number}` });
    await Promise.all(
      clients.flatMap((client, half) => Array.from({ length: 10 }, (_, index) => add(client, half * 10 + index))),
    );
    await Promise.all(clients.map((client) => client.close()));
    const { stdout } = await stage.arcticmem(["list", "--json"]);
    expect(stdout.trimEnd().split("\n")).toHaveLength(20);
  });
});
