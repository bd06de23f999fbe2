/** Checks a config text against the schema. Apart from `load-config.ts` so that only who needs it loads zod. */
import { z } from "zod";
import { ArcticMemError, messageOf } from "../core/errors.ts";
import type { Config } from "./config.ts";
import { ConfigSchema } from "./schema.ts";

/**
 * The whole config that a text stands for, defaults filled in.
 *
 * @param file - Named in the error.
 * @throws {ArcticMemError} `CONFIG_INVALID`, with every fault.
 */
export function validateConfig(text: string, file: string): Config {
  const parsed = ConfigSchema.safeParse(parseJson(text, file));
  if (parsed.success) return parsed.data;
  throw new ArcticMemError("CONFIG_INVALID", `${file}:\n${z.prettifyError(parsed.error)}`, {
    hint: "docs/configuration.md lists the settings and their types; `arcticmem config unset <key>` takes one out.",
    cause: parsed.error,
  });
}

function parseJson(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch (thrown) {
    throw new ArcticMemError("CONFIG_INVALID", `${file} is not JSON: ${messageOf(thrown)}`, {
      hint: "Mend the file, or delete it to return to the defaults.",
      cause: thrown,
    });
  }
}
