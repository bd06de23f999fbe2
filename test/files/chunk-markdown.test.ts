import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { chunkMarkdown, MAX_PIECE_CHARACTERS, splitLines } from "../../src/files/chunk-markdown.ts";

const FENCE = "```";
const long = (word: string, characters: number): string =>
  `${word} `.repeat(Math.ceil(characters / (word.length + 1))).trim();

describe("chunkMarkdown", () => {
  it("cuts by heading and gives each piece the titles that lead to it", () => {
    const pieces = chunkMarkdown(
      "# Billing\n\nIntro.\n\n## Tests\n\nRun them.\n\n### Slow\n\nAt night.\n\n## Style\n\nTabs.\n",
    );
    expect(pieces).toEqual([
      { headings: ["Billing"], text: "# Billing\n\nIntro.", startLine: 1, endLine: 3 },
      { headings: ["Billing", "Tests"], text: "## Tests\n\nRun them.", startLine: 5, endLine: 7 },
      { headings: ["Billing", "Tests", "Slow"], text: "### Slow\n\nAt night.", startLine: 9, endLine: 11 },
      { headings: ["Billing", "Style"], text: "## Style\n\nTabs.", startLine: 13, endLine: 15 },
    ]);
  });

  it("does not leave a heading alone that has nothing but another heading below it", () => {
    const [first] = chunkMarkdown("# Billing\n\n## Tests\n\nRun them.\n");
    expect(first).toMatchObject({ headings: ["Billing", "Tests"], startLine: 1, endLine: 5 });
  });

  it("keeps a heading with its paragraph although both together are somewhat too long", () => {
    const pieces = chunkMarkdown(`## Tests\n\n${long("word", 1190)}\n`);
    expect(pieces).toHaveLength(1);
  });

  it("reads underlined headings, and no table or list for one", () => {
    const headings = chunkMarkdown(
      "Billing\n=======\n\nText.\n\nTests\n---\n\nMore.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n",
    ).map((piece) => piece.headings);
    expect(headings).toEqual([["Billing"], ["Billing", "Tests"]]);
  });

  it("takes a hash inside a fence for code", () => {
    const text = `# A\n\n${FENCE}sh\n# not a heading\nnpm test\n${FENCE}\n\nAfter.\n`;
    expect(chunkMarkdown(text)).toEqual([{ headings: ["A"], text: text.trimEnd(), startLine: 1, endLine: 8 }]);
  });

  it("ends a fence only at its own mark", () => {
    const text = `# A\n\n~~~~md\n${FENCE}\n# no\n~~~\n# nor this\n~~~~\n\n# B\n\nEnd.\n`;
    expect(chunkMarkdown(text).map(({ headings }) => headings)).toEqual([["A"], ["B"]]);
  });

  it("keeps a fence whole where it fits, and begins a new piece for it", () => {
    const code = `${FENCE}\n${"let x = 1;\n".repeat(60)}${FENCE}`;
    const pieces = chunkMarkdown(`# A\n\n${long("before", 900)}\n\n${code}\n\nAfter.\n`);
    expect(pieces.some(({ text }) => text.includes(code))).toBe(true);
  });

  it("cuts a long list between its items", () => {
    const items = Array.from({ length: 60 }, (_, at) => `- item ${at} ${"x".repeat(40)}\n  and its second line`);
    const pieces = chunkMarkdown(`# A\n\n${items.join("\n")}\n`);
    expect(pieces.length).toBeGreaterThan(2);
    for (const { text } of pieces.slice(1)) expect(text.startsWith("- item")).toBe(true);
  });

  it("cuts a long line after a sentence", () => {
    const line = "This is a sentence of the policy. ".repeat(100).trim();
    const pieces = chunkMarkdown(line);
    expect(pieces.map(({ text }) => text).join("")).toBe(line);
    for (const { text } of pieces) expect(text.trimEnd().endsWith(".")).toBe(true);
  });

  it("gives unspaced scripts a third of the characters, since each costs a token", () => {
    const pieces = chunkMarkdown("設定".repeat(500));
    expect(Math.max(...pieces.map(({ text }) => text.length))).toBeLessThanOrEqual(MAX_PIECE_CHARACTERS / 3);
  });

  it("counts lines the same for all line ends", () => {
    const ranges = ["\n", "\r\n", "\r"].map((end) =>
      chunkMarkdown(["# A", "", "x", "", "# B", "", "y"].join(end)).map(({ startLine, endLine }) => [
        startLine,
        endLine,
      ]),
    );
    expect(new Set(ranges.map((range) => JSON.stringify(range))).size).toBe(1);
  });

  it("keeps front matter with the first piece", () => {
    const pieces = chunkMarkdown("---\ndescription: Tests\nalwaysApply: true\n---\n# Tests\n\nRun them.\n");
    expect(pieces).toMatchObject([{ headings: ["Tests"], startLine: 1, endLine: 7 }]);
  });

  it.each(["", "\n\n", " \t\n"])("has no piece for %j", (text) => {
    expect(chunkMarkdown(text)).toEqual([]);
  });

  it("strips marks from titles", () => {
    expect(chunkMarkdown("## `npm` **test** [guide](x.md) ##\n\nx")[0]?.headings).toEqual(["npm test guide"]);
  });

  const line = fc.oneof(
    fc.constantFrom(
      "# A",
      "## B",
      "####### no",
      "- item",
      "  more",
      "1. one",
      FENCE,
      "~~~",
      "---",
      "===",
      "",
      "| a | b |",
      "> q",
      "\t",
    ),
    fc.string({ unit: "grapheme", maxLength: 60 }).map((text) => text.replace(/[\r\n]/g, "")),
    fc.string({ unit: "binary", maxLength: 400 }).map((text) => text.replace(/[\r\n]/g, " ")),
  );
  const document = fc.array(line, { maxLength: 60 }).map((lines) => lines.join("\n"));

  it("covers every line that is not blank, in order, with exact line numbers", () => {
    fc.assert(
      fc.property(document, fc.integer({ min: 20, max: 400 }), (text, max) => {
        const lines = splitLines(text);
        const pieces = chunkMarkdown(text, max);
        const seen: string[] = lines.map(() => "");
        let last = 0;
        for (const { text: piece, startLine, endLine } of pieces) {
          expect(startLine).toBeGreaterThanOrEqual(last);
          last = endLine;
          if (startLine < endLine) expect(piece).toBe(lines.slice(startLine - 1, endLine).join("\n"));
          for (const [at, part] of splitLines(piece).entries()) seen[startLine - 1 + at] += part;
        }
        const bare = (parts: readonly string[]): string[] => parts.map((part) => part.replace(/\s+/g, ""));
        expect(bare(seen)).toEqual(bare(lines));
      }),
      { numRuns: 300 },
    );
  });

  it("keeps the size limit, but for the heading that it does not tear off", () => {
    fc.assert(
      fc.property(document, fc.integer({ min: 20, max: 400 }), (text, max) => {
        for (const piece of chunkMarkdown(text, max)) expect(piece.text.length).toBeLessThanOrEqual(max * 1.25);
      }),
    );
  });

  it("never splits a surrogate pair", () => {
    for (const { text } of chunkMarkdown("😀".repeat(2000))) expect(text).not.toMatch(/\p{Cs}/u);
  });
});
