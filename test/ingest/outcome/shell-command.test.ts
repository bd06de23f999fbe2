import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { shellSteps } from "../../../src/ingest/outcome/shell-command.ts";
import { anyText } from "../../support/any-text.ts";

const texts = (command: string) => shellSteps(command).map(({ text }) => text);
const unmasked = (command: string) =>
  shellSteps(command)
    .filter(({ masked }) => !masked)
    .map(({ text }) => text);

describe("shellSteps", () => {
  it("splits at operators, not within quotation marks nor behind a backslash", () => {
    expect(texts(`cd web && npm test; echo "a && b" | tee x\\;y`)).toEqual([
      "cd web",
      "npm test",
      'echo "a && b"',
      "tee x\\;y",
    ]);
    expect(texts("npm test 2>&1 && npm test &> log")).toEqual(["npm test 2>&1", "npm test &> log"]);
  });

  it("takes a status for hidden behind a pipe, `||` or another command, not behind `&&` or an empty line end", () => {
    expect(unmasked("npm test | tail -5")).toEqual(["tail -5"]);
    expect(unmasked("npm test || true")).toEqual(["true"]);
    expect(unmasked("npm test; git status")).toEqual(["git status"]);
    expect(unmasked("npm run build && npm test\n;\n")).toEqual(["npm run build", "npm test"]);
  });

  it("begins with the program that matters, behind variables and wrappers", () => {
    expect(texts("CI=1 NODE_OPTIONS='--max 1' timeout 60 npx --yes vitest run")).toEqual(["vitest run"]);
    expect(texts("docker compose exec -T web pytest -q")).toEqual(["pytest -q"]);
    expect(texts("CERT=/tmp/a.pem KEY=$(vault kv get -field=key a/b) go test ./...")).toEqual(["go test ./..."]);
    expect(texts("A=$HOME/x B=$( go test")).toEqual(["B=$( go test"]);
  });

  it("looks into a shell within a shell, and stops at the fourth", () => {
    expect(texts(`bash -lc "npm ci && npm test"`)).toEqual(["npm ci", "npm test"]);
    expect(unmasked(`sh -c "npm test" | tail -1`)).toEqual(["tail -1"]);
    const deep = `${'sh -c "'.repeat(20_000)}npm test${'"'.repeat(20_000)}`;
    expect(texts(deep)).toHaveLength(1);
  });

  it("leaves out what a heredoc holds, and keeps one that never ends and a here-string", () => {
    expect(texts("cat <<'EOF' && x\nrm -rf / && npm test\nEOF\nnpm run lint")).toEqual(["cat", "npm run lint"]);
    expect(texts("cat <<-END\n\tnpm test\n\tEND\n")).toEqual(["cat"]);
    expect(texts("cat <<NEVER\nnpm test")).toEqual(["cat <<NEVER", "npm test"]);
    expect(texts("jq . <<<EOF\nnpm test\nEOF\n")).toEqual(["jq . <<<EOF", "npm test", "EOF"]);
  });

  it("reads any text at all", () => {
    const piece = fc.constantFrom(
      "npm test",
      "&&",
      "|",
      ";",
      "\n",
      "<<A\n",
      "\nA\n",
      "'",
      '"',
      "\\",
      " ",
      "sh -c ",
      "A=1 ",
    );
    const commands = fc.oneof(
      anyText(200),
      fc.array(piece, { maxLength: 30 }).map((all) => all.join("")),
    );
    fc.assert(
      fc.property(commands, (command) => {
        for (const { text } of shellSteps(command)) expect(text).toBe(text.trim());
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([
    ["one word", "x"],
    ["many words", "word "],
    ["many steps", "a;"],
    ["many lines", "echo 1\n"],
    ["heredocs without an end", "<<A\n"],
    ["a path", "a/"],
    ["variables", "A=1 "],
    ["redirections", ">"],
    ["backslashes", "\\a"],
  ])("takes no more than its share of time for a long command: %s", (_, unit) => {
    const cpuOf = (characters: number) => {
      const command = unit.repeat(characters / unit.length);
      const runs = Array.from({ length: 5 }, () => {
        const before = process.cpuUsage();
        shellSteps(command);
        const { user, system } = process.cpuUsage(before);
        return user + system;
      });
      return Math.min(...runs);
    };
    cpuOf(20_000);
    const short = Math.max(cpuOf(20_000), 500);
    expect(cpuOf(320_000) / short).toBeLessThan(16 * 5);
  });
});
