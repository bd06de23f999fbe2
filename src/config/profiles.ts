/**
 * Loads domain profiles: YAML files of ours, overridden by files of the user of the same name. A profile may extend
 * another and then says only what differs. Only ingestion needs one, so hooks never load this file.
 */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";
import { z } from "zod";
import { ArcticMemError, messageOf, systemCodeOf } from "../core/errors.ts";
import { isObject, type JsonObject } from "../core/json/json-values.ts";
import type { Profile } from "../core/profile.ts";
import type { Paths } from "./paths.ts";
import { PROFILE_NAME, ProfileSchema } from "./profile-schema.ts";

/** The profiles that come with the package; two folders up from here in sources and build alike. */
const BUNDLED = fileURLToPath(new URL("../../profiles/", import.meta.url));
const MAX_ANCESTORS = 5;

/**
 * A profile by name, checked.
 *
 * @throws {ArcticMemError} `CONFIG_INVALID` where there is none of that name, or it or an ancestor is faulty.
 */
export async function loadProfile(name: string, { profiles }: Pick<Paths, "profiles">): Promise<Profile> {
  const folders = [profiles, BUNDLED];
  const { tree, file } = await resolveTree(name, { folders, ancestors: [] });
  const parsed = ProfileSchema.safeParse(tree);
  if (parsed.success) return parsed.data;
  throw new ArcticMemError("CONFIG_INVALID", `${file}:\n${z.prettifyError(parsed.error)}`, {
    hint: "profiles/coding.yaml of the package is a complete example.",
    cause: parsed.error,
  });
}

/** Names of all profiles that can be loaded, sorted. */
export async function listProfiles({ profiles }: Pick<Paths, "profiles">): Promise<string[]> {
  const lists = await Promise.all([profiles, BUNDLED].map((folder) => readdir(folder).catch((): string[] => [])));
  const names = lists.flat().flatMap((file) => /^([a-z0-9-]+)\.yaml$/.exec(file)?.[1] ?? []);
  return [...new Set(names)].sort();
}

interface Resolution {
  /** Where to look, first match counts. */
  readonly folders: readonly string[];
  /** Files on the way here. */
  readonly ancestors: readonly string[];
}

async function resolveTree(
  name: string,
  { folders, ancestors }: Resolution,
): Promise<{ readonly tree: JsonObject; readonly file: string }> {
  const { file, text } = await findFile(name, { folders, ancestors });
  const own = parseTree(text, file);
  const parent = own.extends;
  if (parent === undefined) return { tree: own, file };
  if (typeof parent !== "string" || ancestors.length >= MAX_ANCESTORS) {
    throw new ArcticMemError(
      "CONFIG_INVALID",
      `${file}: \`extends\` names one profile, at most ${MAX_ANCESTORS} deep.`,
    );
  }
  const base = await resolveTree(parent, { folders, ancestors: [...ancestors, file] });
  const { extends: _, ...rest } = own;
  return { tree: merged(base.tree, rest), file };
}

/** A user's `coding` that extends `coding` means ours: files on the way here are passed over. */
async function findFile(
  name: string,
  { folders, ancestors }: Resolution,
): Promise<{ readonly file: string; readonly text: string }> {
  const files = PROFILE_NAME.test(name) ? folders.map((folder) => join(folder, `${name}.yaml`)) : [];
  for (const file of files) {
    if (ancestors.includes(file)) continue;
    const text = await readFile(file, "utf8").catch((thrown: unknown) => {
      if (systemCodeOf(thrown) === "ENOENT") return undefined;
      throw new ArcticMemError("CONFIG_INVALID", `${file}: ${messageOf(thrown)}`, { cause: thrown });
    });
    if (text !== undefined) return { file, text };
  }
  const [profiles = ""] = folders;
  const from = ancestors.at(-1);
  throw new ArcticMemError("CONFIG_INVALID", `There is no profile "${name}"${from ? `, which ${from} extends` : ""}.`, {
    hint: `There are: ${(await listProfiles({ profiles })).join(", ")}.`,
  });
}

function parseTree(text: string, file: string): JsonObject {
  try {
    const tree: unknown = parse(text, { maxAliasCount: 20 });
    if (isObject(tree)) return tree;
  } catch (thrown) {
    throw new ArcticMemError("CONFIG_INVALID", `${file} is not YAML: ${messageOf(thrown)}`, { cause: thrown });
  }
  throw new ArcticMemError("CONFIG_INVALID", `${file} holds no keys.`);
}

/** Keys of the heir replace those of the base; groups are merged key by key, types by their id. */
function merged(base: JsonObject, heir: JsonObject): JsonObject {
  const result: Record<string, unknown> = { ...base };
  for (const [key, value] of Object.entries(heir)) {
    const old = base[key];
    if (key === "types" && Array.isArray(old) && Array.isArray(value)) result[key] = mergedTypes(old, value);
    else result[key] = isObject(old) && isObject(value) ? merged(old, value) : value;
  }
  return result;
}

function mergedTypes(base: readonly unknown[], heir: readonly unknown[]): unknown[] {
  const idOf = (type: unknown): unknown => (isObject(type) ? type.id : undefined);
  const kept = base.map((type) => {
    const change = heir.find((other) => idOf(other) === idOf(type));
    return isObject(type) && isObject(change) ? merged(type, change) : type;
  });
  return [...kept, ...heir.filter((type) => !base.some((other) => idOf(other) === idOf(type)))];
}
