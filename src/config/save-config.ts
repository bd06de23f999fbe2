/** Changes the config file as a person would: only the keys that are set stand in it, others keep their defaults. */
import { ArcticMemError } from "../core/errors.ts";
import { isObject, type JsonObject, parseObject } from "../core/json/json-values.ts";
import type { Config } from "./config.ts";
import { readConfigText, type ValidateConfig } from "./load-config.ts";
import type { Paths } from "./paths.ts";
import { writePrivateFile } from "./private-files.ts";

/** Some keys of the config. `undefined` takes a key out of the file, so that its default holds again. */
export type ConfigChange = PartialDeep<Config>;

type PartialDeep<T> = T extends readonly unknown[]
  ? T
  : T extends object
    ? { [K in keyof T]?: PartialDeep<T[K]> | undefined }
    : T;

/**
 * Sets keys in the config file and leaves the others as they are. What would be invalid is not written.
 *
 * @returns The config now in force.
 * @throws {ArcticMemError} `CONFIG_INVALID` for the file as it is or as it would become; `PERMISSION_DENIED`, `STORE_FULL`.
 */
export async function saveConfig(
  { configFile }: Pick<Paths, "configFile">,
  change: ConfigChange,
  validate: ValidateConfig,
): Promise<Config> {
  const current = objectOf(readConfigText(configFile) ?? "{}", configFile);
  const text = `${JSON.stringify(merged(current, change), null, 2)}\n`;
  const config = await validate(text, configFile);
  writePrivateFile(configFile, text);
  return config;
}

function merged(current: JsonObject, change: object): JsonObject {
  const result: Record<string, unknown> = { ...current };
  for (const [key, value] of Object.entries(change)) {
    const old = Object.hasOwn(current, key) ? current[key] : undefined;
    if (value === undefined) delete result[key];
    else result[key] = isObject(value) ? merged(isObject(old) ? old : {}, value) : value;
  }
  return result;
}

function objectOf(text: string, file: string): JsonObject {
  const parsed = parseObject(text);
  if (parsed !== undefined) return parsed;
  throw new ArcticMemError("CONFIG_INVALID", `${file} is not a JSON object.`, {
    hint: "Mend the file, or delete it to return to the defaults.",
  });
}
