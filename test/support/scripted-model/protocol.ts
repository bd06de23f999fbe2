/** What a protocol of the scripted server owes: reading a request, writing an answer whole or as a stream. */
import type { CallMessage, ModelCall, Said } from "./script.ts";

export type ReadCall = Omit<ModelCall, "callIndex" | "stage" | "headers">;

export interface ScriptedProtocol {
  /** Paths that are model calls. */
  readonly paths: readonly string[];
  read(body: Readonly<Record<string, unknown>>): ReadCall;
  /** One JSON body. */
  write(call: ModelCall, said: Said): unknown;
  /** Server-sent events, each a complete frame. */
  writeStream(call: ModelCall, said: Said): readonly string[];
  /** A body for an error status. */
  writeError(status: number, message: string): unknown;
}

/** Text of a message's content, whatever its shape: string, blocks, tool results. */
export function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (Array.isArray(content)) return content.map(textOf).join("\n");
  if (content === null || typeof content !== "object") return "";
  const block = content as { text?: unknown; content?: unknown; input?: unknown };
  if (typeof block.text === "string") return block.text;
  if (block.content !== undefined) return textOf(block.content);
  return block.input === undefined ? "" : JSON.stringify(block.input);
}

export function messagesOf(messages: unknown): CallMessage[] {
  if (!Array.isArray(messages)) return [];
  return messages.map((message: { role?: unknown; content?: unknown }) => ({
    role: String(message.role),
    text: textOf(message.content),
  }));
}

export function namesOf(tools: unknown): string[] {
  if (!Array.isArray(tools)) return [];
  return tools.map((tool: { name?: unknown; function?: { name?: unknown } }) =>
    String(tool.name ?? tool.function?.name ?? ""),
  );
}

/** Rough but deterministic: what a test may compare. */
export function countTokens(text: string): number {
  return Math.ceil(text.length / 4);
}

/** Pieces of at most `size` characters: a stream that splits words, pairs of surrogates too. */
export function piecesOf(text: string, size = 48): string[] {
  const pieces: string[] = [];
  for (let from = 0; from < text.length; from += size) pieces.push(text.slice(from, from + size));
  return pieces.length === 0 ? [""] : pieces;
}
