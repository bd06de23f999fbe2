/** `arcticmem config`: the settings, read and changed one by one. */
import { Command } from "commander";
import { type Config, DEFAULT_CONFIG } from "../../config/config.ts";
import { loadConfig, readConfigText } from "../../config/load-config.ts";
import { type Paths, resolvePaths } from "../../config/paths.ts";
import { loadProfile } from "../../config/profiles.ts";
import { type ConfigChange, saveConfig } from "../../config/save-config.ts";
import { type ConfigKey, configKeys } from "../../config/schema.ts";
import { validateConfig } from "../../config/validate-config.ts";
import { ArcticMemError } from "../../core/errors.ts";
import { isObject, parseObject } from "../../core/json/json-values.ts";
import type { CliContext } from "../context.ts";
import { type JsonOption, writeJson, writeLines } from "../output.ts";
import { givenByUser } from "../report-error.ts";

export function configCommand(context: CliContext): Command {
  return new Command("config")
    .summary("read and change settings; `config --help` lists them")
    .addHelpText("after", () => settingsHelp(configKeys()))
    .addCommand(getCommand(context), { isDefault: true })
    .addCommand(setCommand(context))
    .addCommand(unsetCommand(context))
    .addCommand(pathCommand(context));
}

function getCommand(context: CliContext): Command {
  return new Command("get")
    .summary("the value in force, of one setting or of all")
    .argument("[key]", "with dots: model.provider")
    .option("--json", "print JSON")
    .action(async (key: string | undefined, options: JsonOption) => {
      const config = await loadConfig(pathsOf(context), validateConfig);
      if (key === undefined) {
        if (options.json === true) writeJson(context, config);
        else writeLines(context, JSON.stringify(config, null, 2).split("\n"));
        return;
      }
      const value = valueAt(config, key);
      if (value === undefined) throw unknownKey(key);
      if (options.json === true) writeJson(context, value);
      else writeLines(context, [typeof value === "string" ? value : JSON.stringify(value)]);
    });
}

function setCommand(context: CliContext): Command {
  return new Command("set")
    .summary("change one setting")
    .argument("<key>", "with dots: model.provider")
    .argument("<value>", "JSON, or a plain text")
    .option("--json", "print the new value as JSON")
    .action(async (key: string, text: string, options: JsonOption) => {
      await change(context, { key, value: parseValue(text), options });
    });
}

function unsetCommand(context: CliContext): Command {
  return new Command("unset")
    .summary("return one setting to its default")
    .argument("<key>", "with dots: model.provider")
    .option("--json", "print the new value as JSON")
    .action((key: string, options: JsonOption) => change(context, { key, value: undefined, options }));
}

function pathCommand(context: CliContext): Command {
  return new Command("path")
    .summary("where the settings are kept")
    .option("--json", "print one JSON object")
    .action((options: JsonOption) => {
      const { configFile } = pathsOf(context);
      if (options.json === true) writeJson(context, { path: configFile });
      else writeLines(context, [configFile]);
    });
}

interface Change {
  readonly key: string;
  readonly value: unknown;
  readonly options: JsonOption;
}

async function change(context: CliContext, { key, value, options }: Change): Promise<void> {
  const paths = pathsOf(context);
  const isKnown = valueAt(DEFAULT_CONFIG, key) !== undefined || key.startsWith("ingest.prices.models.");
  const isToRemove =
    value === undefined && valueAt(parseObject(readConfigText(paths.configFile) ?? "") ?? {}, key) !== undefined;
  if (!isKnown && !isToRemove) throw unknownKey(key);
  const check = async (text: string, file: string): Promise<Config> => {
    const next = validateConfig(text, file);
    if (key === "profile") await loadProfile(next.profile, paths);
    return next;
  };
  const isTheirs = value !== undefined && isSound(paths.configFile); // else the file is at fault, not what was typed
  const config = await saveConfig(paths, changeAt(key, value), isTheirs ? givenByUser(check) : check);
  const now = valueAt(config, key);
  if (options.json === true) writeJson(context, { key, value: now ?? null });
  else writeLines(context, [isKnown ? `${key} = ${JSON.stringify(now)}` : `${key} is no setting, and was removed`]);
}

function isSound(file: string): boolean {
  try {
    validateConfig(readConfigText(file) ?? "{}", file);
    return true;
  } catch {
    return false; // told by the check of what is to be written
  }
}

/** Only own keys count: `__proto__` is no setting. */
function valueAt(config: object, key: string): unknown {
  let value: unknown = config;
  for (const part of key.split(".")) {
    if (!isObject(value) || !Object.hasOwn(value, part)) return undefined;
    value = value[part];
  }
  return value;
}

function changeAt(key: string, value: unknown): ConfigChange {
  const [last = key, ...outer] = key.split(".").reverse();
  return outer.reduce<Record<string, unknown>>((inner, part) => ({ [part]: inner }), { [last]: value });
}

function parseValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text; // a plain text is more common than a quoted one
  }
}

function unknownKey(key: string): ArcticMemError {
  return new ArcticMemError("USAGE", `There is no setting ${key}.`, {
    hint: "`arcticmem config --help` lists the settings.",
  });
}

function pathsOf(context: CliContext): Paths {
  return resolvePaths({ platform: process.platform, variables: context.environment.variables });
}

function settingsHelp(keys: readonly ConfigKey[]): string {
  const lines = keys.map(
    ({ key, type, default: value, description }) =>
      `  ${key} (${type}; default ${JSON.stringify(value)})\n      ${description}`,
  );
  return `\nSettings:\n${lines.join("\n")}`;
}
