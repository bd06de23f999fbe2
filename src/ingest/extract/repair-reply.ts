/**
 * Reads whatever a model replied into a closed set of classes, so that "the model broke" can never be taken for
 * "nothing to remember", nor an apology for a memory.
 */
import { type FoundJson, findJson, withoutReasoning } from "./reply/find-json.ts";
import { isRefusal, saysNothing, saysTooLong } from "./reply/meta-talk.ts";

/** `nothing` is a valid empty answer given in prose; `too_long` the endpoint's complaint given as an answer. */
export type ReplyClass = "empty" | "refusal" | "nothing" | "too_long" | "truncated" | "prose" | "json";

export type ReadReply =
  | { readonly class: "json" | "truncated"; readonly value: object; readonly repaired: boolean }
  | { readonly class: Exclude<ReplyClass, "json">; readonly value?: undefined };

/** Total: any text gives a class. `truncated` with a value: its last item may be half an item. */
export function readReply(reply: { readonly text: string; readonly truncated: boolean }): ReadReply {
  const found = findJson(reply.text);
  if (found !== undefined && !isDecoration(found, reply.text)) {
    const { value, cut, repaired } = found;
    return { class: reply.truncated || cut ? "truncated" : "json", value, repaired };
  }
  const prose = withoutReasoning(reply.text).trim();
  if (reply.truncated) return { class: "truncated" };
  if (prose === "") return { class: "empty" };
  if (saysTooLong(prose)) return { class: "too_long" };
  if (saysNothing(prose)) return { class: "nothing" };
  return { class: isRefusal(prose) ? "refusal" : "prose" };
}

/** An apology that ends in `{}` or `[]` is an apology. */
function isDecoration(found: FoundJson, text: string): boolean {
  return Object.keys(found.value).length === 0 && isRefusal(text.replace(/[[\]{}]/g, ""));
}

/** How often a wrapper is looked into: `{data: {facts: […]}}`, `{result: {data: […]}}`. */
const MAX_WRAPPERS = 3;

/**
 * The list that was asked for under `key`: also when it came bare, wrapped once more, or as its only item.
 *
 * @param looksLikeItem - Tells a single item from a wrapper.
 * @returns undefined where the value holds no such list.
 */
export function listIn(
  value: unknown,
  key: string,
  looksLikeItem: (candidate: Readonly<Record<string, unknown>>) => boolean,
): readonly unknown[] | undefined {
  let current = value;
  for (let depth = 0; depth <= MAX_WRAPPERS; depth += 1) {
    if (Array.isArray(current)) return current;
    if (typeof current !== "object" || current === null) return undefined;
    const record = current as Readonly<Record<string, unknown>>;
    if (Array.isArray(record[key])) return record[key];
    if (looksLikeItem(record)) return [record];
    current = record[key] ?? onlyContainer(record);
  }
  return undefined;
}

function onlyContainer(record: Readonly<Record<string, unknown>>): unknown {
  const containers = Object.values(record).filter((value) => typeof value === "object" && value !== null);
  return containers.length === 1 ? containers[0] : undefined;
}
