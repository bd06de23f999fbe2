import { describe, expect, it } from "vitest";
import type { MemoryRecord, Provenance } from "../../../src/core/memory-record.ts";
import { extractByRules } from "../../../src/ingest/extract/extract-by-rules.ts";
import { isTrusted } from "../../../src/retrieve/start/trusted.ts";
import { buildSession, edits, human, runs } from "../../support/build-session.ts";
import { CODING } from "../../support/coding-profile.ts";
import { aMemory, NOW } from "../../support/records.ts";

const byRule = { kind: "session", extractor: "rules/2" } as Provenance;
const stored = (fields: Partial<MemoryRecord>) =>
  aMemory(1, { status: "provisional", provenance: [byRule], ...fields });

describe("what may be shown unasked", () => {
  it.each([
    ["X1", true, [human("Remember that releases go out on Tuesdays only.")]],
    ["X2", true, [human("Always write commit messages in the imperative.")]],
    ["X3", false, [human("Add it."), runs("npm install a"), human("No, use pnpm here, not npm."), runs("pnpm add a")]],
    [
      "X4",
      false,
      [runs("make", "fatal error: libx.h not found", { status: "error" }), edits("config.yml"), runs("make")],
    ],
    [
      "X5",
      false,
      [
        ...["pip install foo", "pip install foo -v", "pip3 install foo"].map((command) =>
          runs(command, "ERROR: Could not build wheels for foo", { status: "error" }),
        ),
        runs("conda install foo"),
      ],
    ],
    ["X6", true, [human("The churn dashboard is https://grafana.acme.example/d/7")]],
    ["X7", false, [human("We decided to keep amounts in cents because rounding bit us.")]],
  ])("of what rules find is what the user explicitly stated: %s %s", (rule, isShown, drafts) => {
    const [found] = extractByRules({ session: buildSession(drafts), profile: CODING, fromTurn: 0, which: "all" });
    expect(found?.rule).toBe(rule);
    const { type, source, trust, confidence } = found?.fact ?? {};
    expect(isTrusted(stored({ type, source, trust, confidence } as MemoryRecord), NOW)).toBe(isShown);
  });

  it("is not what a model found in a session of unknown outcome", () => {
    const byModel = { ...byRule, extractor: "model:x" };
    expect(isTrusted(stored({ source: "user_stated", confidence: 0.9, provenance: [byModel] }), NOW)).toBe(false);
  });
});
