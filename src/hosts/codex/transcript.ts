/**
 * Reads Codex's rollouts. Two passes: the first learns whose rollout it is and which of its two streams holds the
 * conversation, the second reads it. What client, hooks and instruction files wrote in a person's place is no human turn.
 */
import { basename } from "node:path";
import { ArcticMemError } from "../../core/errors.ts";
import { given } from "../../core/given.ts";
import { sessionId } from "../../core/ids.ts";
import { parseObject, textIn } from "../../core/json/json-values.ts";
import type { Session } from "../../core/session.ts";
import type { ReadTranscriptOptions, TranscriptReader } from "../host.ts";
import { createFormatCounter, type FormatCounter } from "../normal-form/format-report.ts";
import { statFile } from "../normal-form/open-file.ts";
import { readRecords } from "../normal-form/read-records.ts";
import { type RecordContext, type RecordStep, turnStep } from "../normal-form/record-steps.ts";
import { createSessionBuilder } from "../normal-form/session-builder.ts";
import { createStepSink } from "../normal-form/step-sink.ts";
import { readEvent, readState } from "./records/event-steps.ts";
import { indexRollout, type RolloutIndex } from "./records/index-rollout.ts";
import { readItem } from "./records/item-steps.ts";
import { createReplayTracker } from "./records/replays.ts";
import { isLegacyHead, type RolloutRecord, rolloutRecord } from "./records/rollout-record.ts";

/** The first line holds the model's instructions and may be longer than the head that is looked at. */
const FIRST_LINE = /^\s*\{"timestamp":"[^"]*"(?:,"ordinal":\d+)?,"type":"session_meta"/;
const ENVELOPES = /^(?:session_meta|turn_context|response_item|event_msg|compacted)$/;

export const codexTranscripts: TranscriptReader = {
  async read(path, options = {}) {
    const { size, mtime } = await statFile(path);
    const counter = createFormatCounter();
    const index = await indexRollout(path, counter, { signal: options.signal, maxBytes: size });
    counter.report(path);
    if (index.known === 0) throw new ArcticMemError("FORMAT_UNKNOWN", `${path} is not a rollout of Codex.`);
    return buildSession(index, { path, maxBytes: size, modifiedAt: mtime, counter, options });
  },

  recognises(head) {
    if (FIRST_LINE.test(head)) return true;
    return head
      .split("\n")
      .slice(0, 50)
      .map(parseObject)
      .some((line, at) => {
        if (line === undefined) return false;
        if (at === 0 && isLegacyHead(line)) return true;
        return "payload" in line && ENVELOPES.test(textIn(line, "type") ?? "");
      });
  },
};

interface RolloutFile {
  readonly path: string;
  readonly maxBytes: number;
  readonly modifiedAt: Date;
  readonly counter: FormatCounter;
  readonly options: ReadTranscriptOptions;
}

async function buildSession(index: RolloutIndex, file: RolloutFile): Promise<Session> {
  const { path, counter, maxBytes, modifiedAt, options } = file;
  const { cwd, branch, parent, isSubagent } = index;
  const builder = createSessionBuilder({
    id: sessionId(index.id ?? basename(path, ".jsonl")),
    host: "codex",
    project: given({ cwd, branch }),
    parentId: parent === undefined ? undefined : sessionId(parent),
    isSubagent,
  });
  const sink = createStepSink(builder, counter);
  const read = createReader(index);
  for await (const line of readRecords(path, { signal: options.signal, maxBytes })) {
    if (line.kind === "truncated") sink.takeTruncated(line.bytes);
    else if (line.kind === "record") sink.take(read(rolloutRecord(line.value)));
  }
  return builder.finish({ report: counter.report(path), fallbackTime: modifiedAt, endedBy: sink.state() });
}

/** Reads records in order; what was copied from the parent or told before is only counted. */
function createReader(index: RolloutIndex): (record: RolloutRecord) => RecordStep[] {
  const context: RecordContext = { cwd: index.cwd, isAgent: index.isSubagent, calls: new Map() };
  const replays = createReplayTracker();
  return (record) => {
    const isBefore = index.ownFrom !== undefined && record.ordinal !== undefined && record.ordinal < index.ownFrom;
    if (replays.isReplay(record)) return [{ kind: "ignored", type: "copy" }];
    if (record.isInherited || (isBefore && record.stream !== "session_meta"))
      return [{ kind: "ignored", type: "inherited" }];
    return readRecord(record, index, context);
  };
}

function readRecord(record: RolloutRecord, index: RolloutIndex, context: RecordContext): RecordStep[] {
  const { stream, payload, at, type } = record;
  if (stream === "compacted") {
    return [turnStep({ kind: "event", text: textIn(payload, "message") ?? "", origin: "model", at })];
  }
  if (stream === "response_item") return readItem(record, context);
  if (stream === "event_msg") return index.stream === "event_msg" ? readEvent(record, context) : readState(record);
  return [{ kind: "ignored", type: stream === "other" ? type : stream }];
}
