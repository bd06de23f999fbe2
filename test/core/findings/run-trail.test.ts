import { describe, expect, it } from "vitest";
import { runTrail } from "../../../src/core/findings/run-trail.ts";
import { explainMemory } from "../../../src/keep/explain-memory.ts";
import { corrected, facts, modelOf, PNPM } from "../../support/corrected-session.ts";
import { ingestHarness } from "../../support/ingest-harness.ts";
import { aMemory } from "../../support/records.ts";

describe("runTrail", () => {
  it("tells the prompts, and what was proposed and done about this memory alone, with guard and reason", async () => {
    const npm = aMemory(1, { symbols: ["pnpm"], title: "Use npm here", content: "Dependencies go by npm here." });
    const other = { ...PNPM, title: "Add left-pad to the web package", evidence: [{ turn: 0, quote: "Add left-pad" }] };
    const decision = { fact: "A", relation: "same", op: "DELETE", target: 1, merged: null, quote: "" };
    const decisions = [{ ...decision, reason: "it says the same" }];
    const model = modelOf({ extract: facts(PNPM, other), lifecycle: JSON.stringify({ decisions, verdicts: [] }) });
    const harness = await ingestHarness({ model, memories: [npm] });
    await harness.ingest(corrected());
    const stored = (await harness.memories()).find(({ title }) => title === PNPM.title);
    if (stored === undefined) throw new Error("not stored");
    const { runs } = await explainMemory({ store: harness.store }, stored);
    expect(runs.flatMap((run) => runTrail(run, stored.id))).toEqual([
      expect.stringMatching(/^prompts: extract-facts@\d+, classify-lifecycle@\d+$/),
      `“${PNPM.title}”: proposed DELETE (same), done ADD [guard:relation, guard:none-differs]: it says the same`,
    ]);
    expect(runTrail({ report: null }, stored.id)).toEqual([]);
  });
});
