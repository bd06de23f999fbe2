/**
 * A local sentence model in ONNX, run by the runtime that the user has installed. One text at a time, so that a vector
 * never depends on its neighbours, with a breath for the event loop after each.
 */
import { setImmediate as breathe } from "node:timers/promises";
import { ArcticMemError, messageOf } from "../../../core/errors.ts";
import type { Embedder, EmbedKind, EmbedOptions } from "../../embedder.ts";
import { prefixTag } from "../embedders/http-embedder.ts";
import { meanVector, unitVector } from "../embedders/vectors.ts";
import { loadOnnxPeers, type OnnxPeers, type OnnxSession, type OnnxTensor, type TextTokenizer } from "./load-peers.ts";
import { type ModelFolder, type Pooling, readModelFolder } from "./model-folder.ts";

export interface OnnxModel {
  /** The model's folder. */
  readonly path: string;
  /** How many of a vector's first numbers are kept; null: all. */
  readonly dimensions: number | null;
  /** Null: what is known of the model. */
  readonly prefixes: { readonly query: string | null; readonly document: string | null };
  /** Folder where the runtime may be installed. */
  readonly peersFolder: string;
}

/** Tokens that neighbouring windows of a long document share, and most windows of one. */
const OVERLAP = 64;
const MAX_WINDOWS = 8;

/**
 * Reads the folder; runtime and weights are loaded with the first text.
 *
 * @throws {ArcticMemError} `MODEL_FILE_BROKEN` for a folder that is no model's; `CONFIG_INVALID` for a number of
 *   dimensions that the model was not trained for.
 */
export async function openOnnxEmbedder(model: OnnxModel): Promise<Embedder> {
  const folder = readModelFolder(model.path);
  const dimensions = model.dimensions ?? folder.dimensions;
  const cuts = folder.known?.matryoshka;
  const allowed = cuts === undefined ? dimensions <= folder.dimensions : cuts.includes(dimensions);
  if (dimensions !== folder.dimensions && !allowed) {
    const choices = [folder.dimensions, ...(cuts ?? [])].join(" or ");
    throw new ArcticMemError("CONFIG_INVALID", `${folder.name} has no vectors of ${dimensions} dimensions.`, {
      hint: `Set embedder.dimensions to ${choices}, or unset it.`,
    });
  }
  return new OnnxEmbedder(model, folder, dimensions);
}

interface Loaded {
  readonly session: OnnxSession;
  readonly peers: OnnxPeers;
  readonly tokenizer: TextTokenizer;
  /** Special tokens before and behind every text. */
  readonly head: readonly number[];
  readonly tail: readonly number[];
}

class OnnxEmbedder implements Embedder {
  readonly fingerprint: string;
  readonly dimensions: number;
  readonly maxTokens: number;
  readonly #folder: ModelFolder;
  readonly #peersFolder: string;
  readonly #prefixes: Readonly<Record<EmbedKind, string>>;
  #loaded: Promise<Loaded> | undefined;

  constructor({ prefixes, peersFolder }: OnnxModel, folder: ModelFolder, dimensions: number) {
    this.#folder = folder;
    this.#peersFolder = peersFolder;
    this.#prefixes = {
      query: prefixes.query ?? folder.queryPrefix,
      document: prefixes.document ?? folder.documentPrefix,
    };
    this.dimensions = dimensions;
    this.maxTokens = folder.maxTokens;
    this.fingerprint = `onnx:${folder.name}-${folder.identity}@${dimensions}${prefixTag(this.#prefixes)}`;
  }

  /** {@inheritDoc Embedder.embed} A document beyond `maxTokens` is read in windows, a query is cut. */
  async embed(texts: readonly string[], { kind = "document", signal }: EmbedOptions = {}): Promise<Float32Array[]> {
    signal?.throwIfAborted();
    if (texts.length === 0) return [];
    const loaded = await this.#load();
    const vectors: Float32Array[] = [];
    for (const text of texts) {
      signal?.throwIfAborted();
      vectors.push(await this.#embedOne(loaded, this.#prefixes[kind] + text, kind));
      await breathe();
    }
    return vectors;
  }

  async close(): Promise<void> {
    const loaded = await this.#loaded?.catch(() => undefined);
    this.#loaded = undefined;
    await loaded?.session.release();
  }

  #load(): Promise<Loaded> {
    if (this.#loaded !== undefined) return this.#loaded;
    const loading = loadModel(this.#folder, this.#peersFolder);
    this.#loaded = loading;
    loading.catch(() => {
      this.#loaded = undefined; // the next text tries again: the user may have mended it
    });
    return loading;
  }

  async #embedOne(loaded: Loaded, text: string, kind: EmbedKind): Promise<Float32Array> {
    const { head, tail, tokenizer } = loaded;
    const ids = tokenizer.encode(text, { add_special_tokens: false }).ids;
    const room = this.maxTokens - head.length - tail.length;
    const parts = [];
    for (const window of windowsOf(ids, room, kind === "query" ? 1 : MAX_WINDOWS)) {
      const vector = await this.#run(loaded, [...head, ...window, ...tail]);
      parts.push({ vector, weight: Math.max(1, window.length) });
    }
    return meanVector(parts);
  }

  async #run({ session, peers }: Loaded, ids: readonly number[]): Promise<Float32Array> {
    const inputs: Readonly<Record<string, readonly number[]>> = {
      input_ids: ids,
      attention_mask: ids.map(() => 1),
      token_type_ids: ids.map(() => 0),
      position_ids: ids.map((_, at) => at),
    };
    const feeds: Record<string, OnnxTensor> = {};
    for (const name of session.inputNames) {
      const values = inputs[name];
      if (values === undefined) throw unfit(this.#folder, `it wants an input ${name}`);
      feeds[name] = new peers.runtime.Tensor("int64", BigInt64Array.from(values, BigInt), [1, ids.length]);
    }
    const pooled = poolOutput(this.#folder, session, await session.run(feeds));
    return unitVector(pooled.slice(0, this.dimensions), this.dimensions, this.#folder.name);
  }
}

async function loadModel(folder: ModelFolder, peersFolder: string): Promise<Loaded> {
  const peers = await loadOnnxPeers(peersFolder);
  const tokenizer = new peers.tokenizers.Tokenizer(folder.tokenizer, folder.tokenizerConfig);
  const options = { executionProviders: ["cpu"], logSeverityLevel: 3 };
  const session = await peers.runtime.InferenceSession.create(folder.modelFile, options).catch((cause: unknown) => {
    throw unfit(folder, messageOf(cause));
  });
  const whole = tokenizer.encode("a").ids;
  const [first] = tokenizer.encode("a", { add_special_tokens: false }).ids;
  const at = whole.indexOf(first ?? -1);
  return { session, peers, tokenizer, head: whole.slice(0, Math.max(0, at)), tail: whole.slice(at + 1) };
}

function windowsOf(ids: readonly number[], room: number, most: number): (readonly number[])[] {
  const stride = Math.max(Math.ceil(room / 2), room - OVERLAP);
  const windows = [ids.slice(0, room)];
  for (let start = stride; start + room - stride < ids.length && windows.length < most; start += stride) {
    windows.push(ids.slice(start, start + room));
  }
  return windows;
}

/** A model's own sentence vector where it gives one; else its tokens' vectors, pooled as the folder says. */
function poolOutput(
  folder: ModelFolder,
  { outputNames }: OnnxSession,
  outputs: Readonly<Record<string, OnnxTensor>>,
): readonly number[] {
  const own = outputs.sentence_embedding;
  if (own !== undefined) return Array.from(own.data, Number);
  const tokens = outputs.last_hidden_state ?? outputs.token_embeddings ?? outputs[outputNames[0] ?? ""];
  if (tokens?.dims.length !== 3 || tokens.dims[2] !== folder.dimensions) {
    throw unfit(folder, `it gives ${tokens?.dims.join(" × ") ?? "nothing"}`);
  }
  return poolTokens(tokens.data, tokens.dims[1] ?? 0, folder);
}

function poolTokens(data: ArrayLike<number | bigint>, count: number, folder: ModelFolder): readonly number[] {
  const width = folder.dimensions;
  const column = (at: number): number[] =>
    Array.from({ length: count }, (_, token) => Number(data[token * width + at]));
  const pools: Readonly<Record<Pooling, (values: readonly number[]) => number>> = {
    cls: (values) => values[0] ?? 0,
    last: (values) => values.at(-1) ?? 0,
    max: (values) => Math.max(...values),
    mean: (values) => values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length),
  };
  return Array.from({ length: width }, (_, at) => pools[folder.pooling](column(at)));
}

function unfit({ modelFile }: ModelFolder, reason: string): ArcticMemError {
  return new ArcticMemError("MODEL_FILE_BROKEN", `${modelFile} is no sentence model that can be used: ${reason}.`, {
    hint: "Use the export of a sentence model that gives last_hidden_state or sentence_embedding.",
  });
}
