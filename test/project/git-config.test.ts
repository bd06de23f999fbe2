import { execFileSync } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { configValue, parseGitConfig } from "../../src/project/git-config.ts";

describe("parseGitConfig", () => {
  it("reads sections, subsections, quotes, escapes, comments and continued lines", () => {
    const entries = parseGitConfig(
      [
        "; a comment",
        "[Core]",
        "\tbare",
        '[remote "Or\\"igin"] url = "https://x.test/a#b" ; not part',
        "\tfetch = one \\",
        "two",
        '[alias]\n\tx = "a b"  c  # d',
        "key without section sign = 1",
        "[branch.main]",
        "remote = origin\r",
      ].join("\n"),
    );
    expect(entries).toContainEqual({ section: "core", subsection: "", key: "bare", value: "true" });
    expect(entries).toContainEqual({
      section: "remote",
      subsection: 'Or"igin',
      key: "url",
      value: "https://x.test/a#b",
    });
    expect(entries).toContainEqual({ section: "remote", subsection: 'Or"igin', key: "fetch", value: "one two" });
    expect(configValue(entries, { section: "alias", key: "x" })).toBe("a b  c");
    expect(configValue(entries, { section: "branch", subsection: "main", key: "remote" })).toBe("origin");
  });

  it("lets the last value count", () => {
    const entries = parseGitConfig("[user]\nemail = a\nemail = b\n");
    expect(configValue(entries, { section: "user", key: "email" })).toBe("b");
  });

  it("takes any text", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom("[", "]", '"', "\\", "=", "\n", "#", "a", " ") }), (text) => {
        expect(Array.isArray(parseGitConfig(text))).toBe(true);
      }),
    );
  });
});

describe("readSmallFile", () => {
  it("reads no pipe, which would hang until somebody writes to it", () => {
    const folder = mkdtempSync(join(tmpdir(), "arcticmem-pipe-"));
    execFileSync("mkfifo", [join(folder, ".git")]);
    const module = new URL("../../src/project/git-config.ts", import.meta.url).href;
    const script = `const { readSmallFile } = await import(${JSON.stringify(module)});
      console.log(String(readSmallFile(${JSON.stringify(join(folder, ".git"))})));`;
    const argv = ["--import", "tsx", "--input-type=module", "-e", script];
    const said = execFileSync(process.execPath, argv, { encoding: "utf8", timeout: 20_000, killSignal: "SIGKILL" });
    expect(said.trim()).toBe("undefined");
  });
});
