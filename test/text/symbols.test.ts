import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { extractSymbols, normaliseSymbol, splitIdentifier, symbolForms } from "../../src/text/symbols.ts";
import { anyText } from "../support/any-text.ts";

describe("extractSymbols", () => {
  it.each([
    ["paths", "see packages/api/src/pool.ts now", "packages/api/src/pool.ts"],
    ["files", "edit pool.ts please", "pool.ts"],
    ["dotted names", "call ledger.close first", "ledger.close"],
    ["scoped names", "in ledger::close there", "ledger::close"],
    ["CamelCase", "the UserService fails", "UserService"],
    ["snake_case", "set read_timeout higher", "read_timeout"],
    ["SCREAMING_CASE", "set DATABASE_URL first", "DATABASE_URL"],
    ["TypeScript codes", "it says TS2345 again", "TS2345"],
    ["Oracle codes", "then ORA-00942 came", "ORA-00942"],
    ["Rust codes", "error[E0308] again", "E0308"],
    ["errno names", "got ECONNREFUSED there", "ECONNREFUSED"],
    ["SQL names", "join billing.invoices.tenant_id", "billing.invoices.tenant_id"],
    ["hosts of URLs", "on https://boards.acme.example/x?y=1 today", "boards.acme.example"],
    ["environment variables", "needs $HARBOUR_HOME set", "HARBOUR_HOME"],
    ["package versions", "react@18.2.0 only", "react@18.2.0"],
    ["scoped package versions", "with @acme/core@1.2 only", "@acme/core@1.2"],
    ["flags", "run with --frozen-lockfile always", "--frozen-lockfile"],
    ["words in backticks", "use `pnpm` here", "pnpm"],
    ["files in Windows paths", "open C:\\work\\app\\main.cs now", "C:\\work\\app\\main.cs"],
  ])("finds %s", (_, text, symbol) => {
    expect(extractSymbols(text)).toContain(symbol);
  });

  it("takes no symbol from plain prose", () => {
    expect(extractSymbols("Run the tests and/or ask him, e.g. on 2024/01/02; the API returns JSON.")).toEqual([]);
  });

  it("leaves common words out even in backticks", () => {
    expect(extractSymbols("the `test` of `index` and `true`")).toEqual([]);
  });

  it("names each symbol once, whatever its case", () => {
    expect(extractSymbols("`UserService` and UserService and `userservice`")).toEqual(["UserService"]);
  });

  it("accepts any text", () => {
    fc.assert(
      fc.property(anyText(300), (text) => {
        for (const symbol of extractSymbols(text)) expect(normaliseSymbol(symbol).length).toBeGreaterThan(1);
      }),
    );
  });
});

describe("normaliseSymbol", () => {
  it.each([
    ["`UserService.find()`", "userservice.find"],
    ["./src\\Db\\Pool.ts:12:5", "src/db/pool.ts"],
    ["src/db/", "src/db"],
    ['"ledger.close",', "ledger.close"],
  ])("turns %s into %s", (symbol, normal) => {
    expect(normaliseSymbol(symbol)).toBe(normal);
  });
});

describe("symbolForms", () => {
  it("finds a path by its suffixes, its name and its stem", () => {
    expect(symbolForms("src/db/pool.ts")).toEqual(["src/db/pool.ts", "db/pool.ts", "pool.ts", "pool"]);
  });

  it("finds a table without its schema", () => {
    expect(symbolForms("billing.invoices")).toContain("invoices");
  });

  it("finds a package without its version", () => {
    expect(symbolForms("@acme/core@1.2.0")).toEqual(["@acme/core@1.2.0", "@acme/core"]);
  });

  it("makes no form of a common word", () => {
    expect(symbolForms("src/billing/index.ts")).not.toContain("index");
  });
});

describe("splitIdentifier", () => {
  it("splits camel case, acronyms, snake case, dots and paths", () => {
    expect(splitIdentifier("getUserName user_service.ts HTTPServer src/http2Client")).toEqual([
      "get",
      "user",
      "name",
      "service",
      "ts",
      "http",
      "server",
      "src",
      "http2",
      "client",
    ]);
  });

  it("reads plain and other text alike: a foreign letter elsewhere changes no part", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme-ascii", maxLength: 40 }), (text) => {
        expect(splitIdentifier(`${text} é`)).toEqual([...splitIdentifier(text), "é"]);
      }),
    );
  });
});
