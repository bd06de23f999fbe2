/**
 * Adds our entries to a settings file and takes them back. Beside the file lies what it was before, under the hash of
 * what we wrote: while nobody else has changed the file, taking back restores it byte for byte; otherwise only our
 * entries are taken out.
 */
import { readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { ArcticMemError, messageOf } from "../../core/errors.ts";
import { sha256 } from "../../core/hash.ts";
import type { InstallChange } from "../host.ts";
import type { JsonObject } from "../normal-form/json-values.ts";
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
    const before = backup?.original ?? withoutOurs(file, edit);
    const text = renderJson(edit.add(edit.remove(file.value)), file.text);
    if (text === file.text) return { file: edit.file, action: "unchanged", backup: backup?.path ?? null };
    const kept = before === undefined ? null : await writeBackup(file.path, text, before);
    if (!(await replaceFile(file.path, text, file.text))) {
      if (kept !== null) await rm(kept, { force: true });
      return undefined;
    }
    await dropBackups(file.path, kept);
    return { file: edit.file, action: file.text === undefined ? "created" : "changed", backup: kept };
  });
}

/** @throws {ArcticMemError} `INSTALL_FAILED`; the file is then as it was. */
export async function removeEntries(edit: SettingsEdit): Promise<InstallChange> {
  return retry(edit.file, async () => {
    const file = await readJsonFile(edit.file);
    if (file.text === undefined) return { file: edit.file, action: "unchanged", backup: null };
    const backup = await findBackup(file);
    if (backup !== undefined) {
      if (!(await replaceFile(file.path, backup.original, file.text))) return undefined;
      await dropBackups(file.path, null);
      return { file: edit.file, action: "restored", backup: null };
    }
    const change = await takeOut(file, edit);
    if (change !== undefined) await dropBackups(file.path, null);
    return change;
  });
}

async function takeOut(file: JsonFile, edit: SettingsEdit): Promise<InstallChange | undefined> {
  const left = edit.remove(file.value);
  if (isSame(left, file.value)) return { file: edit.file, action: "unchanged", backup: null };
  const isOnlyOurs = Object.keys(left).length === 0 && file.text === renderJson(edit.add({}), undefined);
  if (isOnlyOurs) await rm(file.path);
  else if (!(await replaceFile(file.path, renderJson(left, file.text), file.text))) return undefined;
  return { file: edit.file, action: "removed", backup: null };
}

/** What the file was without us, where no backup says so exactly. Undefined where there was none. */
function withoutOurs(file: JsonFile, edit: SettingsEdit): string | undefined {
  const left = edit.remove(file.value);
  if (isSame(left, file.value)) return file.text;
  return Object.keys(left).length === 0 ? undefined : renderJson(left, file.text);
}

function isSame(a: JsonObject, b: JsonObject): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function backupPath(path: string, written: string): string {
  return `${path}.arcticmem-${sha256(written).slice(0, 12)}.bak`;
}

/** The backup that belongs to the file as it is now. */
async function findBackup(file: JsonFile): Promise<{ path: string; original: string } | undefined> {
  if (file.text === undefined) return undefined;
  const path = backupPath(file.path, file.text);
  const original = await readFile(path, "utf8").catch(() => undefined);
  return original === undefined ? undefined : { path, original };
}

async function writeBackup(path: string, written: string, original: string): Promise<string> {
  const target = backupPath(path, written);
  const temporary = `${target}.tmp`;
  try {
    await writeFile(temporary, original, { mode: 0o600 });
    await rename(temporary, target);
    return target;
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
    if (name.startsWith(prefix) && name.endsWith(".bak") && found !== kept) await rm(found, { force: true });
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
