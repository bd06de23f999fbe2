import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { isLauncherThere, launcherCommands, removeLauncher, writeLauncher } from "../../src/cli/launcher.ts";

const PRINT = 'console.log(process.argv.slice(2).join("|")); process.exit(Number(process.env.CODE ?? 0));\n';

/** A stage with a package that prints its arguments, in a folder whose name needs quoting. */
function stage(): { readonly root: string; readonly packageRoot: string; readonly directory: string } {
  const root = mkdtempSync(join(tmpdir(), "arctic mem's $HOME "));
  const packageRoot = join(root, "lib", "arcticmem");
  mkdirSync(join(packageRoot, "dist", "hooks"), { recursive: true });
  mkdirSync(join(packageRoot, "dist", "cli"), { recursive: true });
  writeFileSync(join(packageRoot, "package.json"), '{"type":"module"}');
  writeFileSync(join(packageRoot, "dist", "hooks", "run-hook.js"), PRINT);
  writeFileSync(join(packageRoot, "dist", "cli", "main.js"), PRINT);
  return { root, packageRoot, directory: join(root, "data", "bin") };
}

function run(
  command: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): { code: number | null; stdout: string; stderr: string } {
  const [file = "", ...argv] = command;
  const env = { HOME: "/nonexistent", PATH: "/usr/bin:/bin", ...environment };
  const { status, stdout, stderr } = spawnSync(file, argv, { env, encoding: "utf8" });
  return { code: status, stdout, stderr };
}

/** A folder to put on the PATH. */
function pathFolder(root: string, programs: Readonly<Record<string, string>>): string {
  const folder = join(root, "path");
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(programs)) {
    writeFileSync(join(folder, name), text);
    chmodSync(join(folder, name), 0o755);
  }
  return folder;
}

describe("the launcher of POSIX", () => {
  const written = (node = process.execPath) => {
    const made = stage();
    const place = { directory: made.directory, platform: "linux" } as const;
    writeLauncher(place, { node, packageRoot: made.packageRoot });
    return { ...made, place, ...launcherCommands(place, "claude-code") };
  };

  it("runs hook and server of the recorded package, by the recorded Node", () => {
    const { hook, mcp } = written();
    expect(run(hook, { PATH: "" })).toEqual({ code: 0, stdout: "claude-code\n", stderr: "" });
    expect(run(mcp, { PATH: "" })).toEqual({ code: 0, stdout: "mcp\n", stderr: "" });
  });

  it("belongs to its owner alone, and replaces an older one", () => {
    const { directory, place, packageRoot, mcp } = written("/old/node");
    writeLauncher(place, { node: process.execPath, packageRoot });
    expect(statSync(join(directory, "arcticmem-launch")).mode & 0o777).toBe(0o700);
    expect(run(mcp, { PATH: "" }).stdout).toBe("mcp\n");
  });

  it("finds another Node when the recorded one is gone, and passes over one that is too old", () => {
    const { hook, mcp, root } = written("/gone/bin/node");
    const folder = pathFolder(root, {});
    symlinkSync(process.execPath, join(folder, "node"));
    expect(run(hook, { PATH: folder }).stdout).toBe("claude-code\n");

    rmSync(join(folder, "node"));
    pathFolder(root, { node: "#!/bin/sh\nexit 1\n" });
    const volta = join(root, ".volta", "bin");
    mkdirSync(volta, { recursive: true });
    symlinkSync(process.execPath, join(volta, "node"));
    expect(run(mcp, { PATH: folder, HOME: root }).stdout).toBe("mcp\n");
  });

  it("finds the package on the PATH when the recorded one is gone", () => {
    const { hook, mcp, root, packageRoot } = written();
    rmSync(packageRoot, { recursive: true });
    const folder = pathFolder(root, {
      "arcticmem-hook": '#!/bin/sh\necho "global hook $*"\n',
      arcticmem: '#!/bin/sh\necho "global $*"\n',
    });
    expect(run(hook, { PATH: folder }).stdout).toBe("global hook claude-code\n");
    expect(run(mcp, { PATH: folder }).stdout).toBe("global mcp\n");
  });

  it("says nothing and ends with 0 for a hook when nothing is found; the server says what to do", () => {
    const { hook, mcp, packageRoot } = written();
    rmSync(packageRoot, { recursive: true });
    expect(run(hook, { PATH: "/nonexistent" })).toEqual({ code: 0, stdout: "", stderr: "" });
    const { code, stdout, stderr } = run(mcp, { PATH: "/nonexistent" });
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toContain("hint: npm install --global arcticmem");
  });

  it("ends a hook with 0 whatever the program does, and passes on the server's code", () => {
    const { hook, mcp } = written();
    expect(run(hook, { CODE: "7" }).code).toBe(0);
    expect(run(mcp, { CODE: "7" }).code).toBe(7);
  });

  it("starts nothing for a hook that is switched off", () => {
    expect(run(written().hook, { ARCTICMEM_DISABLE: "1" })).toEqual({ code: 0, stdout: "", stderr: "" });
    expect(run(written().hook, { ARCTICMEM_DISABLE: "0" }).stdout).toBe("claude-code\n");
  });

  it("is removed without a trace", () => {
    const { place, directory } = written();
    expect(isLauncherThere(place)).toBe(true);
    removeLauncher(place);
    expect(isLauncherThere(place)).toBe(false);
    expect(existsSync(join(directory, "arcticmem-launch"))).toBe(false);
  });
});

describe("the launcher of Windows", () => {
  const written = () => {
    const made = stage();
    const place = { directory: made.directory, platform: "win32" } as const;
    writeLauncher(place, { node: process.execPath, packageRoot: made.packageRoot });
    const script = join(made.directory, "arcticmem-launch.cjs");
    return { ...made, place, script, start: (...argv: string[]) => [process.execPath, script, ...argv] };
  };

  it("is started by `node`, without a shell", () => {
    const { place, script } = written();
    const { hook, mcp } = launcherCommands(place, "claude-code");
    expect(hook).toEqual(["node", script, "hook", "claude-code"]);
    expect(mcp).toEqual(["node", script, "mcp"]);
  });

  it("runs hook and server in the same process, with the arguments that they expect", () => {
    const { start } = written();
    expect(run(start("hook", "claude-code")).stdout).toBe("claude-code\n");
    expect(run(start("mcp")).stdout).toBe("mcp\n");
  });

  it("finds a global package when the recorded one is gone, else is silent for hooks", () => {
    const { start, packageRoot, root } = written();
    const global = join(root, "npm", "node_modules");
    mkdirSync(global, { recursive: true });
    symlinkSync(packageRoot, join(global, "arcticmem"));
    const text = readFileSync(join(packageRoot, "dist", "cli", "main.js"), "utf8");
    expect(text).toBe(PRINT);
    rmSync(join(global, "arcticmem"));
    const moved = join(global, "arcticmem");
    mkdirSync(join(moved, "dist", "hooks"), { recursive: true });
    writeFileSync(join(moved, "package.json"), '{"type":"module"}');
    writeFileSync(join(moved, "dist", "hooks", "run-hook.js"), PRINT);
    rmSync(packageRoot, { recursive: true });
    expect(run(start("hook", "claude-code"), { APPDATA: root }).stdout).toBe("claude-code\n");
    expect(run(start("hook", "claude-code"))).toEqual({ code: 0, stdout: "", stderr: "" });
    expect(run(start("mcp")).code).toBe(1);
  });
});
