/**
 * First pass over a transcript: who is whose parent, which branch is alive, which prompts typed while the agent worked
 * were delivered. Keeps ids only, no texts.
 */
import { sha256 } from "../../../core/hash.ts";
import { type JsonObject, textIn } from "../../../core/json/json-values.ts";
import type { FormatCounter } from "../../normal-form/format-report.ts";
import { readRecords } from "../../normal-form/read-records.ts";
import { createToolLinks, type IndexedRecord, liveBranch } from "./live-branch.ts";
import { createQueueTracker } from "./queued-prompts.ts";
import { queuedPrompt, userText } from "./record-texts.ts";

export interface TranscriptIndex {
  readonly sessionId: string | undefined;
  readonly cwd: string | undefined;
  readonly branch: string | undefined;
  readonly lastAt: string | undefined;
  /** Records that carry something a session is made of. */
  readonly messages: number;
  /** Whether the record with this id happened: on the live branch, or in a sub-agent. */
  isLive(uuid: string): boolean;
  /** Numbers, from 0, of the queue's `enqueue` records whose prompt reached the agent in no other record. */
  readonly undelivered: ReadonlySet<number>;
}

const MESSAGE_TYPES = new Set(["user", "assistant"]);

/** @throws {ArcticMemError} `FILE_NOT_FOUND`, `FILE_UNREADABLE`. */
export async function indexTranscript(
  path: string,
  counter: FormatCounter,
  options: { readonly signal?: AbortSignal | undefined; readonly maxBytes: number },
): Promise<TranscriptIndex> {
  const state = createIndexState();
  for await (const record of readRecords(path, options)) {
    counter.count(record);
    if (record.kind === "record") state.add(record.value);
  }
  return state.finish();
}

interface IndexState {
  add(record: JsonObject): void;
  finish(): TranscriptIndex;
}

function createIndexState(): IndexState {
  const records = new Map<string, IndexedRecord>();
  const tools = createToolLinks();
  const queue = createQueueTracker();
  const head: Head = {};
  let lastAt: string | undefined;
  let messages = 0;
  let leaf: string | undefined;
  let namedLeaf: string | undefined;

  const addTreeRecord = (record: JsonObject, uuid: string, type: string): void => {
    const isSidechain = record.isSidechain === true;
    const isMessage = MESSAGE_TYPES.has(type);
    const typed = type === "user" && !isSidechain ? userText(record) : queuedPrompt(record);
    rememberHead(head, record);
    if (!records.has(uuid)) records.set(uuid, indexed(record, { order: records.size, isSidechain }));
    if (isMessage) tools.add(record, uuid);
    if (isMessage) messages += 1;
    if (typed !== undefined) queue.delivered(textKey(typed));
    if (isSidechain || !(isMessage || typed !== undefined)) return;
    leaf = uuid;
    namedLeaf = undefined;
  };

  return {
    add(record) {
      lastAt = textIn(record, "timestamp") ?? lastAt;
      const type = textIn(record, "type") ?? "";
      if (type === "queue-operation") queue.operation(textIn(record, "operation") ?? "", queueKey(record));
      if (type === "last-prompt") namedLeaf = textIn(record, "leafUuid") ?? namedLeaf;
      const uuid = textIn(record, "uuid");
      if (uuid !== undefined) addTreeRecord(record, uuid, type);
    },
    finish() {
      // Named after the last record: a rewind that nothing followed.
      const isNamed = namedLeaf !== undefined && records.has(namedLeaf);
      const live = liveBranch(records, isNamed ? namedLeaf : leaf);
      tools.complete(live);
      return {
        sessionId: head.sessionId,
        cwd: head.cwd,
        branch: head.branch,
        lastAt,
        messages,
        isLive: (uuid) => live.has(uuid) || records.get(uuid)?.isSidechain === true,
        undelivered: queue.undelivered(),
      };
    },
  };
}

/** What the first record that has it says. */
interface Head {
  sessionId?: string;
  cwd?: string;
  branch?: string;
}

function rememberHead(head: Head, record: JsonObject): void {
  const keys = [
    ["sessionId", "sessionId"],
    ["cwd", "cwd"],
    ["branch", "gitBranch"],
  ] as const;
  for (const [name, key] of keys) {
    const value = textIn(record, key);
    if (head[name] === undefined && value !== undefined && value !== "") head[name] = value;
  }
}

function indexed(record: JsonObject, place: { order: number; isSidechain: boolean }): IndexedRecord {
  const isCut = record.isCompactSummary === true || textIn(record, "subtype") === "compact_boundary";
  return {
    ...place,
    isAttachment: textIn(record, "type") === "attachment",
    parent: textIn(record, "parentUuid") ?? textIn(record, "logicalParentUuid"),
    continues: isCut,
  };
}

function queueKey(record: JsonObject): string | undefined {
  const content = textIn(record, "content");
  return content === undefined ? undefined : textKey(content);
}

/** Texts are compared by hash, white space folded. */
function textKey(text: string): string {
  return sha256(text.replace(/\s+/g, " ").trim());
}
