import { chmodSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { hashLine } from "../../src/core/hash.ts";
import type { Citation } from "../../src/core/memory-record.ts";
import { checkCitations } from "../../src/project/checkout.ts";
import { type TemporaryGit, temporaryGit } from "../support/temporary-git.ts";

const SOURCE = "export class Ledger {\n  close() {\n    return retryRefund(3);\n  }\n}\n";
let temp: TemporaryGit;
let root: string;

beforeEach(() => {
  temp = temporaryGit();
  root = temp.repository("work");
  temp.write(join(root, "src", "ledger.ts"), SOURCE);
  temp.git(root, "add", ".");
  temp.git(root, "commit", "-qm", "ledger");
});
afterEach(() => {
  temp[Symbol.dispose]();
});

const cite = (fields: Partial<Citation> = {}): Citation => ({
  path: "src/ledger.ts",
  symbol: null,
  lineHash: null,
  ...fields,
});
const check = (...citations: Citation[]) => checkCitations(root, citations, { searchMs: 20_000 });
const freshnessOf = async (citation: Citation): Promise<string> => (await check(citation)).freshness;

describe("checkCitations", () => {
  it("is fresh where file, symbol and line are there", async () => {
    const line = hashLine("return  retryRefund(3);");
    expect(await check(cite({ symbol: "Ledger", lineHash: line }))).toEqual({
      freshness: "fresh",
      checks: ["Ledger in src/ledger.ts is there."],
    });
    expect(await freshnessOf(cite())).toBe("fresh");
    expect(await freshnessOf(cite({ path: "src" }))).toBe("fresh");
  });

  it("does not take a part of a name for the name", async () => {
    expect(await freshnessOf(cite({ symbol: "Refund" }))).toBe("stale");
    expect(await freshnessOf(cite({ symbol: "retryRefund(" }))).toBe("fresh");
  });

  it("is moved where the line has changed and its symbol stands", async () => {
    const result = await check(cite({ symbol: "retryRefund", lineHash: hashLine("return retryRefund(5);") }));
    expect(result).toMatchObject({ freshness: "moved", checks: [expect.stringContaining("line has changed")] });
  });

  it("is stale where a line that was cited alone is gone", async () => {
    expect(await freshnessOf(cite({ lineHash: hashLine("return 1;") }))).toBe("stale");
  });

  it("follows a symbol, and a file of a rare name, to where they went", async () => {
    temp.git(root, "mv", "src/ledger.ts", "book.ts");
    expect(await check(cite({ symbol: "Ledger" }))).toMatchObject({
      freshness: "moved",
      checks: ["Ledger of src/ledger.ts is now in book.ts."],
    });
    temp.git(root, "mv", "book.ts", "ledger.ts");
    expect(await freshnessOf(cite())).toBe("moved");
  });

  it("does not take one of many files of a common name for the one that is gone", async () => {
    for (const place of ["a", "b"]) temp.write(join(root, place, "index.ts"), "x");
    temp.git(root, "add", ".");
    expect(await freshnessOf(cite({ path: "c/index.ts" }))).toBe("stale");
  });

  it("calls nothing stale that it had no time to look for elsewhere", async () => {
    temp.git(root, "mv", "src/ledger.ts", "book.ts");
    const result = await checkCitations(root, [cite({ symbol: "Ledger" })], { searchMs: 0 });
    expect(result.freshness).toBe("unverifiable");
    chmodSync(temp.write(temp.path("bin", "git"), "#!/bin/sh\nexec sleep 60\n"), 0o755);
    vi.stubEnv("PATH", `${temp.path("bin")}:/bin:/usr/bin`);
    const late = await checkCitations(root, [cite({ symbol: "Ledger" })], { searchMs: 50 });
    vi.unstubAllEnvs();
    expect(late.freshness).toBe("unverifiable");
  });

  it("is as good as the worst of its citations", async () => {
    const result = await check(cite(), cite({ path: "gone.ts" }));
    expect(result).toMatchObject({
      freshness: "stale",
      checks: [expect.any(String), expect.stringContaining("gone.ts")],
    });
  });

  it.each(["/etc/passwd", "../other/x.ts", "src/../../x", ""])("does not look at %j", async (path) => {
    expect(await freshnessOf(cite({ path }))).toBe("unverifiable");
  });

  it("does not follow a link out of the checkout", async () => {
    temp.write(temp.path("outside.ts"), "secret");
    symlinkSync(temp.path("outside.ts"), join(root, "link.ts"));
    expect(await freshnessOf(cite({ path: "link.ts", symbol: "secret" }))).toBe("unverifiable");
  });

  it("can't tell without citations, and without the checkout", async () => {
    expect(await check()).toEqual({ freshness: "unverifiable", checks: [] });
    expect((await checkCitations(temp.path("gone"), [cite()])).freshness).toBe("unverifiable");
  });
});
