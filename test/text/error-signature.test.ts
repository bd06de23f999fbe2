import { describe, expect, it } from "vitest";
import { errorSignatures, normaliseErrorMessage } from "../../src/text/error-signature.ts";

describe("normaliseErrorMessage", () => {
  it.each([
    ["paths", "ENOENT: open '/home/a/p/app.yaml'", "ENOENT: open '/srv/ci/42/p/app.yaml'"],
    ["lines and columns", "src/a.ts(12,5): error TS2345: no", "src/a.ts(99,1): error TS2345: no"],
    ["numbers", "failed after 312ms (attempt 3)", "failed after 5ms (attempt 1)"],
    ["hashes", "object 4f3a2b1c9d is missing", "object 9e8d7c6b5a4 is missing"],
    ["times", "2026-01-02T10:11:12Z refused", "2025-12-31T23:59:59Z refused"],
    ["ports", "listen EADDRINUSE 127.0.0.1:3000", "listen EADDRINUSE 127.0.0.1:8080"],
  ])("gives two messages that differ in %s one signature", (_, a, b) => {
    expect(normaliseErrorMessage(a)).toBe(normaliseErrorMessage(b));
  });

  it.each([
    ["codes", "error TS2345: no", "error TS2322: no"],
    ["names", "Cannot find module 'left-pad'", "Cannot find module 'right-pad'"],
    ["files", "ENOENT: open '/p/app.yaml'", "ENOENT: open '/p/db.yaml'"],
  ])("keeps two messages with different %s apart", (_, a, b) => {
    expect(normaliseErrorMessage(a)).not.toBe(normaliseErrorMessage(b));
  });
});

describe("errorSignatures", () => {
  it("puts errors with a type or a code before lines that only speak of failure", () => {
    const output = "build failed, see below\nsrc/a.ts:1:2 - error TS2345: not assignable\n";
    expect(errorSignatures(output)[0]).toContain("ts2345");
  });

  it("knows an error by the constant that names it", () => {
    const output = "0000310 W STLink: LIBUSB_ERROR_ACCESS [-3] while opening 0483:374e\nOPENSSL_ERR_LIB at 7";
    expect(errorSignatures(output)).toHaveLength(2);
    expect(errorSignatures("export const MAX_TERRORS = 3;\nset USERRORS_ON")).toEqual([]);
  });

  it("finds none in output that reports success", () => {
    const output = " ✓ handles an error\n Tests  12 passed (12)\nFound 0 errors.\nno failures";
    expect(errorSignatures(output)).toEqual([]);
  });

  it("names an error that repeats once", () => {
    expect(errorSignatures("Error: no route 1\nError: no route 2")).toHaveLength(1);
  });
});
