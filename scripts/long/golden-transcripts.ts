/** The committed sessions as a host would have left them: each in a file of its own name, sub-agents beside it. */
import { cpSync, existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { buildGolden } from "../../test/support/golden/build.ts";

const SESSIONS = join(import.meta.dirname, "../../test/fixtures/sessions");

export interface GoldenTranscript {
  readonly name: string;
  readonly path: string;
  readonly bytes: number;
}

/** Copies or builds all of them into `folder`. */
export function layOutGolden(folder: string): GoldenTranscript[] {
  const built = readdirSync(join(SESSIONS, "golden"), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => layOutBuilt(folder, name));
  const recorded = readdirSync(SESSIONS)
    .filter((file) => /^claude-code-.*\.jsonl$/.test(file))
    .map((file) => layOutRecorded(folder, file));
  return [...built, ...recorded].sort((a, b) => a.name.localeCompare(b.name));
}

function layOutBuilt(folder: string, name: string): GoldenTranscript {
  let main = { name, path: "", bytes: 0 };
  for (const [path, text] of buildGolden(join(SESSIONS, "golden", name), name).files) {
    const target = join(folder, path.replace(/^session(?=[./])/, name));
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, text);
    if (dirname(target) === folder) main = { name, path: target, bytes: Buffer.byteLength(text) };
  }
  return main;
}

function layOutRecorded(folder: string, file: string): GoldenTranscript {
  const path = join(folder, file);
  cpSync(join(SESSIONS, file), path);
  const beside = join(SESSIONS, basename(file, ".jsonl"));
  if (existsSync(beside)) cpSync(beside, join(folder, basename(file, ".jsonl")), { recursive: true });
  return { name: basename(file, ".jsonl"), path, bytes: 0 };
}
