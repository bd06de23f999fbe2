/**
 * Looking into JSON that somebody else owns: each function gives the value where it is of the type asked for, and
 * nothing where it is not. Readers and hooks use this and no schema library, whose loading alone would cost a hook its
 * time.
 */

export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function objectIn(value: unknown, key: string): JsonObject | undefined {
  const found = isObject(value) ? value[key] : undefined;
  return isObject(found) ? found : undefined;
}

export function textIn(value: unknown, key: string): string | undefined {
  const found = isObject(value) ? value[key] : undefined;
  return typeof found === "string" ? found : undefined;
}

export function numberIn(value: unknown, key: string): number | undefined {
  const found = isObject(value) ? value[key] : undefined;
  return typeof found === "number" && Number.isFinite(found) ? found : undefined;
}

export function listIn(value: unknown, key: string): readonly unknown[] {
  const found = isObject(value) ? value[key] : undefined;
  return Array.isArray(found) ? found : [];
}

/** The time in an ISO text or in milliseconds. */
export function dateIn(value: unknown, key: string): Date | undefined {
  const found = isObject(value) ? value[key] : undefined;
  if (typeof found !== "string" && typeof found !== "number") return undefined;
  const date = new Date(found);
  return Number.isNaN(date.getTime()) ? undefined : date;
}

/** The object in a JSON text; nothing for anything else. Never throws. */
export function parseObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    // Not JSON: the caller counts it.
    return undefined;
  }
}

/** The text under `key` in the first line that has one. */
export function firstTextIn(jsonLines: string, key: string): string | undefined {
  for (const line of jsonLines.split("\n")) {
    const text = textIn(parseObject(line), key);
    if (text !== undefined) return text;
  }
  return undefined;
}
