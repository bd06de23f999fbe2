/**
 * The name that a checkout gives its project in `.arcticmem/config.json`. It may have come with a clone, from anybody:
 * it says which memories are seen, so it counts only after the user has accepted it.
 */
import { dirname, join } from "node:path";
import { parseObject, textIn } from "../core/json/json-values.ts";
import { readSmallFile } from "./git-config.ts";

export interface ProjectOverride {
  /** The folder that holds `.arcticmem`. */
  readonly root: string;
  readonly name: string;
}

const FILE = join(".arcticmem", "config.json");
/** Letters, digits and a few signs between them: safe in an id, in a terminal and in the text before a model. */
const NAME = /^[\p{L}\p{N}][\p{L}\p{N}\p{M} ._/-]{0,79}$/u;

/** The override of exactly this folder. A file that is not JSON, or names nothing usable, is no override. */
export function overrideAt(root: string): ProjectOverride | undefined {
  const text = readSmallFile(join(root, FILE));
  const name = text === undefined ? undefined : nameIn(text);
  return name === undefined ? undefined : { root, name };
}

/** The override of the folder or of the nearest one above it, below the home folder and the file system's root. */
export function nearestOverride(start: string, home?: string): ProjectOverride | undefined {
  for (let folder = start; folder !== home && folder !== dirname(folder); folder = dirname(folder)) {
    const found = overrideAt(folder);
    if (found) return found;
  }
  return undefined;
}

function nameIn(text: string): string | undefined {
  const name = textIn(parseObject(text), "project")?.normalize("NFC").trim() ?? "";
  return NAME.test(name) ? name : undefined;
}
