import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type CliResult, type CliSetting, runCli } from "../support/run-cli.ts";

interface Stage {
  readonly home: string;
  readonly run: (argv: readonly string[], setting?: CliSetting) => Promise<CliResult>;
  readonly config: () => unknown;
}

function stage(): Stage {
  const home = mkdtempSync(join(tmpdir(), "arcticmem-home-"));
  const variables = { ARCTICMEM_HOME: join(home, "memory"), HOME: home };
  return {
    home,
    run: (argv, setting) => runCli(argv, { home, variables, ...setting }),
    config: () => JSON.parse(readFileSync(join(home, "memory", "config.json"), "utf8")) as unknown,
  };
}

describe("init", () => {
  it("refuses to choose for the user where nobody can be asked", async () => {
    const { run, home } = stage();
    const { code, stderr } = await run(["init"]);
    expect(code).toBe(2);
    expect(stderr).toContain("--provider none");
    expect(existsSync(join(home, "memory"))).toBe(false);
  });

  it("says that nothing leaves the machine without a model", async () => {
    const { run, config } = stage();
    const { code, stdout } = await run(["init", "--yes"]);
    expect(code).toBe(0);
    expect(stdout).toContain("Transcripts never leave this machine");
    expect(config()).toMatchObject({ model: { provider: "none" } });
  });

  it("says for which model alone transcripts leave the machine", async () => {
    const { run, config } = stage();
    const argv = [
      "init",
      "--provider",
      "openai-compatible",
      "--model",
      "qwen",
      "--base-url",
      "http://localhost:11434/v1",
    ];
    expect((await run(argv)).stdout).toContain("leave this machine only for qwen at http://localhost:11434/v1");
    expect(config()).toMatchObject({ model: { provider: "openai-compatible", model: "qwen", apiKeyEnv: null } });
  });

  it("says what is wrong in words, once", async () => {
    const { stderr } = await stage().run(["init", "--provider", "openai-compatible", "--model", "qwen"]);
    expect(stderr).toContain("model.baseUrl");
    expect(stderr).not.toContain("because");
  });

  it("writes nothing when a part is missing", async () => {
    const { run, home } = stage();
    expect((await run(["init", "--provider", "openai-compatible", "--model", "qwen"])).code).toBe(2);
    expect(existsSync(join(home, "memory", "config.json"))).toBe(false);
  });

  it("asks in a terminal, once more for an answer that it does not know", async () => {
    const { run, config } = stage();
    const input = "gemini\nanthropic\nclaude-small\n\nMY_KEY\n";
    const { code, stderr } = await run(["init"], { terminal: true, input });
    expect(code).toBe(0);
    expect(stderr).toContain("Give one of: none, anthropic, openai-compatible.");
    expect(config()).toMatchObject({
      model: { provider: "anthropic", model: "claude-small", baseUrl: null, apiKeyEnv: "MY_KEY" },
    });
  });

  it("keeps what is set with --yes", async () => {
    const { run, config } = stage();
    await run(["init", "--provider", "anthropic", "--model", "claude-small"]);
    await run(["init", "--yes"]);
    expect(config()).toMatchObject({ model: { provider: "anthropic", model: "claude-small" } });
  });
});

describe("config", () => {
  it("tells where it is, sets, gets and unsets one setting", async () => {
    const { run, home } = stage();
    expect((await run(["config", "path"])).stdout).toBe(`${join(home, "memory", "config.json")}\n`);
    expect((await run(["config", "set", "search.limit", "7"])).stdout).toBe("search.limit = 7\n");
    expect((await run(["config", "get", "search.limit"])).stdout).toBe("7\n");
    expect((await run(["config", "unset", "search.limit"])).stdout).toBe("search.limit = 10\n");
  });

  it("takes plain texts and JSON", async () => {
    const { run } = stage();
    await run(["config", "set", "files.globs", '["docs/**/*.md"]']);
    await run(["config", "set", "profile", "coding"]);
    expect(JSON.parse((await run(["config", "get", "--json"])).stdout)).toMatchObject({
      profile: "coding",
      files: { globs: ["docs/**/*.md"] },
    });
  });

  it.each([
    ["a setting that does not exist", ["config", "set", "no.such", "1"], 2],
    ["a setting that every object has", ["config", "get", "__proto__"], 2],
    ["a value of the wrong type", ["config", "set", "search.limit", "many"], 2],
    ["a profile that is none", ["config", "set", "profile", "nope"], 2],
    ["an address that is none", ["init", "--provider", "anthropic", "--model", "m", "--base-url", "nowhere"], 2],
  ])("refuses %s and writes nothing", async (_name, argv, code) => {
    const { run, home } = stage();
    expect((await run(argv)).code).toBe(code);
    expect(existsSync(join(home, "memory", "config.json"))).toBe(false);
  });

  it("names the profiles that there are where it is given another", async () => {
    expect((await stage().run(["config", "set", "profile", "nope"])).stderr).toMatch(/"nope"[\s\S]*coding/);
  });

  it("takes a key out of the file that is no setting, and only what stands there", async () => {
    const { run, home, config } = stage();
    mkdirSync(join(home, "memory"));
    writeFileSync(join(home, "memory", "config.json"), '{"serach":{},"search":{"limit":7}}');
    expect((await run(["config", "unset", "searhc"])).code).toBe(2);
    expect((await run(["config", "unset", "serach"])).stdout).toBe("serach is no setting, and was removed\n");
    expect(config()).toEqual({ search: { limit: 7 } });
  });

  it("lists every setting in its help", async () => {
    const { stdout } = await stage().run(["config", "--help"]);
    expect(stdout).toContain("model.provider");
    expect(stdout).toContain("ingest.budgets.callsPerDay");
  });
});

describe("install and uninstall", () => {
  it("adds to what is there, twice the same, and takes back exactly that", async () => {
    const { run, home } = stage();
    mkdirSync(join(home, ".claude"));
    const settings = join(home, ".claude", "settings.json");
    const before =
      '{\n  "model": "opus",\n  "hooks": {"Stop": [{"hooks": [{"type": "command", "command": "beep"}]}]}\n}\n';
    writeFileSync(settings, before);

    const first = await run(["install", "claude-code"]);
    expect(first.code).toBe(0);
    const installed = readFileSync(settings, "utf8");
    expect(JSON.parse(installed)).toMatchObject({
      model: "opus",
      hooks: { Stop: [{}], SessionStart: [{}], SessionEnd: [{}] },
    });
    const launcher = join(home, "memory", "bin", "arcticmem-launch");
    expect(installed).toContain(launcher);
    expect(statSync(launcher).mode & 0o777).toBe(0o700);

    await run(["install", "claude-code"]);
    expect(readFileSync(settings, "utf8")).toBe(installed);

    expect((await run(["uninstall", "claude-code"])).code).toBe(0);
    expect(readFileSync(settings, "utf8")).toBe(before);
    expect(existsSync(launcher)).toBe(false);
  });

  it("refuses a host that does not exist", async () => {
    const { code, stderr } = await stage().run(["install", "emacs"]);
    expect(code).toBe(2);
    expect(stderr).toContain("claude-code");
  });

  it("says what is missing without a home folder", async () => {
    const { code, stderr } = await stage().run(["install", "claude-code"], { home: "", variables: {} });
    expect(code).toBe(1);
    expect(stderr).toContain("HOME is not set");
    expect(stderr).toContain("hint:");
  });

  it("can't be told from broken settings: the check-up says so, and goes on", async () => {
    const { run, home } = stage();
    mkdirSync(join(home, ".claude"));
    writeFileSync(join(home, ".claude", "settings.json"), "{");
    const { code, stdout } = await run(["doctor"]);
    expect(code).toBe(1);
    expect(stdout).toMatch(/FAIL\s+hosts\s+\S+settings\.json is not valid JSON/);
    expect(stdout).toMatch(/ok\s+memories/);
  });

  it("is seen by the check-up, also when the launcher is gone", async () => {
    const { run, home } = stage();
    expect((await run(["doctor"])).stdout).toContain("no agent host uses the memory");
    await run(["install", "claude-code"]);
    expect((await run(["doctor"])).stdout).toMatch(/ok\s+hosts\s+claude-code/);
    rmSync(join(home, "memory", "bin"), { recursive: true });
    const { code, stdout } = await run(["doctor"]);
    expect(code).toBe(1);
    expect(stdout).toContain("the launcher of claude-code is gone");
  });
});
