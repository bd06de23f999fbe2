/**
 * Reads Gemini CLI's chats. Two passes over the lines, as a message is written anew whenever it changes: the first learns
 * which writing of each counts, the second reads those. The older form is one JSON document and is read at once.
 */
import { readFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { ArcticMemError } from "../../core/errors.ts";
import { given } from "../../core/given.ts";
import { sessionId } from "../../core/ids.ts";
import { type JsonObject, parseObject, textIn } from "../../core/json/json-values.ts";
import type { Session } from "../../core/session.ts";
import type { ReadTranscriptOptions, TranscriptReader } from "../host.ts";
import { createFormatCounter, type FormatCounter } from "../normal-form/format-report.ts";
import { readHead, statFile } from "../normal-form/open-file.ts";
import { type JsonlRecord, readRecords } from "../normal-form/read-records.ts";
import { createSessionBuilder } from "../normal-form/session-builder.ts";
import { createStepSink } from "../normal-form/step-sink.ts";
import { type ChatIndex, createChatIndexer, isHead, messagesIn } from "./records/chat-index.ts";
import { readMessage } from "./records/message-steps.ts";

/** The single document of older versions, whose head is not one line. */
const DOCUMENT = /^\s*\{[\s\S]{0,4000}?"sessionId"\s*:\s*"[\s\S]{0,4000}?"projectHash"\s*:/;
/** Beside the folder `chats`: the directory in which the sessions ran. The chat itself holds only a hash of it. */
const PROJECT_ROOT = ".project_root";
const HEAD_BYTES = 64 * 1024;

export const geminiTranscripts: TranscriptReader = {
  async read(path, options = {}) {
    const { size, mtime } = await statFile(path);
    const counter = createFormatCounter();
    const lines = await openLines(path, size, options);
    const indexer = createChatIndexer();
    let number = 0;
    for await (const line of lines()) {
      counter.count(line);
      if (line.kind === "record") indexer.add(line.value, number);
      number += 1;
    }
    counter.report(path);
    const index = indexer.finish();
    if (textIn(index.head, "sessionId") === undefined) {
      throw new ArcticMemError("FORMAT_UNKNOWN", `${path} is not a chat of Gemini CLI.`);
    }
    return buildSession(index, { path, modifiedAt: mtime, counter, lines });
  },

  recognises(head) {
    if (DOCUMENT.test(head)) return true;
    return head
      .split("\n")
      .slice(0, 20)
      .map(parseObject)
      .some((line) => line !== undefined && isHead(line));
  },
};

type Lines = () => AsyncIterable<JsonlRecord>;

/** The file's records, as often as they are asked for: always the same ones, also while the file grows. */
async function openLines(path: string, maxBytes: number, { signal }: ReadTranscriptOptions): Promise<Lines> {
  const document = (await startsWithLine(path)) ? undefined : await readDocument(path, signal);
  if (document === undefined) return () => readRecords(path, { signal, maxBytes });
  return async function* single() {
    yield { kind: "record", value: document };
  };
}

/** Whether the first line is a record of its own. */
async function startsWithLine(path: string): Promise<boolean> {
  const [first = ""] = (await readHead(path, HEAD_BYTES)).trimStart().split("\n");
  return parseObject(first) !== undefined;
}

async function readDocument(path: string, signal: AbortSignal | undefined): Promise<JsonObject | undefined> {
  return parseObject(await readFile(path, { encoding: "utf8", ...given({ signal }) }));
}

interface ChatFile {
  readonly path: string;
  readonly modifiedAt: Date;
  readonly counter: FormatCounter;
  readonly lines: Lines;
}

async function buildSession(index: ChatIndex, { path, modifiedAt, counter, lines }: ChatFile): Promise<Session> {
  const cwd = await projectRoot(path);
  const isSubagent = index.head.kind === "subagent";
  const builder = createSessionBuilder({
    id: sessionId(textIn(index.head, "sessionId") ?? basename(path)),
    host: "gemini",
    project: given({ cwd }),
    isSubagent,
  });
  const sink = createStepSink(builder, counter);
  const context = { cwd, isAgent: isSubagent, calls: new Map() };
  for await (const message of inOrder(index, lines)) sink.take(readMessage(message, context));
  return builder.finish({ report: counter.report(path), fallbackTime: modifiedAt, endedBy: sink.state() });
}

/** Last writings in the order of the conversation; one that was written late holds back those after it. */
async function* inOrder({ places }: ChatIndex, lines: Lines): AsyncGenerator<JsonObject> {
  const wanted = new Map(places.map(({ line, item }, order) => [`${line}/${item}`, order]));
  const waiting = new Map<number, JsonObject>();
  let next = 0;
  let number = 0;
  for await (const line of lines()) {
    for (const [item, message] of line.kind === "record" ? messagesIn(line.value).entries() : []) {
      const order = wanted.get(`${number}/${item}`);
      if (order !== undefined) waiting.set(order, message);
    }
    number += 1;
    for (let ready = waiting.get(next); ready !== undefined; ready = waiting.get(next)) {
      waiting.delete(next);
      next += 1;
      yield ready;
    }
  }
}

async function projectRoot(path: string): Promise<string | undefined> {
  try {
    const root = (await readFile(join(dirname(dirname(path)), PROJECT_ROOT), "utf8")).trim();
    return root === "" ? undefined : root;
  } catch {
    // Older versions wrote no such file: the project is then known to the caller only.
    return undefined;
  }
}
