/** Anthropic's Messages API, as far as its SDKs and the Claude Code client read it. */
import { countTokens, messagesOf, namesOf, piecesOf, type ScriptedProtocol, textOf } from "./protocol.ts";
import type { ModelCall, Said } from "./script.ts";

type Block =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "tool_use"; readonly id: string; readonly name: string; readonly input: unknown };

export const anthropicProtocol: ScriptedProtocol = {
  paths: ["/v1/messages"],

  read(body) {
    const system = textOf(body.system);
    const messages = messagesOf(body.messages);
    const tools = namesOf(body.tools);
    return {
      protocol: "anthropic",
      model: String(body.model),
      system,
      messages,
      tools,
      stream: body.stream === true,
      format: formatOf(body),
      text: [system, ...messages.map(({ text }) => text)].join("\n"),
      body,
    };
  },

  write(call, said) {
    return { ...messageOf(call, said), content: blocksOf(call, said), stop_reason: stopOf(call, said) };
  },

  writeStream(call, said) {
    const usage = usageOf(call, said);
    return [
      event({ type: "message_start", message: { ...messageOf(call, said), content: [], stop_reason: null } }),
      ...blocksOf(call, said).flatMap(streamBlock),
      event({
        type: "message_delta",
        delta: { stop_reason: stopOf(call, said), stop_sequence: null },
        usage: { output_tokens: usage.output_tokens },
      }),
      event({ type: "message_stop" }),
    ];
  },

  writeError(status, message) {
    return { type: "error", error: { type: status === 429 ? "rate_limit_error" : "api_error", message } };
  },
};

function formatOf(body: Readonly<Record<string, unknown>>): string {
  const output = body.output_config as { format?: { type?: string } } | undefined;
  if (output?.format?.type !== undefined) return output.format.type;
  return body.output_format !== undefined || isForcedJson(body) ? "json_schema" : "plain";
}

/** Older models are asked for JSON by forcing one tool of the name `json`. */
function isForcedJson(body: Readonly<Record<string, unknown>>): boolean {
  const names = namesOf(body.tools);
  return names.length === 1 && names[0] === "json" && body.tool_choice !== undefined;
}

function messageOf(call: ModelCall, said: Said) {
  return {
    id: "msg_scripted",
    type: "message",
    role: "assistant",
    model: call.model,
    stop_sequence: null,
    usage: usageOf(call, said),
  };
}

function blocksOf(call: ModelCall, said: Said): Block[] {
  const forced = isForcedJson(call.body) ? parsed(said.text) : undefined;
  if (forced !== undefined) return [{ type: "tool_use", id: "toolu_json", name: "json", input: forced }];
  const tools = (said.toolCalls ?? []).map(
    ({ name, input }, index): Block => ({ type: "tool_use", id: `toolu_${call.callIndex}_${index}`, name, input }),
  );
  return said.text === "" && tools.length > 0 ? tools : [{ type: "text", text: said.text }, ...tools];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // a scripted reply that is not JSON is sent as text, as a disobedient model would
  }
}

function streamBlock(block: Block, index: number): string[] {
  const start = block.type === "text" ? { type: "text", text: "" } : { ...block, input: {} };
  const deltas =
    block.type === "text"
      ? piecesOf(block.text).map((text) => ({ type: "text_delta", text }))
      : piecesOf(JSON.stringify(block.input)).map((json) => ({ type: "input_json_delta", partial_json: json }));
  return [
    event({ type: "content_block_start", index, content_block: start }),
    ...deltas.map((delta) => event({ type: "content_block_delta", index, delta })),
    event({ type: "content_block_stop", index }),
  ];
}

function stopOf(call: ModelCall, said: Said): string {
  if (said.finish === "length") return "max_tokens";
  return blocksOf(call, said).some(({ type }) => type === "tool_use") ? "tool_use" : "end_turn";
}

function usageOf(call: ModelCall, said: Said) {
  return { input_tokens: countTokens(call.text), output_tokens: countTokens(said.text) };
}

function event(payload: { readonly type: string } & Readonly<Record<string, unknown>>): string {
  return `event: ${payload.type}\ndata: ${JSON.stringify(payload)}\n\n`;
}
