import { describe, expect, it } from "vitest";
import { COMMANDS } from "../../src/cli/command-table.ts";
import { ArcticMemError } from "../../src/core/errors.ts";
import { fakeMemory } from "../support/fake-memory.ts";
import { runCli } from "../support/run-cli.ts";

describe("the program", () => {
  it("prints the version", async () => {
    expect(await runCli(["--version"])).toEqual({ code: 0, stdout: "1.2.3\n", stderr: "" });
  });

  it("lists every command in the help, in groups", async () => {
    const { code, stdout } = await runCli(["--help"]);
    expect(code).toBe(0);
    for (const { name, group } of COMMANDS) {
      expect(stdout).toContain(group);
      expect(stdout).toMatch(new RegExp(`^  ${name}\\b`, "m"));
    }
  });

  it("shows the help where no command is given", async () => {
    const { code, stdout } = await runCli([]);
    expect(code).toBe(0);
    expect(stdout).toContain("Usage: arcticmem");
  });

  it("has a command behind every name of the table, called so and summed up", async () => {
    for (const { name, load } of COMMANDS) {
      const { stdout, code } = await runCli([name, "--help"]);
      expect(code, name).toBe(0);
      expect(stdout, name).toContain(`Usage: arcticmem ${name}`);
      expect(load, name).toBeTypeOf("function");
    }
  });

  it("ends with 2 and suggests a command when the name is mistyped", async () => {
    const { code, stdout, stderr } = await runCli(["serach", "x"]);
    expect(code).toBe(2);
    expect(stdout).toBe("");
    expect(stderr).toContain("search");
  });

  it.each([
    ["an unknown option", ["search", "x", "--nonsense"], "unknown option"],
    ["a missing argument", ["show"], "missing required argument"],
    ["a limit that is no number", ["search", "x", "-n", "many"], "whole number"],
    ["a type that does not exist", ["list", "--type", "poem"], "lesson, context, preference, pointer"],
    ["a moment that can't be read", ["forget", "--since", "yesterday-ish"], "Give a date"],
  ])("ends with 2 and points at the help for %s", async (_name, argv, message) => {
    const { code, stderr } = await runCli(argv);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
    expect(stderr).toContain(`arcticmem ${argv[0]} --help`);
  });

  it("tells message, cause and hint of an error, without a stack, and ends with 1", async () => {
    const cause = new Error("disk I/O error");
    const trouble = new ArcticMemError("STORE_BROKEN", "The store can't be read.", {
      hint: "Restore a backup.",
      cause,
    });
    const { code, stdout, stderr } = await runCli(["list"], { memory: fakeMemory({ trouble }) });
    expect(code).toBe(1);
    expect(stdout).toBe("");
    expect(stderr).toBe("error: The store can't be read.\n  because: disk I/O error\nhint: Restore a backup.\n");
  });

  it("shows the stack to those who ask for it", async () => {
    const openError = new Error("odd");
    const { stderr } = await runCli(["list"], { openError, variables: { ARCTICMEM_DEBUG: "1" } });
    expect(stderr).toContain("at ");
  });

  it("explains what the operating system refuses", async () => {
    const openError = Object.assign(new Error("EACCES: permission denied, open '/x'"), { code: "EACCES" });
    const { code, stderr } = await runCli(["list"], { openError });
    expect(code).toBe(1);
    expect(stderr).toContain("hint: Check who owns the file");
  });

  it("says what to do when settings of a host can't be written", async () => {
    const openError = new ArcticMemError("INSTALL_FAILED", "/x/settings.json can't be written: EACCES");
    const { code, stderr } = await runCli(["list"], { openError });
    expect(code).toBe(1);
    expect(stderr).toContain("hint: Nothing was changed. Check that you may write the file and its folder");
  });

  it("closes the memory, also after an error", async () => {
    const memory = fakeMemory();
    await runCli(["show", "L-nosuch"], { memory });
    expect(memory.isClosed).toBe(true);
  });

  it("colours nothing outside a terminal, and nothing under NO_COLOR", async () => {
    const memory = fakeMemory();
    await runCli(["add", "Deploy with the blue button"], { memory });
    const colour = "\u001b[";
    expect((await runCli(["list"], { memory })).stdout).not.toContain(colour);
    expect((await runCli(["list"], { memory, terminal: true })).stdout).toContain(colour);
    expect((await runCli(["list"], { memory, terminal: true, variables: { NO_COLOR: "1" } })).stdout).not.toContain(
      escape,
    );
  });
});
