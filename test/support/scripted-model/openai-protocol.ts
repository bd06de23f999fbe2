/** OpenAI's chat completions, as far as clients read them. */
import { countTokens, messagesOf, namesOf, piecesOf, type ScriptedProtocol } from "./protocol.ts";
import type { ModelCall, Said } from "./script.ts";

export const openAiProtocol: ScriptedProtocol = {
  paths: ["/v1/chat/completions"],

  read(body) {
    const messages = messagesOf(body.messages);
    const system = messages.filter(({ role }) => role === "system" || role === "developer");
    const format = body.response_format as { type?: string } | undefined;
    return {
      protocol: "openai",
      model: String(body.model),
      system: system.map(({ text }) => text).join("\n"),
      messages: messages.filter((message) => !system.includes(message)),
      tools: namesOf(body.tools),
      stream: body.stream === true,
      format: format?.type ?? "plain",
      text: messages.map(({ text }) => text).join("\n"),
      body,
    };
  },

  write(call, said) {
    return {
      id: "chatcmpl-scripted",
      object: "chat.completion",
      created: 0,
      model: call.model,
      choices: [
        {
          index: 0,
          message: { role: "assistant", content: said.text, ...toolCallsOf(said) },
          finish_reason: finishOf(said),
        },
      ],
      usage: usageOf(call, said),
    };
  },

  writeStream(call, said) {
    const chunk = (delta: unknown, finish: string | null = null, usage: unknown = null) =>
      `data: ${JSON.stringify({
        id: "chatcmpl-scripted",
        object: "chat.completion.chunk",
        created: 0,
        model: call.model,
        choices: [{ index: 0, delta, finish_reason: finish }],
        usage,
      })}\n\n`;
    return [
      chunk({ role: "assistant", content: "" }),
      ...piecesOf(said.text).map((content) => chunk({ content })),
      ...(said.toolCalls === undefined ? [] : [chunk(toolCallsOf(said))]),
      chunk({}, finishOf(said), usageOf(call, said)),
      "data: [DONE]\n\n",
    ];
  },

  writeError(status, message) {
    return { error: { message, type: "scripted_error", param: null, code: String(status) } };
  },
};

function toolCallsOf(said: Said) {
  if (said.toolCalls === undefined) return {};
  return {
    tool_calls: said.toolCalls.map(({ name, input }, index) => ({
      index,
      id: `call_${index}`,
      type: "function",
      function: { name, arguments: JSON.stringify(input) },
    })),
  };
}

function finishOf(said: Said): string {
  if (said.finish === "length") return "length";
  return said.toolCalls === undefined ? "stop" : "tool_calls";
}

function usageOf(call: ModelCall, said: Said) {
  const prompt = countTokens(call.text);
  const completion = countTokens(said.text);
  return { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion };
}
