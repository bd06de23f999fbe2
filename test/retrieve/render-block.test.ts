import { describe, expect, it } from "vitest";
import { estimateTokens } from "../../src/core/tokens.ts";
import { type BlockEntry, type BlockInput, renderBlock } from "../../src/retrieve/render-block.ts";
import { aChunk, aMemory, daysAgo, NOW } from "../support/records.ts";

const fact = (memory: ReturnType<typeof aMemory>, reason = ""): BlockEntry => ({ unit: "fact", memory, reason });
const block = (fields: Partial<BlockInput>) =>
  renderBlock({ entries: [], inFull: [], matched: true, mode: "llm", news: "", now: NOW, ...fields });

const refund = aMemory(1, { title: "Refund job must run after ledger close", confirmedAt: daysAgo(12) });
const commits = aMemory(2, {
  type: "preference",
  title: "User wants migrations as separate commits",
  content: "The user wants every migration in a commit of its own, before the code that needs it.",
  source: "user_stated",
  confirmedAt: daysAgo(40),
});

describe("renderBlock", () => {
  it("gives each title with type, age, who said it and why it is here, and says when to search", () => {
    const entries = [fact(refund, 'matches branch "refund-retry"'), fact(commits)];
    expect(block({ entries })).toEqual({
      text: [
        '<arcticmem-memories as_of="2026-03-02" mode="llm">',
        '- [L-000001] Refund job must run after ledger close (lesson, 12d) — matches branch "refund-retry"',
        "- [P-000002] User wants migrations as separate commits (preference, 40d, user said)",
        "Before debugging or a familiar task, call memory_search.",
        "</arcticmem-memories>",
      ].join("\n"),
      shown: [refund.id, commits.id],
    });
  });

  it("gives a few short texts whole", () => {
    const { text, shown } = block({ entries: [fact(refund)], inFull: [commits] });
    expect(text).toContain(`[P-000002] in full: ${commits.content}`);
    expect(shown).toEqual([refund.id, commits.id]);
  });

  it("does not repeat a text that its title already tells", () => {
    expect(block({ entries: [fact(refund)], inFull: [{ ...commits, content: commits.title }] }).text).not.toContain(
      "in full",
    );
  });

  it("says so when nothing fits the work at hand", () => {
    expect(block({ entries: [fact(refund, "newest")], matched: false }).text).toContain("No specific match");
  });

  it("says nothing when there is nothing to say", () => {
    expect(block({})).toEqual({ text: "", shown: [] });
  });

  it("tells what the last session taught", () => {
    expect(block({ news: "learned 2 last time, 3 unconfirmed" }).text).toContain(
      "\nlearned 2 last time, 3 unconfirmed\n",
    );
  });

  it("points to a piece of a file by its place", () => {
    const chunk = aChunk(3, { path: "RULES.md", headings: ["Rules", "Deploy"] });
    expect(block({ entries: [{ unit: "chunk", chunk, reason: 'matches commit "x"' }] }).text).toContain(
      '- RULES.md › Deploy (file, line 30) — matches commit "x"',
    );
  });

  it("shows at most six lines in 400 tokens, and three texts in 300", () => {
    const long = Array.from({ length: 12 }, (_, at) =>
      aMemory(at, {
        title: `${at} ${"a rather long title about the billing system ".repeat(3)}`,
        content: "word ".repeat(90),
      }),
    );
    const { text } = block({
      entries: long.map((memory) => fact(memory, "matches changed files of the work at hand")),
      inFull: long,
    });
    expect(text.match(/^- /gm)?.length).toBeLessThanOrEqual(6);
    expect(text.match(/in full/g)?.length).toBeLessThanOrEqual(3);
    expect(estimateTokens(text)).toBeLessThanOrEqual(700);
  });

  it("gives up texts first, then lines, where the host takes less", () => {
    const entries = [fact(refund), fact(commits)];
    const whole = block({ entries, inFull: [commits] }).text;
    const without = block({ entries, inFull: [commits], maxCharacters: whole.length - 1 });
    expect(without.text).not.toContain("in full");
    expect(without.text).toContain("P-000002");
    expect(block({ entries, maxCharacters: without.text.length - 1 }).shown).toEqual([refund.id]);
    expect(block({ entries, maxCharacters: 20 })).toEqual({ text: "", shown: [] });
  });
});
