import { describe, expect, it } from "vitest";
import { ingestLines, runLines } from "../../src/cli/render-run.ts";
import { runId, sessionId } from "../../src/core/ids.ts";
import type { IngestReport, RunRecord } from "../../src/core/report.ts";
import { aReport } from "../contract/store/runs.ts";
import { NOW } from "../support/records.ts";

const PLAIN = { bold: String, dim: String, red: String, green: String, yellow: String };

describe("a run that was taken back", () => {
  it("says so in the list and above its facts, and how one comes back; others do not", () => {
    const report = aReport({ kind: "facts" });
    const run: RunRecord = {
      ...{ id: runId("r"), host: "h", session: sessionId("s"), project: null, transcript: "/s.jsonl", digest: "d" },
      ...{ extractor: "rules/1", profile: "coding@1", status: "done", attempts: 1, leaseUntil: null, notBefore: null },
      ...{ watermark: 1, report, error: null, updatedAt: NOW },
    };
    const listed = (fields: Partial<IngestReport> = {}) =>
      runLines([{ ...run, report: { ...report, ...fields } }], NOW).join("\n");
    expect(listed({ undone: true })).toContain("undone: facts");
    expect(listed()).not.toContain("undone");
    expect(ingestLines({ ...report, undone: true }, PLAIN).join("\n")).toMatch(
      /undone: .*`arcticmem restore <handle>`/,
    );
    expect(ingestLines(report, PLAIN).join("\n")).not.toContain("undone");
  });
});
