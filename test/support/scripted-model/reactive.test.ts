import { describe, expect, it } from "vitest";
import type { Fact } from "../../../src/core/memory-record.ts";
import { renderTurns } from "../../../src/ingest/extract/render-turns.ts";
import { createBoundary } from "../../../src/ingest/prompts/boundary.ts";
import { classifyLifecyclePrompt } from "../../../src/ingest/prompts/classify-lifecycle.ts";
import { buildSession, human, runs } from "../build-session.ts";
import { aMemory, NOW } from "../records.ts";
import { factFrom, handlesIn, reactiveAdditions, reactiveExtraction, turnsIn } from "./reactive.ts";
import type { ModelCall } from "./script.ts";

const boundary = createBoundary({ next: () => "0123456789ab" });
const callOf = (text: string) => ({ text }) as ModelCall;

describe("the reactive model", () => {
  const session = buildSession([human("Never use npm here.\nIt breaks."), runs("pnpm test", "41 passed")]);
  const prompt = boundary.wrap(renderTurns(session.turns));

  it("reads turns with their roles out of a prompt", () => {
    expect(turnsIn(prompt).map(({ turn, role }) => `${turn} ${role}`)).toEqual([
      "0 human",
      "1 call Bash",
      "2 result Bash, ok",
    ]);
  });

  it("cuts its quotes from what people said", () => {
    const { facts } = reactiveExtraction()(callOf(prompt)) as {
      facts: { evidence: { turn: number; quote: string }[] }[];
    };
    expect(facts.map(({ evidence }) => evidence)).toEqual([[{ turn: 0, quote: "Never use npm here." }]]);
  });

  it("reads the handles of a lifecycle prompt, and adds every fact of it", () => {
    const item = factFrom({ type: "preference", turn: 0, quote: "Never use npm here." });
    const fact = { ...item, howToApply: "", whenToUse: [], whenNot: null, appliesIf: null } as unknown as Fact;
    const facts = ["A", "B"].map((handle) => ({ handle, fact, extractor: "model:x", byRule: false, flags: [] }));
    const candidates = new Map([1, 2, 3].map((number) => [number, aMemory(number)]));
    const { prompt: text } = classifyLifecyclePrompt({ boundary, facts, candidates, now: NOW } as never);
    expect(handlesIn(text)).toEqual({ facts: ["A", "B"], candidates: [1, 2, 3] });
    expect(reactiveAdditions(callOf(text))).toMatchObject({
      decisions: [
        { fact: "A", op: "ADD" },
        { fact: "B", op: "ADD" },
      ],
    });
  });
});
