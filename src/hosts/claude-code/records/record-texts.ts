/** Which texts of a record a person typed, and which only look so. */
import { isObject, type JsonObject, listIn, objectIn, textIn } from "../../../core/json/json-values.ts";
import { blocksText } from "./tool-results.ts";

/** Sources of prompts that no person is. `sdk` is one: somebody wrote the prompt of a headless run. */
const MACHINE_SOURCES = /^(?:system|loop_wakeup|schedule_wakeup|poll_event|task[-_]notification|hook|agent|teammate)$/;
const MACHINE_TEXT =
  /^\s*(?:<task-notification|<teammate-message|<agent-message|<cross-session-message|\[SYSTEM NOTIFICATION|Caveat: The messages below|This session is being continued from a previous conversation)/;

/** The text blocks of a user record, tool results left out; pictures as marks. */
export function userText(record: JsonObject): string {
  const message = objectIn(record, "message");
  const content = message?.content;
  if (typeof content === "string") return content;
  return blocksText(listIn(message, "content").filter((block) => isObject(block) && block.type !== "tool_result"));
}

/** Whether a user record's text was written by the harness or another agent. */
export function isMachinePrompt(record: JsonObject, text: string): boolean {
  const kind = textIn(objectIn(record, "origin"), "kind");
  const source = textIn(record, "promptSource");
  return (
    (kind !== undefined && kind !== "human") ||
    (source !== undefined && MACHINE_SOURCES.test(source)) ||
    MACHINE_TEXT.test(text)
  );
}

/** What a person typed while the agent worked, where the record is the attachment that delivered it. */
export function queuedPrompt(record: JsonObject): string | undefined {
  const attachment = objectIn(record, "attachment");
  if (textIn(attachment, "type") !== "queued_command" || attachment === undefined) return undefined;
  const mode = textIn(attachment, "commandMode");
  const prompt = textIn(attachment, "prompt") ?? blocksText(listIn(attachment, "prompt"));
  if (prompt.trim() === "" || (mode !== undefined && mode !== "prompt")) return undefined;
  return isMachinePrompt(attachment, prompt) || attachment.isMeta === true ? undefined : prompt;
}

/** What an `enqueue` record holds, where a person typed it. */
export function enqueuedPrompt(record: JsonObject): string | undefined {
  const content = textIn(record, "content");
  return content === undefined || content.trim() === "" || isMachinePrompt(record, content) ? undefined : content;
}
