/**
 * Adds our entries to a settings file and takes them back. Beside the file lies what it was before, under the hash of
 * what we wrote: while nobody else has changed the file, taking back restores it byte for byte; otherwise only our
 * entries are taken out.
 */
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { ArcticMemError, messageOf } from "../../core/errors.ts";
import { sha256 } from "../../core/hash.ts";
import type { JsonObject } from "../../core/json/json-values.ts";
import type { InstallChange } from "../host.ts";
import { type JsonFile, readJsonFile, renderJson, replaceFile } from "./json-file.ts";

/** How our entries get into one file and out of it. Both are pure and keep everything else as it is. */
export interface SettingsEdit {
  readonly file: string;
  add(value: JsonObject): JsonObject;
  remove(value: JsonObject): JsonObject;
}

/** Hosts rewrite their files while they run; a change that meets one is made again. */
const ATTEMPTS = 5;

/** @throws {ArcticMemError} `INSTALL_FAILED`; the file is then as it was. */
export async function addEntries(edit: SettingsEdit): Promise<InstallChange> {
  return retry(edit.file, async () => {
    const file = await readJsonFile(edit.file);
    const backup = await findBackup(file);
    const text = renderJson(edit.add(edit.remove(file.value)), file.text);
    if (text === file.text) return { file: edit.file, action: "unchanged", backup: pathToShow(backup) };
    const kept = await writeBackup(file.path, text, backup === undefined ? withoutOurs(file, edit) : backup.original);
    if (!(await replaceFile(file.path, text, file.text))) {
      await rm(kept.path, { force: true });
      return undefined;
    }
    await dropBackups(file.path, kept.path);
    return { file: edit.file, action: file.text === undefined ? "created" : "changed", backup: pathToShow(kept) };
  });
}

/** @throws {ArcticMemError} `INSTALL_FAILED`; the file is then as it was. */
export async function removeEntries(edit: SettingsEdit): Promise<InstallChange> {
  return retry(edit.file, async () => {
    const file = await readJsonFile(edit.file);
    if (file.text === undefined) return { file: edit.file, action: "unchanged", backup: null };
    const backup = await findBackup(file);
    const action = backup === undefined ? await takeOut(file, edit) : await restore(file, backup);
    if (action === undefined) return undefined;
    await dropBackups(file.path, null);
    return { file: edit.file, action, backup: null };
  });
}

type Action = InstallChange["action"];

async function takeOut(file: JsonFile, edit: SettingsEdit): Promise<Action | undefined> {
  const left = edit.remove(file.value);
  if (isSame(left, file.value)) return "unchanged";
  return (await replaceFile(file.path, renderJson(left, file.text), file.text)) ? "removed" : undefined;
}

async function restore(file: JsonFile, { original }: Backup): Promise<Action | undefined> {
  if (original !== undefined) return (await replaceFile(file.path, original, file.text)) ? "restored" : undefined;
  await rm(file.path);
  return "removed";
}

/** What the file was without us, where no backup says so exactly. */
function withoutOurs(file: JsonFile, edit: SettingsEdit): string | undefined {
  const left = edit.remove(file.value);
  return isSame(left, file.value) ? file.text : renderJson(left, file.text);
}

function isSame(a: JsonObject, b: JsonObject): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

interface Backup {
  readonly path: string;
  /** Undefined where there was no file. */
  readonly original: string | undefined;
}

function pathToShow(backup: Backup | undefined): string | null {
  return backup?.original === undefined ? null : backup.path;
}

/** Ends of backups' names: of a file, and of the mark that there was none. */
const ENDS = { file: ".bak", none: ".none" } as const;

function backupPath(path: string, written: string): string {
  return `${path}.arcticmem-${sha256(written).slice(0, 12)}`;
}

/** The backup that belongs to the file as it is now. */
async function findBackup(file: JsonFile): Promise<Backup | undefined> {
  if (file.text === undefined) return undefined;
  const path = backupPath(file.path, file.text);
  const original = await readFile(path + ENDS.file, "utf8").catch(() => undefined);
  if (original !== undefined) return { path: path + ENDS.file, original };
  const mark = await readFile(path + ENDS.none, "utf8").catch(() => undefined);
  return mark === undefined ? undefined : { path: path + ENDS.none, original: undefined };
}

async function writeBackup(path: string, written: string, original: string | undefined): Promise<Backup> {
  const target = backupPath(path, written) + (original === undefined ? ENDS.none : ENDS.file);
  const temporary = `${target}.tmp`;
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(temporary, original ?? "", { mode: 0o600 });
    await rename(temporary, target);
    return { path: target, original };
  } catch (cause) {
    throw new ArcticMemError("INSTALL_FAILED", `No backup of ${path} can be written: ${messageOf(cause)}`, { cause });
  }
}

/** Removes our backups of a file, but `kept`. */
async function dropBackups(path: string, kept: string | null): Promise<void> {
  const prefix = `${basename(path)}.arcticmem-`;
  const names = await readdir(dirname(path)).catch(() => []);
  for (const name of names) {
    const found = join(dirname(path), name);
    const isBackup = name.startsWith(prefix) && Object.values(ENDS).some((end) => name.endsWith(end));
    if (isBackup && found !== kept) await rm(found, { force: true });
  }
}

async function retry(file: string, attempt: () => Promise<InstallChange | undefined>): Promise<InstallChange> {
  for (let count = 0; count < ATTEMPTS; count += 1) {
    const change = await attempt();
    if (change !== undefined) return change;
  }
  throw new ArcticMemError("INSTALL_FAILED", `${file} kept changing while it was edited.`, {
    hint: "Close the agents that are running and try again.",
  });
}
