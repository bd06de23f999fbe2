/**
 * Runs the tests of local ONNX models with the two packages that users install for them, in a folder of their own that is
 * kept for the next time. Their install scripts are not run: the runtime's files for a processor come with the package.
 *
 * Usage: `npm run test:onnx`.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const PACKAGES = ["onnxruntime-node@1.30.0", "@huggingface/tokenizers@0.2.0"];
const root = resolve(import.meta.dirname, "..");
const home = join(tmpdir(), "arcticmem-onnx");

if (!existsSync(join(home, "node_modules", "onnxruntime-node"))) {
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, "package.json"), '{"private":true}\n');
  const npm = ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--prefix", home, ...PACKAGES];
  execFileSync("npm", npm, { stdio: "inherit", shell: process.platform === "win32" });
}
const vitest = [join(root, "node_modules", "vitest", "vitest.mjs"), "run", "test/models/adapters/onnx.test.ts"];
const environment = { ...process.env, ARCTICMEM_ONNX_PEERS: home };
const { status } = spawnSync(process.execPath, vitest, { cwd: root, stdio: "inherit", env: environment });
process.exitCode = status ?? 1;
