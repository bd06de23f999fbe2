/**
 * A sentence model's folder as hubs lay it out: `onnx/model*.onnx`, `tokenizer.json`, `config.json`, and how to pool in
 * `1_Pooling/config.json`. What the folder does not say is taken from the list of models that we know.
 */
import { createHash } from "node:crypto";
import { closeSync, existsSync, fstatSync, openSync, readdirSync, readFileSync, readSync } from "node:fs";
import { basename, join } from "node:path";
import { ArcticMemError } from "../../../core/errors.ts";
import { type KnownModel, knownModel } from "../../pull/catalogue.ts";
import { field } from "../embedders/embedding-wire.ts";

export type Pooling = "cls" | "mean" | "last" | "max";

export interface ModelFolder {
  /** Last part of the path, or the name under which the model was pulled. */
  readonly name: string;
  readonly modelFile: string;
  readonly tokenizer: object;
  readonly tokenizerConfig: object;
  readonly pooling: Pooling;
  /** Of its full vectors. */
  readonly dimensions: number;
  readonly maxTokens: number;
  readonly queryPrefix: string;
  readonly documentPrefix: string;
  /** Twelve hex digits: another file, other vectors. */
  readonly identity: string;
  /** Where it is one that we know. */
  readonly known: KnownModel | undefined;
}

/** Small and quick first: on a processor the int8 file loses little and takes a third of the time. */
const PREFERRED_FILES = ["model_quantized.onnx", "model_int8.onnx", "model.onnx"];
const DEFAULT_MAX_TOKENS = 512;
const SAMPLED_BYTES = 1 << 20;

/** @throws {ArcticMemError} `MODEL_FILE_BROKEN` naming what is missing or unreadable. */
export function readModelFolder(folder: string): ModelFolder {
  const config = readJson(folder, "config.json") ?? missing(folder, "config.json");
  const dimensions = field(config, "hidden_size") ?? field(config, "dim");
  if (typeof dimensions !== "number") throw broken(`${join(folder, "config.json")} does not tell hidden_size.`);
  const known = knownModel(basename(folder));
  const prompts = field(readJson(folder, "config_sentence_transformers.json"), "prompts");
  const modelFile = findModelFile(folder);
  return {
    name: basename(folder),
    modelFile,
    tokenizer: readJson(folder, "tokenizer.json") ?? missing(folder, "tokenizer.json"),
    tokenizerConfig: readJson(folder, "tokenizer_config.json") ?? {},
    pooling: poolingOf(readJson(folder, join("1_Pooling", "config.json"))),
    dimensions,
    maxTokens: maxTokensOf(folder, config),
    queryPrefix: textOf(field(prompts, "query")) ?? known?.queryPrefix ?? "",
    documentPrefix: textOf(field(prompts, "document") ?? field(prompts, "passage")) ?? "",
    identity: identify(modelFile),
    known,
  };
}

function findModelFile(folder: string): string {
  const places = [join(folder, "onnx"), folder];
  for (const place of places) {
    for (const name of PREFERRED_FILES) if (existsSync(join(place, name))) return join(place, name);
  }
  for (const place of places.filter((path) => existsSync(path))) {
    const other = readdirSync(place).find((name) => name.endsWith(".onnx"));
    if (other !== undefined) return join(place, other);
  }
  return missing(folder, "onnx/model.onnx");
}

function readJson(folder: string, name: string): object | undefined {
  const path = join(folder, name);
  if (!existsSync(path)) return undefined;
  try {
    const value: unknown = JSON.parse(readFileSync(path, "utf8"));
    if (typeof value === "object" && value !== null) return value;
  } catch {
    // told below
  }
  throw broken(`${path} is not a JSON object.`);
}

function poolingOf(config: object | undefined): Pooling {
  const wanted: readonly (readonly [string, Pooling])[] = [
    ["pooling_mode_cls_token", "cls"],
    ["pooling_mode_lasttoken", "last"],
    ["pooling_mode_max_tokens", "max"],
  ];
  return wanted.find(([name]) => field(config, name) === true)?.[1] ?? "mean";
}

function maxTokensOf(folder: string, config: object): number {
  const limits = [
    field(readJson(folder, "sentence_bert_config.json"), "max_seq_length"),
    field(config, "max_position_embeddings"),
  ].filter((value) => typeof value === "number");
  return Math.min(DEFAULT_MAX_TOKENS, ...limits);
}

const textOf = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

/** Size, head and tail: weights of another training differ everywhere, and a gigabyte is not hashed at each start. */
function identify(path: string): string {
  const file = openSync(path, "r");
  try {
    const { size } = fstatSync(file);
    const hash = createHash("sha256").update(`${size}\n`);
    for (const start of [0, Math.max(0, size - SAMPLED_BYTES)]) {
      const bytes = Buffer.alloc(Math.min(SAMPLED_BYTES, size));
      hash.update(bytes.subarray(0, readSync(file, bytes, 0, bytes.length, start)));
    }
    return hash.digest("hex").slice(0, 12);
  } finally {
    closeSync(file);
  }
}

function missing(folder: string, name: string): never {
  throw broken(`${folder} is no model's folder: there is no ${name}.`);
}

function broken(message: string): ArcticMemError {
  return new ArcticMemError("MODEL_FILE_BROKEN", message, {
    hint: "`arcticmem model pull` fetches a whole folder; one of your own has to be laid out like those of model hubs.",
  });
}
