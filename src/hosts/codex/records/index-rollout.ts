/** First pass over a rollout: whose it is, which of its two streams holds the conversation, where its own part begins. */
import { type JsonObject, numberIn, objectIn, textIn } from "../../../core/json/json-values.ts";
import type { FormatCounter } from "../../normal-form/format-report.ts";
import { readRecords } from "../../normal-form/read-records.ts";
import { type RolloutRecord, rolloutRecord } from "./rollout-record.ts";

export interface RolloutIndex {
  readonly id: string | undefined;
  readonly cwd: string | undefined;
  readonly branch: string | undefined;
  readonly parent: string | undefined;
  readonly isSubagent: boolean;
  /** Each text stands in both streams: one is read, the other only for what it alone tells. */
  readonly stream: "response_item" | "event_msg";
  /** Records before this ordinal were copied from the parent. */
  readonly ownFrom: number | undefined;
  /** Lines that are a rollout's. */
  readonly known: number;
}

/** @throws {ArcticMemError} `FILE_NOT_FOUND`, `FILE_UNREADABLE`. */
export async function indexRollout(
  path: string,
  counter: FormatCounter,
  options: { readonly signal?: AbortSignal | undefined; readonly maxBytes: number },
): Promise<RolloutIndex> {
  const state = createIndexState();
  for await (const line of readRecords(path, options)) {
    counter.count(line);
    if (line.kind === "record") state.add(rolloutRecord(line.value));
  }
  return state.finish();
}

interface IndexState {
  add(record: RolloutRecord): void;
  finish(): RolloutIndex;
}

function createIndexState(): IndexState {
  let meta: JsonObject | undefined;
  let cwd: string | undefined;
  let hasMessages = false;
  let known = 0;
  return {
    add(record) {
      if (record.stream !== "other") known += 1;
      if (record.stream === "session_meta") meta ??= record.payload;
      if (record.stream === "turn_context") cwd ??= textIn(record.payload, "cwd");
      hasMessages ||= isMessage(record);
    },
    finish: () => ({
      ...headOf(meta),
      cwd: textIn(meta, "cwd") ?? cwd,
      stream: hasMessages ? "response_item" : "event_msg",
      known,
    }),
  };
}

function isMessage({ stream, type }: RolloutRecord): boolean {
  return stream === "response_item" && type === "message";
}

function headOf(meta: JsonObject | undefined): Omit<RolloutIndex, "stream" | "known" | "cwd"> {
  const subagent = objectIn(meta, "source")?.subagent;
  const spawn = objectIn(subagent, "thread_spawn");
  const parent =
    textIn(spawn, "parent_thread_id") ?? textIn(meta, "parent_thread_id") ?? textIn(meta, "forked_from_id");
  return {
    id: textIn(meta, "id") ?? textIn(meta, "session_id"),
    branch: textIn(objectIn(meta, "git"), "branch"),
    parent,
    isSubagent: subagent !== undefined || textIn(meta, "thread_source") === "subagent",
    ownFrom: numberIn(meta, "subagent_history_start_ordinal") ?? numberIn(meta, "forked_from_ordinal_exclusive"),
  };
}
