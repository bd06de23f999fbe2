import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import { firstAnswers, type ServerOffer } from "../../src/mcp/first-answers.ts";
import { openStream } from "../../src/mcp/opening-stream.ts";
import { serveOverSdk } from "../../src/mcp/sdk-server.ts";
import { INSTRUCTIONS, listTools } from "../../src/mcp/tool-list.ts";

const OFFER: ServerOffer = {
  serverInfo: { name: "arcticmem", version: "1.2.3" },
  instructions: INSTRUCTIONS,
  tools: listTools(),
};
const CLIENT = { name: "test", version: "1" };
const ENVELOPE = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": CLIENT,
  "io.modelcontextprotocol/clientCapabilities": {},
};

type Message = Readonly<Record<string, unknown>>;

const initialize = (protocolVersion: string, id: number | string = 1): Message => ({
  jsonrpc: "2.0",
  id,
  method: "initialize",
  params: { protocolVersion, capabilities: { roots: {} }, clientInfo: CLIENT },
});
const request = (id: number, method: string, params?: Message): Message => ({
  jsonrpc: "2.0",
  id,
  method,
  ...(params === undefined ? {} : { params }),
});
const INITIALIZED: Message = { jsonrpc: "2.0", method: "notifications/initialized" };

/** The SDK's answers to messages, by id; `skip` are those that are not waited for. */
async function askSdk(messages: readonly Message[]): Promise<Map<unknown, Message>> {
  const input = new PassThrough();
  const output = new PassThrough();
  serveOverSdk({
    input,
    output,
    serverInfo: OFFER.serverInfo,
    callTool: async () => ({ text: "called", isError: false }),
    onError: () => {},
  });
  const answers = new Map<unknown, Message>();
  const expected = messages.filter((message) => "id" in message).length;
  for (const message of messages) input.write(`${JSON.stringify(message)}\n`);
  let text = "";
  for await (const chunk of output) {
    text += String(chunk);
    for (const line of text.split("\n").slice(0, -1)) {
      const message = JSON.parse(line) as Message;
      answers.set(message.id, message);
    }
    text = text.slice(text.lastIndexOf("\n") + 1);
    if (answers.size === expected) break;
  }
  input.end();
  return answers;
}

const OPENINGS: readonly (readonly [string, readonly Message[]])[] = [
  ...["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05", "2024-10-07"].map(
    (version) =>
      [
        `revision ${version}`,
        [initialize(version), INITIALIZED, request(2, "ping"), request(3, "tools/list")],
      ] as const,
  ),
  ["an id that is a text", [initialize("2025-06-18", "first"), INITIALIZED, request(2, "tools/list", {})]],
  [
    "the revision without a handshake",
    [request(1, "server/discover", { _meta: ENVELOPE }), request(2, "tools/list", { _meta: ENVELOPE })],
  ],
  [
    "a probe that falls back to the handshake",
    [
      request(1, "server/discover", { _meta: ENVELOPE }),
      initialize("2025-11-25", 2),
      INITIALIZED,
      request(3, "tools/list"),
    ],
  ],
];

describe("firstAnswers", () => {
  it.each(OPENINGS)("answers as the SDK does: %s", async (_name, messages) => {
    const answer = firstAnswers(OFFER);
    const fromSdk = await askSdk(messages);
    for (const message of messages.filter((one) => "id" in one)) {
      const first = answer(message);
      expect(first, String(message.method)).toBeDefined();
      expect({ jsonrpc: "2.0", id: first?.id, result: first?.result }).toEqual(fromSdk.get(message.id));
    }
  });

  it.each<readonly [string, readonly Message[], Message]>([
    ["a revision that it does not know", [], initialize("1999-01-01")],
    [
      "a handshake without the client's name",
      [],
      request(1, "initialize", { protocolVersion: "2025-11-25", capabilities: {} }),
    ],
    ["a list before any opening", [], request(1, "tools/list")],
    [
      "a probe of another revision",
      [],
      request(1, "server/discover", {
        _meta: { ...ENVELOPE, "io.modelcontextprotocol/protocolVersion": "2027-01-01" },
      }),
    ],
    ["a page of the list", [initialize("2025-11-25")], request(2, "tools/list", { cursor: "x" })],
    ["a call", [initialize("2025-11-25")], request(2, "tools/call", { name: "memory_search" })],
    ["a modern request in a legacy session", [initialize("2025-11-25")], request(2, "tools/list", { _meta: ENVELOPE })],
    ["a notification", [], INITIALIZED],
    ["nonsense", [], { hello: "world" }],
  ])("leaves to the SDK: %s", (_name, before, message) => {
    const answer = firstAnswers(OFFER);
    for (const earlier of before) answer(earlier);
    expect(answer(message)).toBeUndefined();
  });
});

describe("openStream", () => {
  const LEGACY = [initialize("2025-11-25"), INITIALIZED, request(2, "tools/list")];
  const write = (stream: PassThrough, messages: readonly Message[]): void => {
    for (const message of messages) stream.write(`${JSON.stringify(message)}\n`);
  };
  const linesOf = (text: string): Message[] =>
    text
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Message);

  it("answers the opening itself, and the SDK every request once after it", async () => {
    const input = new PassThrough();
    const output = new PassThrough();
    let text = "";
    output.on("data", (chunk) => {
      text += String(chunk);
    });
    const stream = openStream({ input, output, answer: firstAnswers(OFFER) });
    write(input, LEGACY);
    await stream.isOver;
    expect(linesOf(text).map(({ id }) => id)).toEqual([1, 2]);

    write(input, [request(3, "ping")]);
    serveOverSdk({
      ...stream.handOver(),
      serverInfo: OFFER.serverInfo,
      callTool: async (tool, args) => ({ text: `${tool.name} ${JSON.stringify(args)}`, isError: false }),
      onError: (error) => expect.unreachable(error.message),
    });
    write(input, [request(4, "tools/call", { name: "memory_get", arguments: { id: "L-1" } })]);
    await expect.poll(() => linesOf(text).length).toBeGreaterThanOrEqual(4);
    input.end();
    const answers = linesOf(text);
    expect(answers.map(({ id }) => id).toSorted()).toEqual([1, 2, 3, 4]);
    expect(answers.find(({ id }) => id === 4)?.result).toEqual({
      content: [{ type: "text", text: 'memory_get {"id":"L-1"}' }],
    });
  });

  it("reads messages that come in pieces, split within a character", async () => {
    const input = new PassThrough();
    const output = new PassThrough();
    const stream = openStream({ input, output, answer: firstAnswers(OFFER) });
    const named = {
      ...initialize("2025-11-25"),
      params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "Клиент", version: "1" } },
    };
    const bytes = Buffer.from(`${JSON.stringify(named)}\n${JSON.stringify(request(2, "tools/list"))}\n`);
    for (let at = 0; at < bytes.length; at += 7) input.write(bytes.subarray(at, at + 7));
    await stream.isOver;
    expect(linesOf(String(output.read())).map(({ id }) => id)).toEqual([1, 2]);
  });

  it.each([
    ["a request that it can't answer", `${JSON.stringify(request(1, "tools/call"))}\n`],
    ["nonsense", "hello\n"],
    ["a line without an end", "x".repeat(1_000_001)],
  ])("is over at once for %s", async (_name, text) => {
    const input = new PassThrough();
    const stream = openStream({ input, output: new PassThrough(), answer: firstAnswers(OFFER) });
    input.write(text);
    await stream.isOver;
  });

  it("is over when the client goes away", async () => {
    const input = new PassThrough();
    const stream = openStream({ input, output: new PassThrough(), answer: firstAnswers(OFFER) });
    input.end();
    await stream.isOver;
  });
});
