/** Real git repositories in a throw-away folder, untouched by the user's own git settings. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

export interface TemporaryGit extends Disposable {
  readonly folder: string;
  /** A folder that stands for the user's home; git reads no other. */
  readonly home: string;
  path(...parts: string[]): string;
  git(folder: string, ...args: string[]): string;
  /** A repository with one commit. */
  repository(name: string, remote?: string): string;
  write(path: string, text: string): string;
}

export function temporaryGit(): TemporaryGit {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "arcticmem-git-")));
  const home = join(folder, "home");
  mkdirSync(home);
  const env = { PATH: process.env.PATH, HOME: home, GIT_CONFIG_NOSYSTEM: "1", LC_ALL: "C" };
  const identity = ["-c", "user.name=Ada", "-c", "user.email=ada@acme.test", "-c", "init.defaultBranch=main"];
  const git = (cwd: string, ...args: string[]): string =>
    execFileSync("git", [...identity, "-c", "protocol.file.allow=always", ...args], {
      cwd,
      env,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    }).trim();
  const write = (path: string, text: string): string => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    return path;
  };
  return {
    folder,
    home,
    path: (...parts) => join(folder, ...parts),
    git,
    write,
    repository(name, remote) {
      const root = join(folder, name);
      mkdirSync(root, { recursive: true });
      git(root, "init", "-q");
      write(join(root, "README.md"), "# Billing\n");
      git(root, "add", ".");
      git(root, "commit", "-qm", "start");
      if (remote) git(root, "remote", "add", "origin", remote);
      return root;
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}
