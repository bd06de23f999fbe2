/**
 * How an endpoint is asked for JSON: by strict schema, as a JSON object, or in plain words. One step down for each
 * refusal, one request option left out where the endpoint names it; what worked is remembered.
 */

/** Best first. */
export type Rung = "json_schema" | "json_object" | "plain";

export interface Transport {
  readonly rung: Rung;
  /** False where the endpoint refuses a temperature. */
  readonly temperature: boolean;
  /** Name under which the endpoint takes the output limit. */
  readonly limitName: "max_tokens" | "max_completion_tokens";
}

/** Where it is kept what an endpoint takes; in memory by default, on disk where a worker is started often. */
export interface TransportMemory {
  read(endpointAndModel: string): Transport | undefined;
  write(endpointAndModel: string, transport: Transport): void;
}

export function createTransportMemory(): TransportMemory {
  const known = new Map<string, Transport>();
  return { read: (key) => known.get(key), write: (key, transport) => void known.set(key, transport) };
}

const NAMES_FORMAT =
  /response_format|json_schema|json_object|structured|output_config|output_format|tool_choice|grammar/;
const NAMES_LIMIT = /max_completion_tokens/;
const NAMES_TEMPERATURE = /temperature/;

/**
 * What to try after a refusal.
 *
 * @param said - The refusal in lower case.
 * @param rungs - Those that the provider has, best first.
 * @returns undefined where nothing that could be left out is named: a matter of configuration.
 */
export function stepDown(said: string, current: Transport, rungs: readonly Rung[]): Transport | undefined {
  if (NAMES_LIMIT.test(said) && current.limitName === "max_tokens") {
    return { ...current, limitName: "max_completion_tokens" };
  }
  if (NAMES_FORMAT.test(said)) {
    const next = rungs[rungs.indexOf(current.rung) + 1];
    if (next !== undefined) return { ...current, rung: next };
  }
  if (NAMES_TEMPERATURE.test(said) && current.temperature) return { ...current, temperature: false };
  return undefined;
}

/** What the model is told in words where the endpoint can't be told the schema. */
export function schemaInWords(rung: Rung, json: Readonly<Record<string, unknown>>): string {
  if (rung === "json_schema") return "";
  return `\n\nReply with one JSON object and nothing else. It fits this JSON schema:\n${JSON.stringify(json)}`;
}
