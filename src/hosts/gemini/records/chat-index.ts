/**
 * First pass over a chat: a message is written again whenever it changes, and the last writing holds; patches replace all
 * messages; a rewind takes back what came after it. Here it is learned which writings count, and in which order.
 */
import { isObject, type JsonObject, listIn, objectIn, textIn } from "../../../core/json/json-values.ts";

/** Where a message's last writing stands. */
export interface MessagePlace {
  /** Number of the line, from 0. */
  readonly line: number;
  /** Number within a patch that holds several; 0 for a message of its own. */
  readonly item: number;
}

export interface ChatIndex {
  readonly head: JsonObject;
  /** Last writings in the order of the conversation. */
  readonly places: readonly MessagePlace[];
}

export interface ChatIndexer {
  add(line: JsonObject, number: number): void;
  finish(): ChatIndex;
}

export function createChatIndexer(): ChatIndexer {
  let head: JsonObject = {};
  let places = new Map<string, MessagePlace>();
  const rewind = (id: string): void => {
    const kept = [...places];
    const at = kept.findIndex(([known]) => known === id);
    if (at !== -1) places = new Map(kept.slice(0, at));
  };
  return {
    add(line, number) {
      const target = textIn(line, "$rewindTo");
      if (target !== undefined) rewind(target);
      else if (isReplacement(line)) places = new Map();
      if (isHead(line)) head = { ...head, ...line };
      for (const [item, message] of messagesIn(line).entries()) {
        places.set(textIn(message, "id") ?? `line ${number}/${item}`, { line: number, item });
      }
    },
    finish: () => ({ head, places: [...places.values()] }),
  };
}

/** The messages that a line holds: itself, or those of a patch or of the older single document. */
export function messagesIn(line: JsonObject): readonly JsonObject[] {
  const patch = objectIn(line, "$set");
  const several = [...listIn(patch, "messages"), ...listIn(line, "messages")].filter(isObject);
  return several.length > 0 || !isMessage(line) ? several : [line];
}

export function isHead(line: JsonObject): boolean {
  return textIn(line, "sessionId") !== undefined && textIn(line, "projectHash") !== undefined;
}

function isMessage(line: JsonObject): boolean {
  return textIn(line, "type") !== undefined && textIn(line, "id") !== undefined;
}

function isReplacement(line: JsonObject): boolean {
  return Array.isArray(objectIn(line, "$set")?.messages);
}
