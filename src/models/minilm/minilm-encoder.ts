/**
 * Text → vector on the calling thread: tokenizer, model file and kernel put together. A short text
 * takes 5 ms, 256 tokens 100 ms; what is long belongs to a worker.
 */
import { ENCODER_WIDTH, EncodeKernel } from "../../kernel/encode-kernel.ts";
import type { EmbedKind } from "../embedder.ts";
import { MODEL_PATH, ModelFile } from "./model-file.ts";
import { Tokenizer } from "./tokenize.ts";

/** Special tokens around each text. */
const SPECIAL_TOKENS = 2;
/** Tokens that neighbouring windows share. */
const OVERLAP = 64;
/** Most windows of one text, about 1,600 tokens: who has more to say is chunked before. */
const MAX_WINDOWS = 8;

export class MiniLmEncoder {
  readonly maxTokens: number;
  readonly file: ModelFile;
  readonly #kernel = new EncodeKernel();
  readonly #tokenizer: Tokenizer;

  /** @throws {ArcticMemError} MODEL_FILE_BROKEN. */
  constructor(path: string = MODEL_PATH) {
    this.maxTokens = this.#kernel.maxTokens;
    this.file = new ModelFile(path);
    this.file.readDense(this.#kernel.weights);
    this.#tokenizer = new Tokenizer(this.file.readVocabulary(), this.file.vocabularySize);
  }

  /** Token ids, special ones included, cut after `limit`. */
  tokenize(text: string, limit: number = this.maxTokens): number[] {
    return this.#tokenizer.encode(text, limit);
  }

  /** Vector of the first `maxTokens` tokens. */
  embedStart(text: string): Float32Array<ArrayBuffer> {
    return this.#encode(this.tokenize(text));
  }

  /**
   * Vector of a text of any length. What exceeds `maxTokens` is read in overlapping windows, whose
   * vectors are averaged by their number of tokens.
   */
  embedWhole(text: string): Float32Array<ArrayBuffer> {
    const stride = this.maxTokens - SPECIAL_TOKENS - OVERLAP;
    const ids = this.tokenize(text, this.maxTokens + stride * (MAX_WINDOWS - 1));
    if (ids.length <= this.maxTokens) return this.#encode(ids);
    const sum = new Float32Array(ENCODER_WIDTH);
    const [first = 0, last = 0] = [ids[0], ids.at(-1)];
    for (let start = 1; start + OVERLAP < ids.length - 1; start += stride) {
      const body = ids.slice(start, Math.min(start + this.maxTokens - SPECIAL_TOKENS, ids.length - 1));
      const vector = this.#encode([first, ...body, last]);
      for (let index = 0; index < sum.length; index++)
        sum[index] = (sum[index] ?? 0) + (vector[index] ?? 0) * body.length;
    }
    const length = Math.hypot(...sum);
    return sum.map((value) => value / length);
  }

  /** A document is read whole, a query cut at the limit. */
  embed(text: string, kind: EmbedKind): Float32Array<ArrayBuffer> {
    return kind === "query" ? this.embedStart(text) : this.embedWhole(text);
  }

  close(): void {
    this.file.close();
  }

  #encode(ids: readonly number[]): Float32Array<ArrayBuffer> {
    for (const [position, id] of ids.entries()) this.file.readWordRow(id, this.#kernel.wordRow(position));
    return this.#kernel.encode(ids.length);
  }
}
