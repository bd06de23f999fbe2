/**
 * A model on loopback that speaks the Anthropic Messages protocol, streamed or whole, as the real Claude Code client
 * asks for it. What it says is decided by a script; every request is kept, so that a test can look at what the client
 * put before the model.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export type Block =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "tool_use"; readonly id: string; readonly name: string; readonly input: Readonly<Record<string, unknown>> };

export interface MessagesRequest {
  readonly model: string;
  readonly system?: unknown;
  readonly messages: readonly { readonly role: "user" | "assistant"; readonly content: unknown }[];
  readonly tools?: readonly { readonly name: string; readonly description?: string }[];
  readonly stream?: boolean;
}

/** Decides the reply to a request of the agent's main loop, from the conversation it carries. */
export type Script = (request: MessagesRequest) => readonly Block[];

export interface LoopbackModel extends AsyncDisposable {
  readonly baseUrl: string;
  /** Requests of the main loop (those that offer tools), in order. */
  readonly requests: MessagesRequest[];
  /** What the script threw: the client would only see a 500. */
  readonly failures: Error[];
  script: Script;
}

/** Everything that the model was given in a request, as one text. */
export function promptText(request: MessagesRequest): string {
  return JSON.stringify([request.system ?? "", request.messages]);
}

export async function startLoopbackModel(script: Script): Promise<LoopbackModel> {
  const requests: MessagesRequest[] = [];
  const failures: Error[] = [];
  const server = createServer((incoming, response) => {
    answer(incoming, response).catch((thrown: unknown) => {
      failures.push(thrown instanceof Error ? thrown : new Error(String(thrown)));
      response.writeHead(500, { "content-type": "application/json" });
      response.end(JSON.stringify({ type: "error", error: { type: "api_error", message: String(thrown) } }));
    });
  });
  const model: LoopbackModel = {
    baseUrl: "",
    requests,
    failures,
    script,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };

  async function answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readBody(incoming);
    const path = (incoming.url ?? "/").split("?")[0];
    if (path === "/v1/messages/count_tokens") return sendJson(response, { input_tokens: Math.ceil(body.length / 4) });
    if (path !== "/v1/messages") return sendJson(response, {}, path === "/" ? 200 : 404);
    const request = JSON.parse(body) as MessagesRequest;
    const isMainLoop = (request.tools?.length ?? 0) > 0;
    if (isMainLoop) requests.push(request);
    const blocks = isMainLoop ? model.script(request) : [{ type: "text", text: "ok" } as const];
    if (request.stream) sendStream(response, request.model, blocks);
    else sendJson(response, wholeMessage(request.model, blocks));
  }

  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return Object.assign(model, { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
}

async function readBody(incoming: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of incoming) parts.push(part as Buffer);
  return Buffer.concat(parts).toString("utf8");
}

function sendJson(response: ServerResponse, value: unknown, status = 200): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(value));
}

const USAGE = { input_tokens: 10, output_tokens: 10, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 };

function wholeMessage(model: string, blocks: readonly Block[]): Record<string, unknown> {
  const stop_reason = blocks.some((block) => block.type === "tool_use") ? "tool_use" : "end_turn";
  const id = `msg_${Math.random().toString(36).slice(2)}`;
  return { id, type: "message", role: "assistant", model, content: blocks, stop_reason, stop_sequence: null, usage: USAGE };
}

function sendStream(response: ServerResponse, model: string, blocks: readonly Block[]): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  const send = (event: Record<string, unknown>): void => {
    response.write(`event: ${String(event.type)}\ndata: ${JSON.stringify(event)}\n\n`);
  };
  const message = wholeMessage(model, blocks);
  send({ type: "message_start", message: { ...message, content: [], stop_reason: null } });
  blocks.forEach((block, index) => {
    const isText = block.type === "text";
    send({ type: "content_block_start", index, content_block: isText ? { type: "text", text: "" } : { ...block, input: {} } });
    const delta = isText
      ? { type: "text_delta", text: block.text }
      : { type: "input_json_delta", partial_json: JSON.stringify(block.input) };
    send({ type: "content_block_delta", index, delta });
    send({ type: "content_block_stop", index });
  });
  send({ type: "message_delta", delta: { stop_reason: message.stop_reason, stop_sequence: null }, usage: { output_tokens: 10 } });
  send({ type: "message_stop" });
  response.end();
}
