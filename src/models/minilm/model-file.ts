/**
 * The model file: header, dense weights, one row per word, vocabulary (scripts/convert-minilm.py has
 * the layout). Weights go straight to where the kernel wants them and word rows are read one by one,
 * which spares a short-lived process half of the file.
 */
import { createHash } from "node:crypto";
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { ArcticMemError } from "../../core/errors.ts";

export const MODEL_PATH = fileURLToPath(new URL("../../../assets/minilm/model.bin", import.meta.url));

/** SHA-256 of the committed file, as in assets/minilm/SHA256SUMS. */
export const MODEL_SHA256 = "c274b2345bb25edffebcabb7d3219b7b70417803af0291fd9b36e43e80f5cbaa";

const MAGIC = "ARCTMINI";
const FORMAT_VERSION = 1;
const HEADER_BYTES = 64;
const WORD_ROW_BYTES = 388;
/** What is read at a time when the whole file is hashed. */
const HASH_CHUNK_BYTES = 1 << 20;

interface Header {
  readonly denseBytes: number;
  readonly wordBytes: number;
  readonly vocabularyBytes: number;
  readonly vocabularySize: number;
}

function broken(path: string, problem: string, cause?: unknown): ArcticMemError {
  return new ArcticMemError("MODEL_FILE_BROKEN", `the embedding model's file ${path} ${problem}`, {
    hint: "Install arcticmem again, or restore assets/minilm/model.bin; `sha256sum -c SHA256SUMS` beside it tells whether it is whole.",
    cause,
  });
}

export class ModelFile {
  readonly vocabularySize: number;
  readonly path: string;
  readonly #descriptor: number;
  readonly #header: Header;

  /**
   * Opens the file and checks header and size; `verify` reads it all.
   *
   * @throws {ArcticMemError} MODEL_FILE_BROKEN when it is missing, unreadable, short or of another version.
   */
  constructor(path: string = MODEL_PATH) {
    this.path = path;
    try {
      this.#descriptor = openSync(path, "r");
    } catch (error) {
      throw broken(path, "can't be opened", error);
    }
    try {
      this.#header = this.#readHeader();
    } catch (error) {
      this.close();
      throw error;
    }
    this.vocabularySize = this.#header.vocabularySize;
  }

  /** Fills `target` with the dense section. */
  readDense(target: Uint8Array): void {
    if (target.length !== this.#header.denseBytes) throw broken(this.path, "has weights of another model");
    this.#read(target, HEADER_BYTES);
  }

  /** Fills `target` with the word row of token `id`. */
  readWordRow(id: number, target: Uint8Array): void {
    this.#read(target, HEADER_BYTES + this.#header.denseBytes + id * WORD_ROW_BYTES);
  }

  /** The vocabulary section, whole. */
  readVocabulary(): ArrayBuffer {
    const section = new ArrayBuffer(this.#header.vocabularyBytes);
    this.#read(new Uint8Array(section), HEADER_BYTES + this.#header.denseBytes + this.#header.wordBytes);
    return section;
  }

  /**
   * Reads all of the file and compares its SHA-256: 20 to 60 ms, so only before vectors are kept.
   *
   * @throws {ArcticMemError} MODEL_FILE_BROKEN when one bit is different.
   */
  verify(): void {
    const hash = createHash("sha256");
    const chunk = new Uint8Array(HASH_CHUNK_BYTES);
    const { size } = fstatSync(this.#descriptor);
    for (let at = 0; at < size; at += chunk.length) {
      const part = chunk.subarray(0, Math.min(chunk.length, size - at));
      this.#read(part, at);
      hash.update(part);
    }
    if (hash.digest("hex") !== MODEL_SHA256) throw broken(this.path, "is damaged: its checksum is wrong");
  }

  close(): void {
    closeSync(this.#descriptor);
  }

  #readHeader(): Header {
    const bytes = new Uint8Array(HEADER_BYTES);
    this.#read(bytes, 0);
    const view = new DataView(bytes.buffer);
    const magic = String.fromCharCode(...bytes.subarray(0, MAGIC.length));
    if (magic !== MAGIC) throw broken(this.path, "is not a model file of ArcticMem");
    const version = view.getUint32(8, true);
    if (version !== FORMAT_VERSION)
      throw broken(this.path, `has format ${version}, this version reads ${FORMAT_VERSION}`);
    const header = {
      denseBytes: view.getUint32(12, true),
      wordBytes: view.getUint32(16, true),
      vocabularyBytes: view.getUint32(20, true),
      vocabularySize: view.getUint32(24, true),
    };
    const expected = HEADER_BYTES + header.denseBytes + header.wordBytes + header.vocabularyBytes;
    const { size } = fstatSync(this.#descriptor);
    if (size !== expected) throw broken(this.path, `has ${size} bytes instead of ${expected}`);
    return header;
  }

  /** Fills `target` from `position` on; one call may return less than was asked for. */
  #read(target: Uint8Array, position: number): void {
    for (let done = 0; done < target.length; ) {
      const count = this.#readSome(target.subarray(done), position + done);
      if (count === 0) throw broken(this.path, `ends before byte ${position + target.length}`);
      done += count;
    }
  }

  #readSome(target: Uint8Array, position: number): number {
    try {
      return readSync(this.#descriptor, target, 0, target.length, position);
    } catch (error) {
      throw broken(this.path, "can't be read", error);
    }
  }
}
