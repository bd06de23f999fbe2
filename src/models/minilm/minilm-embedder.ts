/**
 * The embedded model, all-MiniLM-L6-v2, behind the `Embedder` contract: in the package, without
 * network, 25 ms from a cold start. Queries are embedded here and now; everything that is kept goes
 * through worker threads, which check the model file first and leave the event loop alone.
 */
import { availableParallelism } from "node:os";
import { ENCODER_WIDTH } from "../../kernel/encode-kernel.ts";
import type { Embedder, EmbedOptions } from "../embedder.ts";
import { EncoderPool } from "./encoder-pool.ts";
import { MiniLmEncoder } from "./minilm-encoder.ts";
import { MODEL_PATH, MODEL_SHA256 } from "./model-file.ts";

const MAX_TOKENS = 256;
/** Threads by default. More would be faster still, but each costs 25 MB and the machine is the user's. */
const MAX_WORKERS = 2;
/** Longest query, in UTF-16 units, embedded on the calling thread: about 60 tokens, 25 ms. */
const INLINE_LENGTH = 256;

export interface MiniLmOptions {
  /** Most worker threads. Default: 2, or the number of processors if that is less. */
  readonly workers?: number;
  /** Default: the file in the package. */
  readonly modelPath?: string;
}

export class MiniLmEmbedder implements Embedder {
  readonly fingerprint: string = `all-MiniLM-L6-v2@int8-${MODEL_SHA256.slice(0, 12)}`;
  readonly dimensions: number = ENCODER_WIDTH;
  readonly maxTokens: number = MAX_TOKENS;
  readonly #modelPath: string;
  readonly #pool: EncoderPool;
  #encoder: MiniLmEncoder | undefined;

  /** Opens nothing: files and threads wait for the first text. */
  constructor({ workers = Math.min(MAX_WORKERS, availableParallelism()), modelPath = MODEL_PATH }: MiniLmOptions = {}) {
    this.#modelPath = modelPath;
    this.#pool = new EncoderPool(workers, { modelPath });
  }

  /** {@inheritDoc Embedder.embed} A document beyond `maxTokens` is read in windows, a query is cut. */
  async embed(texts: readonly string[], { kind = "document", signal }: EmbedOptions = {}): Promise<Float32Array[]> {
    signal?.throwIfAborted();
    const [text] = texts;
    if (kind === "query" && text !== undefined && texts.length === 1 && text.length <= INLINE_LENGTH) {
      return [this.embedQuery(text)];
    }
    return this.#pool.embed({ texts, kind }, signal);
  }

  /** {@inheritDoc Embedder.embedQuery} */
  embedQuery(text: string): Float32Array {
    this.#encoder ??= new MiniLmEncoder(this.#modelPath);
    return this.#encoder.embedStart(text);
  }

  async close(): Promise<void> {
    this.#encoder?.close();
    this.#encoder = undefined;
    await this.#pool.close();
  }
}
