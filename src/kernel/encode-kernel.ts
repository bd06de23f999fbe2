/** The encoder's door to the kernel: fill in the weights once and a word row per token, get a vector. */
import { type KernelInstance, openKernel, PAGE_BYTES } from "./kernel.ts";

/** Floats of a vector. */
export const ENCODER_WIDTH = 384;

export class EncodeKernel {
  /** Most tokens of one sequence. */
  readonly maxTokens: number;
  /** The model file's dense section is read into it, whole, before the first `encode`. */
  readonly weights: Uint8Array;
  readonly #kernel: KernelInstance;

  constructor() {
    this.#kernel = openKernel(PAGE_BYTES);
    const { exports, memory } = this.#kernel;
    memory.grow(Math.ceil(exports.ENCODE_BYTES.value / PAGE_BYTES) - 1);
    this.maxTokens = exports.MAX_TOKENS.value;
    this.weights = new Uint8Array(memory.buffer, exports.DENSE.value, exports.DENSE_BYTES.value);
  }

  /** Where the word row (f32 scale, int8[384]) of the token at `position` belongs. */
  wordRow(position: number): Uint8Array {
    const { ROWS, ROW_BYTES } = this.#kernel.exports;
    return new Uint8Array(this.#kernel.memory.buffer, ROWS.value + position * ROW_BYTES.value, ROW_BYTES.value);
  }

  /**
   * Runs the model over the word rows of `tokens` tokens (1…maxTokens).
   *
   * @returns A new unit-length vector; the same bits on every machine.
   */
  encode(tokens: number): Float32Array<ArrayBuffer> {
    const { exports, memory } = this.#kernel;
    exports.encode(tokens);
    return new Float32Array(memory.buffer, exports.VECTOR.value, ENCODER_WIDTH).slice();
  }
}
