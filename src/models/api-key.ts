/**
 * Where a model's key comes from: an environment variable or a file that the user named. The key itself is held by the
 * adapter alone; it is no part of any config, log or error.
 */
import { readFile } from "node:fs/promises";
import { ArcticMemError } from "../core/errors.ts";
import { redactPatterns } from "../text/redact.ts";
import type { Variables } from "./http/proxy.ts";

export type KeySource =
  | { readonly kind: "environment"; readonly variable: string }
  | { readonly kind: "file"; readonly path: string }
  /** Local endpoints need none. */
  | { readonly kind: "none" };

/** Two characters at least, so that scrubbing a message of it cannot tear the message apart. */
const SHORTEST_KEY = 2;

/**
 * @param environment - Variables of the process, as in `process.env`.
 * @returns The key without surrounding white space; undefined where none is wanted.
 * @throws {ArcticMemError} `CONFIG_INVALID` when it is wanted but not there.
 */
export async function readApiKey(source: KeySource, environment: Variables): Promise<string | undefined> {
  switch (source.kind) {
    case "none":
      return undefined;
    case "environment": {
      const key = environment[source.variable]?.trim() ?? "";
      return usable(key, `The environment variable ${source.variable} holds no API key.`, `Set ${source.variable}.`);
    }
    case "file": {
      const key = (await readKeyFile(source.path)).trim();
      return usable(key, `${source.path} holds no API key.`, "Put the key alone into the file.");
    }
    default:
      return source satisfies never;
  }
}

async function readKeyFile(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (cause) {
    throw new ArcticMemError("CONFIG_INVALID", `The key file ${path} can't be read.`, {
      hint: "Check the path and its permissions (0600, owned by you).",
      cause,
    });
  }
}

function usable(key: string, message: string, hint: string): string {
  if (key.length >= SHORTEST_KEY && !/\s/.test(key)) return key;
  throw new ArcticMemError("CONFIG_INVALID", message, { hint });
}

/** Longest piece of an endpoint's answer that is quoted in a message. */
const QUOTED_CHARACTERS = 300;

/** More than is quoted, so that a secret at the end of that is seen whole. */
const READ_CHARACTERS = 4_000;

/** What an endpoint said, as a message may quote it: short, on one line, without the key, which they like to quote back. */
export function quoted(said: string, key: string | undefined): string {
  const safe = key === undefined ? said : said.replaceAll(key, "[key]");
  return redactPatterns(safe.slice(0, READ_CHARACTERS)).replace(/\s+/g, " ").slice(0, QUOTED_CHARACTERS);
}
