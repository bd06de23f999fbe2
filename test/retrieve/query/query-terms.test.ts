import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { queryTerms } from "../../../src/retrieve/query/query-terms.ts";

const texts = (terms: readonly { readonly text: string }[]): string[] => terms.map(({ text }) => text);

/** Everything that has broken a search box before. */
const hostile = fc.oneof(
  fc.string({ unit: "binary", maxLength: 200 }),
  fc.string({ unit: "grapheme", maxLength: 200 }),
  fc
    .array(
      fc.constantFrom(
        '"',
        "'",
        "*",
        "(",
        ")",
        ":",
        "^",
        "-",
        "+",
        "NEAR",
        "AND",
        "OR",
        "NOT",
        "\u0000",
        "\ud800",
        "%",
        "_",
        ";--",
        "{",
        "\\",
      ),
      { maxLength: 60 },
    )
    .map((parts) => parts.join("")),
);

describe("queryTerms", () => {
  it("leaves out the words that carry the question, not its matter", () => {
    expect(texts(queryTerms("How do we run the migrations?").words.fact)).toEqual(["run", "migr"]);
  });

  it("keeps them where nothing else is left", () => {
    expect(queryTerms("who are you").words.fact.length).toBeGreaterThan(0);
  });

  it("keeps them for kinds of units that want them", () => {
    const { words } = queryTerms("how does the ledger close", ["chunk"]);
    expect(texts(words.chunk)).toContain("how");
    expect(texts(words.fact)).not.toContain("how");
  });

  it("repeats a word as the query repeats it, up to three times", () => {
    const { repeated, words } = queryTerms("sql sql sql sql refund");
    expect(texts(repeated.fact).filter((word) => word === "sql")).toHaveLength(3);
    expect(texts(words.fact)).toEqual(["sql", "refund"]);
  });

  it("asks for an identifier by its parts and as a whole", () => {
    const found = texts(queryTerms("getUserName").words.fact);
    expect(found.slice(0, 3)).toEqual(["get", "user", "name"]);
    expect(found[3]).toMatch(/^getuser/);
  });

  it("asks for the symbols of a question under the forms in which they are stored", () => {
    const { symbols } = queryTerms("why does `src/auth/token-store.ts` throw ORA-00942?");
    expect(symbols).toEqual(expect.arrayContaining(["src/auth/token-store.ts", "token-store.ts", "ora-00942"]));
  });

  it("breaks scripts without spaces into pairs of characters", () => {
    expect(texts(queryTerms("数据库迁移").words.fact)).toEqual(["数据", "据库", "库迁", "迁移"]);
  });

  it("asks for a single character of such a script as a beginning", () => {
    expect(queryTerms("库").words.fact).toEqual([{ text: "库", prefix: true }]);
  });

  it("takes out a block of ours that was pasted into the query", () => {
    const { text } = queryTerms('fix it\n<arcticmem-memories as_of="x">\n- secret title\n</arcticmem-memories>');
    expect(text).toBe("fix it");
  });

  it("gives plain words for any input", () => {
    fc.assert(
      fc.property(hostile, (input) => {
        const { words, repeated, symbols, pieces, symbolShare } = queryTerms(input);
        for (const { text } of [...words.fact, ...words.chunk, ...repeated.chunk]) {
          expect(text).toMatch(/^[\p{L}\p{N}\p{M}]+$/u);
        }
        for (const piece of pieces) expect([...piece].length).toBeGreaterThanOrEqual(3);
        expect(symbols.length).toBeLessThanOrEqual(64);
        expect(symbolShare).toBeLessThanOrEqual(1);
      }),
      { numRuns: 500 },
    );
  });

  it("bounds what a megabyte asks for", () => {
    for (const unit of ["refund ", "a_b_c_d.e/f ", "((((", "数据", "x", "\u0000\ud83d", "`a`"]) {
      const { words, repeated, pieces, text } = queryTerms(unit.repeat(Math.ceil(1_000_000 / unit.length)));
      expect(text.length).toBeLessThanOrEqual(6_000);
      expect(words.chunk.length + repeated.chunk.length + pieces.length).toBeLessThanOrEqual(96 + 96 + 32);
    }
  });
});
