/**
 * Reads the config in every process, hooks included. The schema is consulted only when the text has changed: its
 * verdict is kept beside the file under the text's hash, so that a hook parses JSON and nothing more.
 */
import { readFileSync } from "node:fs";
import { systemCodeOf } from "../core/errors.ts";
import { sha256 } from "../core/hash.ts";
import { type Config, DEFAULT_CONFIG } from "./config.ts";
import type { Paths } from "./paths.ts";
import { fileError, writePrivateFile } from "./private-files.ts";

/** `validateConfig`, loaded by the caller when it is needed. @throws {ArcticMemError} `CONFIG_INVALID`. */
export type ValidateConfig = (text: string, file: string) => Config | Promise<Config>;

/** Goes up when the schema changes in a way that the defaults do not show. */
const SCHEMA_VERSION = 1;

/**
 * The config in force: the defaults where there is no file.
 *
 * @param validate - Called only when the file's text has no validated copy.
 * @throws {ArcticMemError} `CONFIG_INVALID`; `PERMISSION_DENIED` or `FILE_UNREADABLE` where the file can't be read.
 */
export async function loadConfig(
  files: Pick<Paths, "configFile" | "configCache">,
  validate: ValidateConfig,
): Promise<Config> {
  const text = readConfigText(files.configFile);
  if (text === undefined) return DEFAULT_CONFIG;
  const key = sha256(`${SCHEMA_VERSION}\n${JSON.stringify(DEFAULT_CONFIG)}\n${text}`);
  const cached = readCache(files.configCache, key);
  if (cached) return cached;
  const config = await validate(text, files.configFile);
  keepCache(files.configCache, { key, config });
  return config;
}

/** The file's text, or undefined where there is none (or an empty one). */
export function readConfigText(file: string): string | undefined {
  try {
    const text = readFileSync(file, "utf8").replace(/^\ufeff/, "");
    return text.trim() === "" ? undefined : text;
  } catch (thrown) {
    if (systemCodeOf(thrown) === "ENOENT") return undefined;
    throw fileError(thrown, file);
  }
}

interface Cache {
  readonly key: string;
  readonly config: Config;
}

function readCache(file: string, key: string): Config | undefined {
  try {
    const cache: unknown = JSON.parse(readFileSync(file, "utf8"));
    return isCache(cache) && cache.key === key ? cache.config : undefined;
  } catch {
    return undefined; // absent or broken: the text is validated again
  }
}

/** Only we write the cache, whole or not at all; under the right key it holds a whole config. */
function isCache(value: unknown): value is Cache {
  return typeof value === "object" && value !== null && "key" in value && "config" in value;
}

function keepCache(file: string, cache: Cache): void {
  try {
    writePrivateFile(file, JSON.stringify(cache));
  } catch {
    // a read-only folder costs time at each start, nothing else
  }
}
