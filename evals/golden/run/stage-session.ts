/** Puts a case's transcript where its host would have it, under a name of its own; generated ones are built here. */
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { buildGolden } from "../../../test/support/golden/build.ts";
import type { GoldenCase } from "../../datasets/golden.ts";

export interface StagedSession {
  readonly path: string;
  /** What stood in the file when it was first ingested, where the session grew later. */
  readonly firstText: string | undefined;
  readonly text: string;
}

/** @param folder - Empty; gets `chats/<case>.jsonl`, sub-agents beside it, and `.project_root` above. */
export function stageSession(
  { name, folder: source, expected, isGenerated }: GoldenCase,
  folder: string,
): StagedSession {
  const files = isGenerated ? buildGolden(source, name).files : readFiles(source);
  const suffix = files.has("session.json") ? "json" : "jsonl";
  const chats = join(folder, "chats");
  const path = join(chats, `${name}.${suffix}`);
  mkdirSync(chats, { recursive: true });
  writeFileSync(join(folder, ".project_root"), expected.cwd);
  const text = files.get(`session.${suffix}`) ?? "";
  writeFileSync(path, text);
  for (const [file, content] of files) {
    if (!file.startsWith("session/")) continue;
    const target = join(chats, name, file.slice("session/".length));
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, content);
  }
  if (!isGenerated && existsSync(join(source, "session")))
    cpSync(join(source, "session"), join(chats, name), { recursive: true });
  const lines = expected.grows?.lines;
  return { path, text, firstText: lines === undefined ? undefined : firstLines(text, lines) };
}

function readFiles(source: string): ReadonlyMap<string, string> {
  const names = ["session.jsonl", "session.json"].filter((name) => existsSync(join(source, name)));
  return new Map(names.map((name) => [name, readFileSync(join(source, name), "utf8")]));
}

function firstLines(text: string, count: number): string {
  return `${text.split("\n").slice(0, count).join("\n")}\n`;
}
