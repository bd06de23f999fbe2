/**
 * Standard input and output during the opening: first answers go out at once, everything that came in waits for the SDK,
 * and the SDK's own answers to what is answered already are dropped.
 */
import { PassThrough, type Readable, Writable } from "node:stream";
import { type JsonObject, parseObject } from "../core/json/json-values.ts";
import type { FirstAnswer } from "./first-answers.ts";

export interface OpeningRequest {
  readonly input: Readable;
  readonly output: Writable;
  readonly answer: (message: unknown) => FirstAnswer | undefined;
}

export interface OpeningStream {
  /** Settles when the SDK is needed: the client has the tools, or has asked for something else. */
  readonly isOver: Promise<void>;
  /** What the SDK reads and writes. From here on nothing is answered but by the SDK. */
  handOver(): { readonly input: Readable; readonly output: Writable };
}

const NEWLINE = 0x0a;
/** No opening request is that long. */
const MAX_LINE_BYTES = 1_000_000;

export function openStream({ input, output, answer }: OpeningRequest): OpeningStream {
  const everything = new PassThrough();
  const answered = new Set<unknown>();
  let rest = Buffer.alloc(0);
  let isHandedOver = false;
  let end: () => void = () => {};
  const isOver = new Promise<void>((resolve) => {
    end = resolve;
  });

  const inspect = (line: string): void => {
    const message = parseObject(line); // what is none is the SDK's to complain about
    const first = answer(message);
    if (first !== undefined) {
      answered.add(first.id);
      output.write(`${JSON.stringify({ result: first.result, jsonrpc: "2.0", id: first.id })}\n`);
    }
    if (first === undefined ? !isNotification(message) : first.isLast) end();
  };

  input.on("data", (chunk: Buffer) => {
    everything.write(chunk);
    if (isHandedOver) return;
    rest = Buffer.concat([rest, chunk]);
    for (let stop = rest.indexOf(NEWLINE); stop >= 0; stop = rest.indexOf(NEWLINE)) {
      inspect(rest.subarray(0, stop).toString("utf8"));
      rest = rest.subarray(stop + 1);
    }
    if (rest.length > MAX_LINE_BYTES) end();
  });
  input.on("end", () => {
    everything.end();
    end();
  });

  return {
    isOver,
    handOver() {
      isHandedOver = true;
      return { input: everything, output: withoutAnswered(output, answered) };
    },
  };
}

/** Passes lines on, but the responses to requests in `answered`. The SDK writes one message at a time, whole. */
function withoutAnswered(output: Writable, answered: Set<unknown>): Writable {
  return new Writable({
    decodeStrings: false,
    write(chunk: string | Buffer, _encoding, done) {
      if (answered.size > 0 && answered.delete(responseId(parseObject(chunk.toString())))) done();
      else if (output.write(chunk)) done();
      else output.once("drain", () => done());
    },
  });
}

function responseId(message: JsonObject | undefined): unknown {
  return message === undefined || "method" in message ? undefined : message.id;
}

function isNotification(message: JsonObject | undefined): boolean {
  return message !== undefined && "method" in message && !("id" in message);
}
