/**
 * Rewinds, retries and forks leave branches in a transcript that no longer happened. What happened is the chain from the
 * last record up through its parents, with what parallel tool calls left beside it.
 */
import { isObject, type JsonObject, listIn, objectIn, textIn } from "../../../core/json/json-values.ts";

/** A record's place in the tree. */
export interface IndexedRecord {
  readonly parent: string | undefined;
  /** Its place among the file's records with an id. */
  readonly order: number;
  readonly isSidechain: boolean;
  /** Hangs on a record without being one that others descend from. */
  readonly isAttachment: boolean;
  /** A cut in the chain of parents that does not mean another branch: what stood before still happened. */
  readonly continues: boolean;
}

/** The leaf and its ancestors, with the attachments that hang on them. */
export function liveBranch(records: ReadonlyMap<string, IndexedRecord>, leaf: string | undefined): Set<string> {
  const byOrder = [...records.keys()];
  const live = new Set<string>();
  for (let uuid = leaf; uuid !== undefined && !live.has(uuid); uuid = parentOf(uuid, records, byOrder)) live.add(uuid);
  for (const [id, { isAttachment, parent }] of records) {
    if (isAttachment && parent !== undefined && live.has(parent)) live.add(id);
  }
  return live;
}

/** Where a parent is missing from the file, or a compaction cut the chain, it goes on at the record before. */
function parentOf(
  uuid: string,
  records: ReadonlyMap<string, IndexedRecord>,
  byOrder: readonly string[],
): string | undefined {
  const record = records.get(uuid);
  if (record === undefined) return undefined;
  const { parent, continues, order } = record;
  if (parent !== undefined && records.has(parent)) return parent;
  return parent !== undefined || continues ? mainBefore(records, byOrder, order) : undefined;
}

function mainBefore(
  records: ReadonlyMap<string, IndexedRecord>,
  byOrder: readonly string[],
  order: number,
): string | undefined {
  for (let at = order - 1; at >= 0; at -= 1) {
    const uuid = byOrder[at];
    if (uuid !== undefined && records.get(uuid)?.isSidechain === false) return uuid;
  }
  return undefined;
}

export interface ToolLinks {
  add(record: JsonObject, uuid: string): void;
  /** Adds to `live` what parallel calls left beside the chain: blocks of live messages and results of live calls. */
  complete(live: Set<string>): void;
}

export function createToolLinks(): ToolLinks {
  const blocksOfMessage = new Map<string, string[]>();
  const callers: { readonly uuid: string; readonly calls: readonly string[] }[] = [];
  const resultsOfCall = new Map<string, string[]>();
  return {
    add(record, uuid) {
      const message = objectIn(record, "message");
      const id = textIn(message, "id");
      if (id !== undefined) blocksOfMessage.set(id, [...(blocksOfMessage.get(id) ?? []), uuid]);
      const blocks = listIn(message, "content").filter(isObject);
      const calls = blocks.flatMap((block) => (block.type === "tool_use" ? [textIn(block, "id") ?? ""] : []));
      if (calls.length > 0) callers.push({ uuid, calls });
      for (const block of blocks) {
        const call = block.type === "tool_result" ? textIn(block, "tool_use_id") : undefined;
        if (call !== undefined) resultsOfCall.set(call, [...(resultsOfCall.get(call) ?? []), uuid]);
      }
    },
    complete(live) {
      const siblings = [...blocksOfMessage.values()].filter((blocks) => blocks.some((uuid) => live.has(uuid)));
      for (const uuid of siblings.flat()) live.add(uuid);
      const answered = callers.filter(({ uuid }) => live.has(uuid)).flatMap(({ calls }) => calls);
      for (const uuid of answered.flatMap((call) => resultsOfCall.get(call) ?? [])) live.add(uuid);
    },
  };
}
