/**
 * Streams a file of one JSON object a line. Neither the file's size nor one huge line can fill memory; what can't be
 * read is counted, never thrown.
 */
import { createReadStream } from "node:fs";
import { given } from "../../core/given.ts";
import { type JsonObject, parseObject } from "../../core/json/json-values.ts";
import { readError } from "./open-file.ts";

/** Longest record that is read: 8 MB, as a record with a screenshot or two still is smaller. */
const MAX_RECORD_BYTES = 8 * 1024 * 1024;
const READ_BYTES = 256 * 1024;
const NEWLINE = 0x0a;

export type JsonlRecord =
  | { readonly kind: "record"; readonly value: JsonObject }
  | { readonly kind: "unparsable" }
  /** Longer than `MAX_RECORD_BYTES`: left out. */
  | { readonly kind: "truncated"; readonly bytes: number };

export interface ReadRecordsOptions {
  readonly signal?: AbortSignal | undefined;
  /** Reads no further than this: so that a second pass sees the same file as the first. */
  readonly maxBytes?: number;
  readonly maxRecordBytes?: number;
}

/**
 * The records of a file in order. Empty lines are skipped; a last line that was cut off while it was being written is
 * skipped too.
 *
 * @throws {ArcticMemError} `FILE_NOT_FOUND`, `FILE_UNREADABLE`.
 */
export async function* readRecords(path: string, options: ReadRecordsOptions = {}): AsyncGenerator<JsonlRecord> {
  for await (const line of readLines(path, options)) {
    if (line.text === undefined) {
      yield { kind: "truncated", bytes: line.bytes };
      continue;
    }
    const text = line.text.trim();
    if (text === "") continue;
    const value = parseObject(text);
    if (value !== undefined) yield { kind: "record", value };
    else if (line.isComplete) yield { kind: "unparsable" };
  }
}

interface Line {
  /** Undefined where the line is too long. */
  readonly text: string | undefined;
  readonly bytes: number;
  /** Ended by a line end. */
  readonly isComplete: boolean;
}

async function* readLines(path: string, options: ReadRecordsOptions): AsyncGenerator<Line> {
  const { signal, maxBytes, maxRecordBytes = MAX_RECORD_BYTES } = options;
  if (maxBytes === 0) return;
  const stream = createReadStream(path, {
    highWaterMark: READ_BYTES,
    ...given({ signal, end: maxBytes === undefined ? undefined : maxBytes - 1 }),
  });
  let pending = createPendingLine(maxRecordBytes);
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      let from = 0;
      for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, from)) {
        pending.add(chunk.subarray(from, end));
        yield pending.take(true);
        pending = createPendingLine(maxRecordBytes);
        from = end + 1;
      }
      pending.add(chunk.subarray(from));
    }
  } catch (cause) {
    throw readError(path, cause);
  }
  if (pending.bytes() > 0) yield pending.take(false);
}

interface PendingLine {
  add(piece: Buffer): void;
  bytes(): number;
  take(isComplete: boolean): Line;
}

function createPendingLine(maxBytes: number): PendingLine {
  let pieces: Buffer[] = [];
  let bytes = 0;
  return {
    add(piece) {
      bytes += piece.length;
      if (bytes > maxBytes) pieces = [];
      else if (piece.length > 0) pieces.push(piece);
    },
    bytes: () => bytes,
    take: (isComplete) => ({
      text: bytes > maxBytes ? undefined : Buffer.concat(pieces).toString("utf8"),
      bytes,
      isComplete,
    }),
  };
}
