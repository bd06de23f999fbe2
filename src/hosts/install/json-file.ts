/**
 * Changing a settings file that belongs to somebody else: its indentation, key order, line ends, mode and links stay;
 * it is replaced in one step, or not at all.
 */
import { randomBytes } from "node:crypto";
import { chmod, mkdir, readFile, readlink, realpath, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { ArcticMemError, messageOf, systemCodeOf } from "../../core/errors.ts";
import { isObject, type JsonObject } from "../../core/json/json-values.ts";

export interface JsonFile {
  /** Where the file really is: links are followed. */
  readonly path: string;
  /** Undefined where there is no file. */
  readonly text: string | undefined;
  readonly value: JsonObject;
}

/** Of new files and of those whose mode can't be read: settings may hold tokens. */
const PRIVATE_MODE = 0o600;

/** @throws {ArcticMemError} `INSTALL_FAILED` where the file can't be read or is not one JSON object. */
export async function readJsonFile(path: string): Promise<JsonFile> {
  const real = await realpath(path).catch(() => unlinked(path));
  const text = await readFile(real, "utf8").catch((cause: unknown) => {
    if (systemCodeOf(cause) === "ENOENT") return undefined;
    throw new ArcticMemError("INSTALL_FAILED", `${path} can't be read: ${messageOf(cause)}`, { cause });
  });
  if (text === undefined || withoutMark(text).trim() === "") return { path: real, text, value: {} };
  return { path: real, text, value: parseSettings(path, text) };
}

/** A path that leads nowhere yet. Behind a link it is the user's, on a disk that is not there now perhaps. */
async function unlinked(path: string): Promise<string> {
  const target = await readlink(path).catch(() => undefined);
  if (target === undefined) return path;
  throw new ArcticMemError("INSTALL_FAILED", `${path} is a link to ${target}, which can't be reached.`, {
    hint: "Nothing was changed. Make the file that it leads to, or remove the link, and try again.",
  });
}

function parseSettings(path: string, text: string): JsonObject {
  try {
    const value: unknown = JSON.parse(withoutMark(text));
    if (isObject(value)) return value;
  } catch (cause) {
    throw new ArcticMemError("INSTALL_FAILED", `${path} is not valid JSON: ${messageOf(cause)}`, {
      hint: "Nothing was changed. Correct the file (comments and trailing commas are not allowed) and try again.",
      cause,
    });
  }
  throw new ArcticMemError("INSTALL_FAILED", `${path} does not hold a JSON object.`, { hint: "Nothing was changed." });
}

/** The text of `value` in the manner of `model`: its indentation, line ends, byte order mark and last line end. */
export function renderJson(value: JsonObject, model: string | undefined): string {
  const indent = /\n([ \t]+)"/.exec(model ?? "")?.[1] ?? (model !== undefined && isOneLine(model) ? "" : "  ");
  const json = JSON.stringify(value, null, indent);
  const lines = model?.includes("\r\n") === true ? json.replace(/\n/g, "\r\n") : json;
  const mark = model?.startsWith("\ufeff") === true ? "\ufeff" : "";
  const end = model === undefined || /\n$/.test(model) ? (model?.includes("\r\n") === true ? "\r\n" : "\n") : "";
  return `${mark}${lines}${end}`;
}

function isOneLine(text: string): boolean {
  return text.trim().length > 2 && !text.trim().includes("\n");
}

function withoutMark(text: string): string {
  return text.replace(/^\ufeff/, "");
}

/**
 * Replaces a file in one step, keeping its mode.
 *
 * @param expected - The text that the change was made from.
 * @returns False where the file has changed since: then nothing was written.
 * @throws {ArcticMemError} `INSTALL_FAILED`.
 */
export async function replaceFile(path: string, text: string, expected: string | undefined): Promise<boolean> {
  const temporary = join(dirname(path), `.${randomBytes(6).toString("hex")}.arcticmem-tmp`);
  try {
    await mkdir(dirname(path), { recursive: true });
    const mode = await stat(path).then(
      (found) => found.mode & 0o777,
      () => PRIVATE_MODE,
    );
    await writeFile(temporary, text, { mode, flag: "wx" });
    await chmod(temporary, mode);
    const now = await readFile(path, "utf8").catch(() => undefined);
    if (now !== expected) return false;
    await rename(temporary, path);
    return true;
  } catch (cause) {
    throw new ArcticMemError("INSTALL_FAILED", `${path} can't be written: ${messageOf(cause)}`, { cause });
  } finally {
    await rm(temporary, { force: true });
  }
}
