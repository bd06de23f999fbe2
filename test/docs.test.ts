import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Command } from "commander";
import { describe, expect, it } from "vitest";
import { COMMANDS } from "../src/cli/command-table.ts";
import type { CliContext } from "../src/cli/context.ts";
import { buildProgram } from "../src/cli/program.ts";

const ROOT = resolve(import.meta.dirname, "..");

const PAGES = [
  ...readdirSync(ROOT).filter((name) => name.endsWith(".md") && name !== "CHANGELOG.md"),
  ...readdirSync(join(ROOT, "docs"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => join("docs", name)),
].toSorted();

/** What stands in backticks or in a fenced block: where a page says what to type. */
function codeIn(page: string): string[] {
  const text = readFileSync(join(ROOT, page), "utf8");
  const blocks = [...text.matchAll(/^```[^\n]*\n([\s\S]*?)^```/gm)].flatMap(([, block = ""]) => block.split("\n"));
  const inline = [...text.replace(/^```[\s\S]*?^```/gm, "").matchAll(/`([^`\n]+)`/g)].map(([, code = ""]) => code);
  return [...blocks, ...inline];
}

/** Words after `arcticmem`, in every place where a page shows a command. */
function commandsIn(page: string): string[][] {
  return codeIn(page).flatMap((line) => {
    const [, rest] = /(?:^|[$&|;]\s*|npx )arcticmem ([a-z][^#&|;]*)/.exec(line.trim()) ?? [];
    return rest === undefined ? [] : [rest.trim().split(/\s+/)];
  });
}

async function program(): Promise<Command> {
  return buildProgram({ stdout: {}, stderr: {} } as CliContext, { argv: ["--help"], version: "" });
}

describe("the pages", () => {
  it("name only commands and options that exist", async () => {
    const root = await program();
    const wrong: string[] = [];
    for (const page of PAGES) {
      for (const words of commandsIn(page)) {
        const problem = problemWith(root, words);
        if (problem !== undefined) wrong.push(`${page}: arcticmem ${words.join(" ")}: ${problem}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  it("name only npm scripts that exist", () => {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as {
      scripts: Record<string, string>;
    };
    const named = PAGES.flatMap((page) =>
      codeIn(page).flatMap((line) => [...line.matchAll(/npm run ([\w:-]+)/g)].map(([, name = ""]) => ({ page, name }))),
    );
    expect(named.filter(({ name }) => scripts[name] === undefined)).toEqual([]);
  });

  it("link only to files that exist", () => {
    const broken = PAGES.flatMap((page) => {
      const text = readFileSync(join(ROOT, page), "utf8").replace(/^```[\s\S]*?^```/gm, "");
      return [...text.matchAll(/\]\((?!https?:|mailto:|#)([^)#\s]+)/g)]
        .map(([, link = ""]) => ({ page, link }))
        .filter(({ link }) => !existsSync(resolve(ROOT, page, "..", link)));
    });
    expect(broken).toEqual([]);
  });

  it("tell of every command", () => {
    const page = readFileSync(join(ROOT, "docs/cli.md"), "utf8");
    for (const { name } of COMMANDS) expect(page).toContain(`\`arcticmem ${name} `.trimEnd());
  });
});

/** Follows the words down the commands; what comes after is arguments and options. */
function problemWith(root: Command, words: readonly string[]): string | undefined {
  let command = root;
  let at = 0;
  for (let child = find(command, words[at]); child !== undefined; child = find(command, words[at])) {
    command = child;
    at += 1;
  }
  if (at === 0 && words[0] !== "help") return "no such command";
  const flags = words.slice(at).filter((word) => /^--?[a-z]/.test(word));
  const known = command.options.flatMap(({ short, long }) => [short, long]);
  const unknown = flags
    .map((flag) => flag.replace(/[=,.].*/, ""))
    .filter((flag) => flag !== "--help" && !known.includes(flag));
  return unknown.length === 0 ? undefined : `no option ${unknown.join(", ")}`;
}

function find(command: Command, word: string | undefined): Command | undefined {
  return command.commands.find((child) => child.name() === word);
}

describe("the page on the library", () => {
  it("shows a program that the oldest Node we run on can parse", () => {
    const [, program = ""] = /^```ts\n([\s\S]*?)^```/m.exec(readFileSync(join(ROOT, "docs/library.md"), "utf8")) ?? [];
    expect(program).toContain("openMemory");
    const file = join(mkdtempSync(join(tmpdir(), "arcticmem-docs-")), "program.mjs");
    writeFileSync(file, program);
    expect(spawnSync(process.execPath, ["--check", file], { encoding: "utf8" }).stderr).toBe("");
    expect(program).not.toContain("await using"); // a newer Node would parse it
  });
});
