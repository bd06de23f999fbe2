import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { claudeCodeInstaller } from "../../../src/hosts/claude-code/install.ts";
import type { HostEnvironment, InstallChange } from "../../../src/hosts/host.ts";

const LAUNCHER = "/home/ana/.local/share/arcticmem/arcticmem-launch";
const COMMANDS = { hook: [LAUNCHER, "hook", "claude-code"], mcp: [LAUNCHER, "mcp"] };
const EVENTS = ["SessionStart", "SessionEnd", "PreCompact"];

let home: string;
let environment: HostEnvironment;
let settings: string;
let state: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "arcticmem-test-"));
  environment = { home, variables: {} };
  mkdirSync(join(home, ".claude"));
  settings = join(home, ".claude/settings.json");
  state = join(home, ".claude.json");
});

const install = (commands = COMMANDS): Promise<InstallChange[]> => claudeCodeInstaller.install(commands, environment);
const uninstall = (): Promise<InstallChange[]> => claudeCodeInstaller.uninstall(environment);
const text = (path: string): string => readFileSync(path, "utf8");
const json = (path: string): Record<string, never> => JSON.parse(text(path));
const actions = (changes: readonly InstallChange[]): string[] => changes.map((change) => change.action);

const THEIRS = `{
\t"model": "opus",
\t"hooks": {
\t\t"SessionStart": [ { "hooks": [ { "type": "command", "command": "./greet.sh" } ] } ],
\t\t"Stop": []
\t},
\t"env": {}
}
`;

describe("installing in Claude Code", () => {
  it("makes both files where there are none", async () => {
    expect(actions(await install())).toEqual(["created", "created"]);
    expect(Object.keys(json(settings).hooks ?? {})).toEqual(EVENTS);
    expect(json(settings)).toMatchObject({
      hooks: {
        SessionEnd: [{ hooks: [{ type: "command", command: LAUNCHER, args: ["hook", "claude-code"], timeout: 10 }] }],
      },
    });
    expect(json(state)).toEqual({
      mcpServers: { arcticmem: { type: "stdio", command: LAUNCHER, args: ["mcp"], env: {} } },
    });
    expect(await claudeCodeInstaller.isInstalled(environment)).toBe(true);
  });

  it("adds to what is there, and keeps its order and indentation", async () => {
    writeFileSync(settings, THEIRS);
    await install();
    expect(Object.keys(json(settings))).toEqual(["model", "hooks", "env"]);
    expect(json(settings)).toMatchObject({
      hooks: { SessionStart: [{ hooks: [{ command: "./greet.sh" }] }, { hooks: [{ command: LAUNCHER }] }] },
    });
    expect(text(settings)).toMatch(/^{\n\t"model": "opus",\n/);
  });

  it("changes nothing the second time", async () => {
    writeFileSync(settings, THEIRS);
    await install();
    const before = text(settings);
    expect(actions(await install())).toEqual(["unchanged", "unchanged"]);
    expect(text(settings)).toBe(before);
  });

  it("replaces its entries when the launcher has moved", async () => {
    writeFileSync(settings, THEIRS);
    await install();
    const moved = "/opt/arcticmem/arcticmem-launch";
    await install({ hook: [moved, "hook", "claude-code"], mcp: [moved, "mcp"] });
    expect(text(settings)).not.toContain(LAUNCHER);
    expect(text(settings).split(moved)).toHaveLength(EVENTS.length + 1);
    await uninstall();
    expect(text(settings)).toBe(THEIRS);
  });

  it("recognises its entries on Windows, where node runs the launcher", async () => {
    const script = "C:\\Users\\Ana\\AppData\\Local\\arcticmem\\arcticmem-launch.cjs";
    const commands = { hook: ["node", script, "hook", "claude-code"], mcp: ["node", script, "mcp"] };
    await install(commands);
    expect(actions(await install(commands))).toEqual(["unchanged", "unchanged"]);
    await uninstall();
    expect(existsSync(settings)).toBe(false);
  });

  it("follows CLAUDE_CONFIG_DIR, where the state file lies inside", async () => {
    const folder = join(home, "elsewhere");
    environment = { home, variables: { CLAUDE_CONFIG_DIR: folder } };
    const changes = await install();
    expect(changes.map((change) => change.file)).toEqual([join(folder, "settings.json"), join(folder, ".claude.json")]);
  });

  it("changes no file when one of them is not valid JSON", async () => {
    writeFileSync(settings, THEIRS);
    writeFileSync(state, "{ // mine\n}");
    await expect(install()).rejects.toMatchObject({ code: "INSTALL_FAILED" });
    expect(text(settings)).toBe(THEIRS);
    expect(text(state)).toBe("{ // mine\n}");
    expect(readdirSync(join(home, ".claude"))).toEqual(["settings.json"]);
  });

  it("refuses to replace another server of its name", async () => {
    writeFileSync(state, '{"mcpServers":{"arcticmem":{"command":"/opt/other/server"}}}');
    await expect(install()).rejects.toMatchObject({ code: "INSTALL_FAILED" });
    expect(existsSync(settings)).toBe(false);
  });

  it("leaves a link alone that leads nowhere", async () => {
    symlinkSync(join(home, "unplugged", "dotfiles.json"), settings);
    await expect(install()).rejects.toMatchObject({ code: "INSTALL_FAILED" });
    expect(lstatSync(settings).isSymbolicLink()).toBe(true);
    expect(existsSync(state)).toBe(false);
  });

  it("keeps a file's mode and a link to it", async () => {
    const real = join(home, "dotfiles.json");
    writeFileSync(real, THEIRS);
    chmodSync(real, 0o640);
    symlinkSync(real, settings);
    await install();
    expect(lstatSync(settings).isSymbolicLink()).toBe(true);
    expect(statSync(real).mode & 0o777).toBe(0o640);
    await uninstall();
    expect(text(real)).toBe(THEIRS);
  });
});

describe("uninstalling from Claude Code", () => {
  it.each([
    ["tabs and inline lists", THEIRS],
    ["Windows line ends and no last one", '{\r\n    "model": "opus"\r\n}'],
    ["one line", '{"model":"opus","hooks":{}}'],
    ["a byte order mark", '\ufeff{\n  "a": 1\n}\n'],
    ["nothing but braces", "{}"],
    ["nothing at all", ""],
  ])("gives back %s byte for byte", async (_, original) => {
    writeFileSync(settings, original);
    writeFileSync(state, original);
    await install();
    expect(actions(await uninstall())).toEqual(["restored", "restored"]);
    expect(text(settings)).toBe(original);
    expect(text(state)).toBe(original);
    expect(readdirSync(join(home, ".claude"))).toEqual(["settings.json"]);
  });

  it("removes the files that it made", async () => {
    await install();
    expect(actions(await uninstall())).toEqual(["removed", "removed"]);
    expect(existsSync(settings)).toBe(false);
    expect(existsSync(state)).toBe(false);
  });

  it("takes out only its entries from a file that was changed since", async () => {
    writeFileSync(settings, THEIRS);
    await install();
    const changed = { ...json(settings), model: "sonnet" };
    writeFileSync(settings, JSON.stringify(changed, null, "\t"));
    expect(actions(await uninstall())[0]).toBe("removed");
    expect(json(settings)).toEqual({ ...JSON.parse(THEIRS), model: "sonnet" });
    expect(readdirSync(join(home, ".claude"))).toEqual(["settings.json"]);
  });

  it("keeps a handler of somebody else that stands in one group with ours", async () => {
    await install();
    const hooks = {
      SessionStart: [
        {
          hooks: [
            { type: "command", command: LAUNCHER },
            { type: "command", command: "x" },
          ],
        },
      ],
    };
    writeFileSync(settings, JSON.stringify({ hooks }));
    await uninstall();
    expect(json(settings)).toEqual({ hooks: { SessionStart: [{ hooks: [{ type: "command", command: "x" }] }] } });
  });

  it("leaves hooks of somebody who only works in a folder of our name", async () => {
    const theirs = '{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"/work/arcticmem/scripts/hook.sh"}]}]}}';
    writeFileSync(settings, theirs);
    expect(actions(await uninstall())[0]).toBe("unchanged");
    expect(text(settings)).toBe(theirs);
  });

  it("does nothing where it was never installed", async () => {
    expect(actions(await uninstall())).toEqual(["unchanged", "unchanged"]);
    expect(await claudeCodeInstaller.isInstalled(environment)).toBe(false);
  });
});
