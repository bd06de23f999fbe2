/**
 * The settings: every key with its type, default and description. What `config.json` may hold is decided here; the
 * reference page is generated from here too. Strict, because people write it: a misspelt key is told, not ignored.
 */
import { z } from "zod";
import { isObject } from "../core/json/json-values.ts";
import { type Config, DEFAULT_CONFIG, isRemote } from "./config.ts";
import { PROFILE_NAME } from "./profile-schema.ts";

const defaults = DEFAULT_CONFIG;
const count = (least: number, most: number): z.ZodInt => z.int().min(least).max(most);
const name = z.string().trim().min(1).max(200);
const address = z.url({ protocol: /^https?$/ }).nullable();
const variable = name
  .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, "is the name of an environment variable, not the key itself")
  .nullable()
  .describe("Environment variable that holds the key. Keys themselves never stand in this file.");
const prefix = z.string().max(500).nullable();
/** A path pattern relative to the project's root, as in `.gitignore`. */
const pattern = z.string().min(1).max(500);

/** A part of the file: each key has its default, and so has the part. */
function section<Values extends object>(
  values: Values,
  keys: { readonly [Key in keyof Values]-?: z.ZodType<Values[Key]> },
): z.ZodType<Values> {
  const shape = Object.entries<z.ZodType>(keys).map(([key, type]) => [key, type.default(Reflect.get(values, key))]);
  return z.strictObject(Object.fromEntries(shape)).prefault({}) as z.ZodType<unknown> as z.ZodType<Values>;
}

const ModelSchema = section(defaults.model, {
  provider: z
    .enum(["none", "anthropic", "openai-compatible"])
    .describe(
      "Which kind of endpoint extracts facts from transcripts. `none`: nothing leaves the machine, rules extract.",
    ),
  model: name.nullable().describe("Name of the model at that endpoint."),
  baseUrl: address.describe("Address of the endpoint; needed for `openai-compatible`, otherwise the provider's own."),
  apiKeyEnv: variable,
  apiKeyFile: name.nullable().describe("File that holds the key alone; `~/` is the home folder."),
  contextTokens: count(2_000, 10_000_000).describe(
    "Tokens that the model reads at once; long sessions are summarised to fit.",
  ),
  timeoutMs: count(1_000, 1_800_000).describe(
    "Milliseconds after which an extraction counts as failed; smaller calls wait in proportion.",
  ),
})
  .check(checkModel)
  .describe("The language model that extracts facts.");

const EmbedderSchema = section(defaults.embedder, {
  provider: z
    .enum(["minilm", "none", "onnx", "openai-compatible", "voyage", "cohere", "gemini", "snowflake-cortex"])
    .describe(
      "What turns texts into vectors. `minilm` is built in; `none`: search by text and symbols only; `onnx`: a model on this machine; the others are asked over HTTP: what is indexed and searched for goes there.",
    ),
  model: name.nullable().describe("Name of the model at that endpoint; for `onnx` the name of one that was pulled."),
  baseUrl: address.describe(
    "Address of the endpoint, as in `http://127.0.0.1:11434/v1`; needed for `openai-compatible` and `snowflake-cortex`.",
  ),
  apiKeyEnv: variable,
  apiKeyFile: name.nullable().describe("File that holds the key alone, by its full path."),
  dimensions: count(8, 16_384)
    .nullable()
    .describe("Length of the vectors, where the model can give several. `null`: its own."),
  path: z
    .string()
    .min(1)
    .max(1_000)
    .nullable()
    .describe("For `onnx`: folder of a model that was not pulled, laid out as on a model hub."),
  queryPrefix: prefix.describe("Put before what is searched for. `null`: what is known of the model."),
  documentPrefix: prefix.describe("Put before what is indexed. `null`: what is known of the model."),
  maxTokens: count(32, 1_000_000)
    .nullable()
    .describe(
      "Tokens that an endpoint's model reads at once; longer texts are read in pieces. `null`: as usual there.",
    ),
  timeoutMs: count(500, 600_000).describe("Milliseconds after which one request for vectors counts as failed."),
})
  .check(checkEmbedder)
  .describe("The embedding model.");

const FilesSchema = section(defaults.files, {
  globs: z
    .array(pattern)
    .max(200)
    .describe("More markdown to index, as patterns relative to the project's root: `docs/**/*.md`."),
  exclude: z
    .array(pattern)
    .max(200)
    .describe("What not to index, in the syntax of `.gitignore`; goes before everything else."),
  maxBytes: count(1_000, 4_194_304).describe("Larger files are left out."),
});

const InjectSchema = section(defaults.inject, {
  enabled: z.boolean().describe("Whether sessions start with the titles of what is known. Search works either way."),
  learnedLine: z.boolean().describe("Whether a session starts with the line `learned 2 last time, 3 unconfirmed`."),
  blockTokens: count(0, 4_000).describe("Most tokens (estimated) of the block of matching titles."),
  manifestTokens: count(0, 8_000).describe("Most tokens (estimated) of the list of all trusted titles."),
  totalTokens: count(0, 10_000).describe("Most tokens (estimated) that a session start injects altogether."),
  totalCharacters: count(0, 40_000).describe(
    "Most characters that a session start injects altogether; less where the host takes less.",
  ),
});

const BudgetSchema = section(defaults.ingest.budgets, {
  callsPerSession: count(0, 10_000).describe("Most model calls for one session."),
  charactersPerSession: count(0, 1_000_000_000).describe("Most characters sent to the model for one session."),
  callsPerDay: count(0, 1_000_000).describe("Most model calls a day; sessions over it wait for the next."),
  charactersPerDay: count(0, 100_000_000_000).describe("Most characters sent to the model a day."),
  moneyPerDay: z
    .number()
    .nonnegative()
    .nullable()
    .describe("Most money a day, counted by `ingest.prices`. `null`: no limit of its own."),
});

const price = z.number().nonnegative();
const PriceSchema = section(defaults.ingest.prices, {
  asOf: z.iso.date().nullable().describe("Day on which the prices were looked up; shown beside every sum."),
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/, "is a code of three letters such as USD")
    .describe("Currency of the prices and of `moneyPerDay`."),
  models: z
    .record(name, z.strictObject({ input: price, output: price }))
    .describe("Price of a million tokens by model. Of a model that is not listed only tokens are counted."),
});

const IngestSchema = section(defaults.ingest, {
  onUnknown: z
    .enum(["provisional", "skip"])
    .nullable()
    .describe("What becomes of a session whose success can't be told. `null`: as the profile says."),
  onLifecycleFailure: z
    .enum(["add_pending", "retry"])
    .describe(
      "When the model can't say how new facts stand to known ones: `add_pending` stores them marked, `retry` stores nothing and tries the session again.",
    ),
  minIdleMinutes: count(0, 100_000).describe(
    "A transcript that was written to more recently is taken for a session that still runs.",
  ),
  skipExternalSessions: z
    .boolean()
    .describe("Whether sessions that read text from outside (web, issues, other tools' servers) are left out."),
  budgets: BudgetSchema,
  prices: PriceSchema,
});

const SearchSchema = section(defaults.search, {
  limit: count(1, 50).describe("Most results of a search that names no limit."),
  bodies: count(0, 50).describe("How many results an agent gets in full; of the others it gets the titles."),
  rerank: z
    .enum(["off", "model"])
    .describe(
      "`model`: the language model selects the best of up to 40 titles, at one call a search; titles go where it is. Where it fails, results keep their order.",
    ),
});

/** The whole file. `$schema` may stand in it for the sake of editors. */
export const ConfigSchema: z.ZodType<Config> = z.strictObject({
  $schema: z
    .string()
    .optional()
    .transform(() => undefined),
  model: ModelSchema,
  embedder: EmbedderSchema,
  profile: z
    .string()
    .regex(PROFILE_NAME, "is the name of a profile: small letters, digits, hyphens")
    .default(defaults.profile)
    .describe("What is worth remembering and what counts as success: `coding`, or a profile of your own."),
  hosts: z
    .array(z.string().regex(/^[a-z0-9-]{1,40}$/))
    .default([...defaults.hosts])
    .describe("Agent hosts whose idle transcripts are picked up when a session starts."),
  files: FilesSchema,
  inject: InjectSchema,
  ingest: IngestSchema,
  search: SearchSchema,
  disabled: z
    .boolean()
    .default(defaults.disabled)
    .describe(
      "Switches hooks, learning and session starts off, as the environment variable ARCTICMEM_DISABLE=1 does; what is typed still works.",
    ),
});

/** One setting, for the reference page and for `config --help`. */
export interface ConfigKey {
  /** With dots: `model.provider`. */
  readonly key: string;
  readonly type: string;
  readonly default: unknown;
  readonly description: string;
}

/** All settings, in the order of the schema. */
export function configKeys(): ConfigKey[] {
  const schema = z.toJSONSchema(ConfigSchema, { io: "input", unrepresentable: "any" });
  return leaves(schema as JsonSchema, "", DEFAULT_CONFIG);
}

interface JsonSchema {
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly description?: string;
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly JsonSchema[];
  readonly items?: JsonSchema;
  readonly minimum?: number;
  readonly maximum?: number;
}

function leaves(schema: JsonSchema, prefix: string, values: unknown): ConfigKey[] {
  return Object.entries(schema.properties ?? {}).flatMap(([property, child]): ConfigKey[] => {
    if (property.startsWith("$")) return [];
    const value = isObject(values) ? values[property] : undefined;
    const key = prefix + property;
    if (child.properties) return leaves(child, `${key}.`, value);
    return [{ key, type: typeName(child), default: value, description: child.description ?? "" }];
  });
}

function typeName(schema: JsonSchema): string {
  if (schema.anyOf) return schema.anyOf.map(typeName).join(" | ");
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  if (schema.type === "array") return `${typeName(schema.items ?? {})}[]`;
  const { minimum, maximum } = schema;
  const range = minimum !== undefined && maximum !== undefined ? ` ${minimum} … ${maximum}` : "";
  return `${schema.type ?? "any"}${range}`;
}

type Payload<Section extends "model" | "embedder"> = z.core.ParsePayload<Config[Section]>;
type Complain = (key: string, message: string) => void;

/** What the types alone do not say: which keys belong together. */
function checkModel(context: Payload<"model">): void {
  const { provider, model, baseUrl } = context.value;
  const complain = complainerOf(context);
  if (provider !== "none" && model === null) complain("model", `is needed with the provider ${provider}`);
  if (provider === "openai-compatible" && baseUrl === null) complain("baseUrl", "is needed with openai-compatible");
}

function checkEmbedder(context: Payload<"embedder">): void {
  const { provider, model, baseUrl, path } = context.value;
  const complain = complainerOf(context);
  if (isRemote(provider) && model === null) complain("model", `is needed with the provider ${provider}`);
  if (provider === "onnx" && model === null && path === null) complain("path", "or model is needed with onnx");
  const hasOwnAddress = provider === "openai-compatible" || provider === "snowflake-cortex";
  if (hasOwnAddress && baseUrl === null) complain("baseUrl", `is needed with ${provider}`);
}

/** Of both sections: one place for the key. @returns How to tell another fault. */
function complainerOf(context: Payload<"model"> | Payload<"embedder">): Complain {
  const { apiKeyEnv, apiKeyFile } = context.value;
  const complain: Complain = (key, message) => {
    context.issues.push({ code: "custom", message, path: [key], input: context.value });
  };
  if (apiKeyEnv !== null && apiKeyFile !== null) complain("apiKeyFile", "excludes apiKeyEnv: name one of the two");
  return complain;
}
