import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { loadProfile } from "../../../src/config/profiles.ts";
import type { Profile } from "../../../src/core/profile.ts";
import { claudeCodeTranscripts } from "../../../src/hosts/claude-code/transcript.ts";
import { type ExtractionMode, extractFacts } from "../../../src/ingest/extract/extract-facts.ts";
import { filterFacts } from "../../../src/ingest/extract/filter-facts.ts";
import { groundFacts } from "../../../src/ingest/extract/ground-facts.ts";
import { summarizeTurns } from "../../../src/ingest/extract/summarize-turns.ts";
import { judgeOutcome } from "../../../src/ingest/outcome/judge-outcome.ts";
import { markFailedSpans } from "../../../src/ingest/outcome/mark-failed-spans.ts";
import { readCues } from "../../../src/ingest/outcome/read-cues.ts";
import { cluesOf } from "../../../src/ingest/outcome/session-reading.ts";
import type { StageDeps } from "../../../src/ingest/stage-deps.ts";
import { createOpenAiCompatibleModel } from "../../../src/models/adapters/openai-compatible.ts";
import { factFrom, reactiveExtraction, reactiveSummaries, turnsIn } from "../../support/scripted-model/reactive.ts";
import type { ModelCall, ScriptEntry } from "../../support/scripted-model/script.ts";
import { type ScriptedModel, startScriptedModel } from "../../support/scripted-model/server.ts";
import { stageDeps } from "../../support/stage-deps.ts";

const profile: Profile = await loadProfile("coding", { profiles: join(import.meta.dirname, "no-such-folder") });
const readFixture = (name: string) =>
  claudeCodeTranscripts.read(join(import.meta.dirname, `../../fixtures/sessions/${name}.jsonl`));

function depsFor(server: ScriptedModel, contextTokens = 128_000): StageDeps {
  const model = createOpenAiCompatibleModel({
    baseUrl: server.baseUrl,
    model: "scripted",
    contextTokens,
    key: { kind: "none" },
    environment: {},
  });
  return stageDeps(model, { profile });
}

async function stages(deps: StageDeps, name: string, mode: ExtractionMode) {
  const raw = await readFixture(name);
  const { outcome, reading } = await judgeOutcome(deps, { session: raw });
  const session = { ...raw, turns: markFailedSpans(reading) };
  const { windows } = await summarizeTurns(deps, { session, clues: cluesOf(reading) });
  const extraction = await extractFacts(deps, { session, windows, mode, knownTitles: [], fromTurn: 0 });
  const candidates = extraction.kind === "candidates" ? extraction.candidates : [];
  const cues = {
    accepts: (text: string) => readCues(text).accepts,
    meansEverywhere: (text: string) => readCues(text).everywhere,
  };
  const grounded = groundFacts(deps, { session, candidates, mode, reading: cues, fromTurn: 0 });
  const filtered = await filterFacts(deps, { session, facts: grounded.facts, knownDocuments: [], most: 10 });
  return { outcome, extraction, facts: filtered.facts, rejections: [...grounded.rejections, ...filtered.rejections] };
}

/** A model that quotes people truly, and invents and guesses besides. */
function unreliable(call: ModelCall): Readonly<Record<string, unknown>> {
  const { facts } = reactiveExtraction(/\b(?:never|remember|board)\b/i)(call) as { facts: object[] };
  const invented = factFrom({ type: "lesson", turn: 10, quote: "the database of firmware 9.9 is broken" });
  const claimed = turnsIn(call.text).find(({ text }) => text.includes("relaxed peer dependencies"));
  const guess = factFrom({
    type: "lesson",
    turn: claimed?.turn ?? 0,
    quote: "I'll retry with relaxed peer dependencies.",
    title: "Relaxed peer dependencies probably help",
    content: "Installing with relaxed peer dependencies probably makes npm work in this repository.",
    source: "agent_inferred",
  });
  return { facts: [...facts, invented, guess] };
}

const SCRIPT: readonly ScriptEntry[] = [
  { match: { stage: "extract" }, reply: unreliable },
  { match: { stage: "summarize" }, reply: reactiveSummaries },
];

describe("the golden session with a correction", () => {
  it("is a success, with the correction answered and the failed attempts marked", async () => {
    await using server = await startScriptedModel(SCRIPT);
    const { outcome } = await stages(depsFor(server), "claude-code-correction", "facts");
    expect(outcome).toMatchObject({ label: "success", evidence: "user" });
    const ids = outcome.signals.map(({ id, turn, resolved }) => `${id} t${turn}${resolved ? " resolved" : ""}`);
    expect(ids).toContain("user_correction t10 resolved");
    expect(ids).toContain("committed t44");
    expect(server.calls[0]?.text).toMatch(
      /^\[t8 call Bash, part of a failed attempt\] npm install --legacy-peer-deps/m,
    );
  });

  it("gives what the user said, and neither the invented nor the guessed fact", async () => {
    await using server = await startScriptedModel(SCRIPT);
    const { facts, rejections } = await stages(depsFor(server), "claude-code-correction", "facts");
    const contents = facts.map(({ content }) => content).join("\n");
    expect(contents).toMatch(/pnpm in this repository, never npm/);
    expect(contents).toMatch(/until firmware 4\.2/);
    expect(facts.every(({ source, trust }) => source === "user_stated" && trust === 3)).toBe(true);
    expect(rejections).toContainEqual(expect.objectContaining({ rule: "R-ungrounded" }));
    expect(rejections).toContainEqual(
      expect.objectContaining({ rule: "R7", title: "Relaxed peer dependencies probably help" }),
    );
  });

  it("gives the same where a model of 4,096 tokens needs it summarised", async () => {
    await using server = await startScriptedModel(SCRIPT);
    const { facts } = await stages(depsFor(server, 4_096), "claude-code-correction", "facts");
    expect(server.callsOf("summarize").length).toBeGreaterThan(0);
    expect(facts.map(({ content }) => content).join("\n")).toMatch(/pnpm in this repository, never npm/);
  });
});

describe("the golden session that failed", () => {
  const lesson = (call: ModelCall) => {
    const failed = turnsIn(call.text).find(
      ({ role, text }) => role.startsWith("result Bash, error") && text.includes("ECONNREFUSED"),
    );
    const verified = factFrom({
      type: "lesson",
      turn: failed?.turn ?? 0,
      quote: "Error: connect ECONNREFUSED 127.0.0.1:5433",
      title: "API tests fail with ECONNREFUSED without the database",
      content:
        "The tests of @tidewatch/api failed with ECONNREFUSED on 127.0.0.1:5433; it stayed unresolved in the session.",
      why: "unresolved",
      how_to_apply: "Check that the tunnel to the database is open before running them.",
      source: "tool_verified",
    });
    const procedure = factFrom({ type: "preference", turn: 15, quote: "The change is complete." });
    return { facts: [verified, procedure] };
  };

  it("is a failure, and teaches at most what a local tool's error bears out", async () => {
    await using server = await startScriptedModel([{ match: { stage: "extract" }, reply: lesson }]);
    const { outcome, facts, rejections } = await stages(depsFor(server), "claude-code-failure", "failure_lessons");
    expect(outcome.label).toBe("failure");
    expect(outcome.signals.map(({ id }) => id)).toEqual(
      expect.arrayContaining(["verification_failing", "user_denial", "user_revert", "ended_by_api_error"]),
    );
    expect(facts).toMatchObject([{ type: "lesson", polarity: "avoid", source: "tool_verified" }]);
    expect(facts[0]?.symbols.join("\n")).toContain("econnrefused");
    expect(rejections).toContainEqual(expect.objectContaining({ rule: "R-unverified" }));
  });
});
