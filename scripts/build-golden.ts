/**
 * Writes the transcripts of the golden set from their notations. Sessions that hold generated text are left out: tests
 * and evals build them when they need them. With `--check` it only says which transcripts are not as their notation says.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { buildGolden } from "../test/support/golden/build.ts";

const GOLDEN = join(import.meta.dirname, "../test/fixtures/sessions/golden");
const isCheck = process.argv.includes("--check");
const stale: string[] = [];

for (const entry of readdirSync(GOLDEN, { withFileTypes: true })) {
  if (!entry.isDirectory()) continue;
  const { files, isGenerated } = buildGolden(join(GOLDEN, entry.name), entry.name);
  if (isGenerated) continue;
  for (const [path, text] of files) writeOne(join(GOLDEN, entry.name, path), text);
}

function writeOne(path: string, text: string): void {
  if (readOrEmpty(path) === text) return;
  if (isCheck) stale.push(path);
  else {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
}

function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    // Not written yet.
    return "";
  }
}

for (const path of stale) process.stderr.write(`${path} is not as its notation says.\n`);
process.exitCode = stale.length === 0 ? 0 : 1;
