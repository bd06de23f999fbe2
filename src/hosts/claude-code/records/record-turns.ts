/** Hands the records of a Claude Code transcript to the session's builder, one at a time. */
import { dateIn, type JsonObject, listIn, objectIn, textIn } from "../../../core/json/json-values.ts";
import type { FormatCounter } from "../../normal-form/format-report.ts";
import {
  humanStep,
  type OpenCall,
  type RecordContext,
  type RecordStep,
  type SessionState,
} from "../../normal-form/record-steps.ts";
import type { SessionBuilder } from "../../normal-form/session-builder.ts";
import { createStepSink } from "../../normal-form/step-sink.ts";
import { readAssistantRecord } from "./assistant-record.ts";
import { enqueuedPrompt, queuedPrompt } from "./record-texts.ts";
import { readUserRecord } from "./user-record.ts";

export interface RecordTurnsDeps {
  readonly builder: SessionBuilder;
  readonly counter: FormatCounter;
  /** Directory in which the session started. */
  readonly cwd: string | undefined;
}

export interface RecordTurns {
  /** @param isAgent - The record is a sub-agent's. */
  add(record: JsonObject, isAgent: boolean): void;
  /** A prompt from the queue that no other record delivered. */
  addQueued(record: JsonObject): void;
  /** A record that was too long to be read. */
  addTruncated(bytes: number): void;
  state(): SessionState;
}

export function createRecordTurns({ builder, counter, cwd }: RecordTurnsDeps): RecordTurns {
  const calls = new Map<string, OpenCall>();
  const sink = createStepSink(builder, counter);
  return {
    add(record, isAgent) {
      sink.take(readRecord(record, { cwd, isAgent, calls }));
      if (textIn(record, "subtype") === "api_error") sink.noteFailure();
    },
    addQueued(record) {
      const text = enqueuedPrompt(record);
      if (text !== undefined) sink.take([humanStep(text, dateIn(record, "timestamp"))]);
    },
    addTruncated: sink.takeTruncated,
    state: sink.state,
  };
}

function readRecord(record: JsonObject, context: RecordContext): RecordStep[] {
  const type = textIn(record, "type") ?? "unknown";
  switch (type) {
    case "user":
      return readUserRecord(record, context);
    case "assistant":
      return readAssistantRecord(record, context);
    case "attachment":
      return readAttachment(record);
    case "system":
      return [{ kind: "ignored", type: `system/${textIn(record, "subtype") ?? "unknown"}` }];
    default:
      return [{ kind: "ignored", type }];
  }
}

function readAttachment(record: JsonObject): RecordStep[] {
  const queued = queuedPrompt(record);
  if (queued !== undefined) return [humanStep(queued, dateIn(record, "timestamp"))];
  const attachment = objectIn(record, "attachment");
  const type = textIn(attachment, "type") ?? "unknown";
  const ignored: RecordStep = { kind: "ignored", type: `attachment/${type}` };
  if (!type.startsWith("hook_")) return [ignored];
  const texts = [textIn(attachment, "content"), textIn(attachment, "stdout"), ...listIn(attachment, "content")];
  const injected = texts.filter((text) => typeof text === "string");
  return [ignored, ...injected.map((text): RecordStep => ({ kind: "injected", text }))];
}
