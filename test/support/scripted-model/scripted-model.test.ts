import { describe, expect, it } from "vitest";
import type { ScriptEntry } from "./script.ts";
import { type ScriptedModel, startScriptedModel, UNMATCHED_STATUS } from "./server.ts";

const chat = (server: ScriptedModel, text: string, more: object = {}) =>
  fetch(`${server.baseUrl}/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-arcticmem-stage": "extract" },
    body: JSON.stringify({ model: "m", messages: [{ role: "user", content: text }], ...more }),
  });

const messages = (server: ScriptedModel, more: object = {}) =>
  fetch(`${server.url}/v1/messages?beta=true`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      model: "claude",
      max_tokens: 10,
      system: [{ type: "text", text: "You are an agent." }],
      tools: [{ name: "Bash" }, { name: "mcp__arcticmem__memory_search" }],
      messages: [
        {
          role: "user",
          content: [{ type: "tool_result", tool_use_id: "x", content: [{ type: "text", text: "found it" }] }],
        },
      ],
      ...more,
    }),
  });

/** The events of a stream, parsed. */
async function eventsOf(response: Response): Promise<{ type: string; [key: string]: unknown }[]> {
  const lines = (await response.text()).split("\n").filter((line) => line.startsWith("data: {"));
  return lines.map((line) => JSON.parse(line.slice(6)));
}

describe("the scripted model", () => {
  it("answers 599 to what the script does not expect, and fails the test that disposes of it", async () => {
    const server = await startScriptedModel([{ match: { stage: "judge" }, reply: "x" }]);
    expect((await chat(server, "hello")).status).toBe(UNMATCHED_STATUS);
    expect(() => server.assertAllMatched()).toThrow(/stage extract.*hello/);
    await expect(server[Symbol.asyncDispose]()).rejects.toThrow("unexpected model calls");
  });

  it("matches by stage, words, position and number of times, first entry first", async () => {
    const script: ScriptEntry[] = [
      { match: { stage: "extract", contains: ["gauge", "UTC"] }, reply: "both words" },
      { match: { callIndex: 0 }, reply: "first call" },
      { match: {}, reply: "once", times: 1 },
      { match: { when: ({ messages: all }) => all.length === 1 }, reply: ({ callIndex }) => ({ callIndex }) },
    ];
    await using server = await startScriptedModel(script);
    const texts = ["nothing", "gauge in UTC", "nothing", "nothing"];
    const replies: string[] = [];
    for (const text of texts) {
      const body = (await (await chat(server, text)).json()) as { choices: { message: { content: string } }[] };
      replies.push(body.choices[0]?.message.content ?? "");
    }
    expect(replies).toEqual(["first call", "both words", "once", '{"callIndex":3}']);
    expect(server.callsOf("extract")).toHaveLength(4);
  });

  it("streams OpenAI chunks whose pieces make up the reply", async () => {
    await using server = await startScriptedModel([{ match: {}, reply: "gauge ".repeat(40) }]);
    const events = await eventsOf(await chat(server, "x", { stream: true }));
    const text = events
      .map((event) => (event.choices as { delta: { content?: string } }[])[0]?.delta.content ?? "")
      .join("");
    expect(text).toBe("gauge ".repeat(40));
  });

  it("speaks Anthropic's messages, tool calls included, whole and streamed", async () => {
    const reply = {
      text: "I search.",
      toolCalls: [{ name: "mcp__arcticmem__memory_search", input: { query: "gauge" } }],
    };
    await using server = await startScriptedModel([{ match: { protocol: "anthropic", contains: "found it" }, reply }]);
    const whole = (await (await messages(server)).json()) as { content: { type: string }[]; stop_reason: string };
    expect(whole.content.map(({ type }) => type)).toEqual(["text", "tool_use"]);
    expect(whole.stop_reason).toBe("tool_use");

    const events = await eventsOf(await messages(server, { stream: true }));
    expect(events[0]?.type).toBe("message_start");
    expect(events.at(-1)?.type).toBe("message_stop");
    const json = events
      .map(({ delta }) => (delta as { partial_json?: string } | undefined)?.partial_json ?? "")
      .join("");
    expect(JSON.parse(json)).toEqual({ query: "gauge" });
    expect(server.calls[0]).toMatchObject({
      system: "You are an agent.",
      stage: null,
      tools: ["Bash", "mcp__arcticmem__memory_search"],
    });
  });

  it("drops the connection, cuts the body, answers errors with headers", async () => {
    await using server = await startScriptedModel([
      { match: { contains: "close" }, closeSocket: true },
      { match: { contains: "cut" }, reply: "a reply", cutAfterBytes: 20 },
      { match: { contains: "busy" }, status: 429, headers: { "retry-after": "3" }, reply: "slow down" },
    ]);
    await expect(chat(server, "close")).rejects.toThrow();
    await expect(chat(server, "cut").then((response) => response.text())).rejects.toThrow();
    const busy = await chat(server, "busy");
    expect([busy.status, busy.headers.get("retry-after")]).toEqual([429, "3"]);
    expect(await busy.text()).toContain("slow down");
  });

  it("lists models, counts tokens, and embeds each text to a vector of its own", async () => {
    await using server = await startScriptedModel([]);
    const embed = async (input: string[]) => {
      const response = await fetch(`${server.baseUrl}/embeddings`, {
        method: "POST",
        body: JSON.stringify({ model: "e", input }),
      });
      return ((await response.json()) as { data: { embedding: number[] }[] }).data.map(({ embedding }) => embedding);
    };
    const [a, b, again] = await embed(["gauge", "clock", "gauge"]);
    expect(a).toEqual(again);
    expect(a).not.toEqual(b);
    expect(Math.hypot(...(a ?? []))).toBeCloseTo(1);
    expect((await fetch(`${server.baseUrl}/models`)).status).toBe(200);
  });
});
