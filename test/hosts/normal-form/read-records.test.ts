import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type JsonlRecord, type ReadRecordsOptions, readRecords } from "../../../src/hosts/normal-form/read-records.ts";

const folder = mkdtempSync(join(tmpdir(), "arcticmem-test-"));

async function records(bytes: string | Uint8Array, options: ReadRecordsOptions = {}): Promise<JsonlRecord[]> {
  const path = join(folder, "file.jsonl");
  writeFileSync(path, bytes);
  const found: JsonlRecord[] = [];
  for await (const record of readRecords(path, options)) found.push(record);
  return found;
}

describe("readRecords", () => {
  it("reads one object a line, empty lines and carriage returns aside", async () => {
    expect(await records('{"a":1}\r\n\n  {"b":2}')).toEqual([
      { kind: "record", value: { a: 1 } },
      { kind: "record", value: { b: 2 } },
    ]);
  });

  it("counts a line that is no object", async () => {
    expect(await records("[1]\nnull\n{x\n")).toEqual(Array(3).fill({ kind: "unparsable" }));
  });

  it("skips a last line that is not finished", async () => {
    expect(await records('{"a":1}\n{"b":')).toHaveLength(1);
  });

  it("leaves out a line that is too long, and goes on behind it", async () => {
    const long = JSON.stringify({ data: "x".repeat(2_000) });
    expect(await records(`{"a":1}\n${long}\n{"b":2}\n`, { maxRecordBytes: 1_000 })).toEqual([
      { kind: "record", value: { a: 1 } },
      { kind: "truncated", bytes: long.length },
      { kind: "record", value: { b: 2 } },
    ]);
  });

  it("puts lines together that lie in several pieces of the file", async () => {
    const value = { text: "ü".repeat(400_000) };
    expect(await records(`${JSON.stringify(value)}\n{"b":2}\n`)).toEqual([
      { kind: "record", value },
      { kind: "record", value: { b: 2 } },
    ]);
  });

  it("reads no further than it is told", async () => {
    expect(await records('{"a":1}\n{"b":2}\n', { maxBytes: 8 })).toHaveLength(1);
  });

  it("stops when it is asked to", async () => {
    const signal = AbortSignal.abort();
    await expect(records('{"a":1}\n', { signal })).rejects.toMatchObject({ name: "AbortError" });
  });

  it("accepts any bytes", async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (bytes) => {
        for (const record of await records(bytes, { maxRecordBytes: 100 })) expect(record.kind).toBeTypeOf("string");
      }),
      { numRuns: 50 },
    );
  });
});
