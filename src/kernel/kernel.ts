/**
 * Loads the WebAssembly kernel. Nothing outside this folder touches its memory: the encoder goes
 * through `EncodeKernel`, the search through `VectorScanner`. Each has an instance of its own, so
 * neither moves the other's memory.
 *
 * Types of WebAssembly come with the browser's library only; what is used here is declared here.
 */
import { readFileSync } from "node:fs";
import { ArcticMemError } from "../core/errors.ts";

export interface KernelMemory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}

interface Address {
  readonly value: number;
}

/** What `kernel/encode.ts` and `kernel/scan.ts` export; their docstrings are there. */
export interface KernelExports {
  readonly MAX_TOKENS: Address;
  readonly DENSE: Address;
  readonly DENSE_BYTES: Address;
  readonly ROWS: Address;
  readonly ROW_BYTES: Address;
  readonly VECTOR: Address;
  readonly HIDDEN: Address;
  readonly QKV: Address;
  readonly MIXED: Address;
  readonly WIDE: Address;
  readonly ENCODE_BYTES: Address;
  embedToken(index: number): void;
  normaliseRow(row: number, added: number, norm: number): void;
  quantiseRow(from: number, to: number, width: number, limit: number): number;
  multiply(from: number, matrix: number, tokens: number, inputs: number, outputs: number, to: number): void;
  activate(values: number, bytes: number): void;
  attendHead(head: number, tokens: number): void;
  softmaxRow(row: number, tokens: number): void;
  pool(tokens: number): void;
  encode(tokens: number): void;

  readonly BLOCK: Address;
  readonly MAX_RESULTS: Address;
  readonly MAX_STRIDE: Address;
  readonly QUERY: Address;
  readonly QUERY_SIGNS: Address;
  readonly HISTOGRAM: Address;
  readonly SCORES: Address;
  readonly INDICES: Address;
  readonly BLOCKS: Address;
  begin(limit: number): void;
  count(): number;
  blockBytes(stride: number): number;
  dot(codes: number, stride: number): number;
  scanBlock(block: number, vectors: number, stride: number, first: number): void;
  packSigns(block: number, from: number, vectors: number, stride: number): void;
  beginSigns(stride: number): void;
  measureBlock(block: number, vectors: number, stride: number): void;
  distanceWithin(vectors: number, stride: number): number;
  rescoreBlock(block: number, vectors: number, stride: number, first: number, distance: number): void;
}

export interface KernelInstance {
  readonly exports: KernelExports;
  readonly memory: KernelMemory;
}

interface WebAssemblyApi {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Memory: new (descriptor: { readonly initial: number }) => KernelMemory;
  readonly Instance: new (module: object, imports: object) => { readonly exports: unknown };
}

/** Bytes of one page of WebAssembly memory. */
export const PAGE_BYTES = 65_536;

const KERNEL_FILE = new URL("../../assets/kernel.wasm", import.meta.url);
const { WebAssembly: wasm } = globalThis as unknown as { readonly WebAssembly: WebAssemblyApi };

let compiled: object | undefined;

function compileKernel(): object {
  try {
    return new wasm.Module(readFileSync(KERNEL_FILE));
  } catch (error) {
    throw new ArcticMemError("MODEL_FILE_BROKEN", `the kernel can't be loaded from ${KERNEL_FILE.pathname}`, {
      hint: "Install arcticmem again: its assets folder is incomplete.",
      cause: error,
    });
  }
}

/**
 * A fresh instance with `bytes` of memory, all zero; pages that are never written cost nothing.
 * The code is compiled once a process (once a thread).
 *
 * @throws {ArcticMemError} MODEL_FILE_BROKEN when assets/kernel.wasm is missing or damaged.
 */
export function openKernel(bytes: number): KernelInstance {
  compiled ??= compileKernel();
  const memory = new wasm.Memory({ initial: Math.ceil(bytes / PAGE_BYTES) });
  const instance = new wasm.Instance(compiled, { env: { memory } });
  return { exports: instance.exports as KernelExports, memory };
}
