/** Which texts of a user message a person typed. New rollouts say it of each part; older ones are told by their beginning. */
import { isObject, type JsonObject, listIn, objectIn, textIn } from "../../../core/json/json-values.ts";

/** Beginnings of texts that the client writes in a person's place. */
const CONTEXT =
  /^\s*(?:# AGENTS\.md instructions|<(?:environment_context|user_instructions|INSTRUCTIONS|permissions|collaboration_mode|skill|skills_instructions|tools|turn_aborted|subagent_notification|hook_prompt|additional_context|personality_spec|token_budget|rollout_budget|context_window|goal_context|internal_model_context|recommended_plugins|plugins_instructions|apps_instructions|model_switch)\b)/;
/** What an editor puts before the request that was typed in it. */
const EDITOR_CONTEXT = /^# Context from my IDE setup:[\s\S]*?^## My request for Codex:\s*/m;
const TYPED = /^user\./;

export interface UserTexts {
  /** Typed by a person; empty where nothing was. */
  readonly typed: string;
  /** Put there by client, hook or instruction file. */
  readonly injected: readonly string[];
}

export function userTexts(payload: JsonObject): UserTexts {
  const parts = contentParts(payload);
  const kinds = listIn(objectIn(payload, "internal_chat_message_metadata_passthrough"), "content_item_kinds");
  const isTold = kinds.length > 0 && kinds.length === parts.length;
  const typed: string[] = [];
  const injected: string[] = [];
  for (const [at, text] of parts.entries()) {
    const kind = kinds[at];
    const isTyped = isTold ? typeof kind === "string" && TYPED.test(kind) : !CONTEXT.test(text);
    if (!isTyped) injected.push(text);
    else typed.push(text.replace(EDITOR_CONTEXT, ""));
  }
  return { typed: typed.join("\n").trim(), injected };
}

/** The texts of a message's content, pictures as marks. */
export function contentParts(payload: JsonObject): string[] {
  const content = textIn(payload, "content");
  if (content !== undefined) return [content];
  return listIn(payload, "content")
    .filter(isObject)
    .map((part) => textIn(part, "text") ?? (/image/.test(textIn(part, "type") ?? "") ? "[image]" : ""));
}
