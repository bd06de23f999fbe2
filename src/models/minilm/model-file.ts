/**
 * The model file: header, dense weights, one row per word, vocabulary (scripts/convert-minilm.py has
 * the layout). Weights go straight to where the kernel wants them and word rows are read one by one,
 * which spares a short-lived process half of the file.
 */
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

interface Header {
  readonly denseBytes: number;
  readonly wordBytes: number;
  readonly vocabularyBytes: number;
  readonly vocabularySize: number;
}

/** The error of every fault of the file. */
export function brokenModelFile(path: string, problem: string, cause?: unknown): ArcticMemError {
  return new ArcticMemError("MODEL_FILE_BROKEN", `the embedding model's file ${path} ${problem}`, {
    hint: "Install arcticmem again, or restore assets/minilm/model.bin; `sha256sum -c SHA256SUMS` beside it tells whether it is whole.",
    cause,
  });
}

export class ModelFile {
  readonly vocabularySize: number;
  readonly path: string;
  /** Size of the whole file. */
  readonly bytes: number;
  readonly #descriptor: number;
  readonly #header: Header;

  /**
   * Opens the file and checks header and size; `verifyModelFile` reads it all.
   *
   * @throws {ArcticMemError} MODEL_FILE_BROKEN when it is missing, unreadable, short or of another version.
   */
  constructor(path: string = MODEL_PATH) {
    this.path = path;
    try {
      this.#descriptor = openSync(path, "r");
    } catch (error) {
      throw brokenModelFile(path, "can't be opened", error);
    }
    try {
      this.#header = this.#readHeader();
    } catch (error) {
      this.close();
      throw error;
    }
    const { denseBytes, wordBytes, vocabularyBytes, vocabularySize } = this.#header;
    this.bytes = HEADER_BYTES + denseBytes + wordBytes + vocabularyBytes;
    this.vocabularySize = vocabularySize;
  }

  /** Fills `target` with the dense section. */
  readDense(target: Uint8Array): void {
    if (target.length !== this.#header.denseBytes) throw brokenModelFile(this.path, "has weights of another model");
    this.read(target, HEADER_BYTES);
  }

  /** Fills `target` with the word row of token `id`. */
  readWordRow(id: number, target: Uint8Array): void {
    this.read(target, HEADER_BYTES + this.#header.denseBytes + id * WORD_ROW_BYTES);
  }

  /** The vocabulary section, whole. */
  readVocabulary(): ArrayBuffer {
    const section = new ArrayBuffer(this.#header.vocabularyBytes);
    this.read(new Uint8Array(section), HEADER_BYTES + this.#header.denseBytes + this.#header.wordBytes);
    return section;
  }

  close(): void {
    closeSync(this.#descriptor);
  }

  #readHeader(): Header {
    const bytes = new Uint8Array(HEADER_BYTES);
    this.read(bytes, 0);
    const view = new DataView(bytes.buffer);
    const magic = String.fromCharCode(...bytes.subarray(0, MAGIC.length));
    if (magic !== MAGIC) throw brokenModelFile(this.path, "is not a model file of ArcticMem");
    const version = view.getUint32(8, true);
    if (version !== FORMAT_VERSION)
      throw brokenModelFile(this.path, `has format ${version}, this version reads ${FORMAT_VERSION}`);
    const header = {
      denseBytes: view.getUint32(12, true),
      wordBytes: view.getUint32(16, true),
      vocabularyBytes: view.getUint32(20, true),
      vocabularySize: view.getUint32(24, true),
    };
    const expected = HEADER_BYTES + header.denseBytes + header.wordBytes + header.vocabularyBytes;
    const { size } = fstatSync(this.#descriptor);
    if (size !== expected) throw brokenModelFile(this.path, `has ${size} bytes instead of ${expected}`);
    return header;
  }

  /** Fills `target` from `position` in the file on; one system call may return less than was asked for. */
  read(target: Uint8Array, position: number): void {
    for (let done = 0; done < target.length; ) {
      const count = this.#readSome(target.subarray(done), position + done);
      if (count === 0) throw brokenModelFile(this.path, `ends before byte ${position + target.length}`);
      done += count;
    }
  }

  #readSome(target: Uint8Array, position: number): number {
    try {
      return readSync(this.#descriptor, target, 0, target.length, position);
    } catch (error) {
      throw brokenModelFile(this.path, "can't be read", error);
    }
  }
}
