/**
 * The whole model file against its checksum. Apart from model-file.ts, because a process that embeds
 * one query never hashes and shall not load the crypto module.
 */
import { createHash } from "node:crypto";
import { brokenModelFile, MODEL_SHA256, type ModelFile } from "./model-file.ts";

const CHUNK_BYTES = 1 << 20;

/**
 * Reads all of the file: 20 to 60 ms, so only before vectors are kept.
 *
 * @throws {ArcticMemError} MODEL_FILE_BROKEN when one bit is different.
 */
export function verifyModelFile(file: ModelFile): void {
  const hash = createHash("sha256");
  const chunk = new Uint8Array(CHUNK_BYTES);
  for (let at = 0; at < file.bytes; at += chunk.length) {
    const part = chunk.subarray(0, Math.min(chunk.length, file.bytes - at));
    file.read(part, at);
    hash.update(part);
  }
  if (hash.digest("hex") !== MODEL_SHA256) throw brokenModelFile(file.path, "is damaged: its checksum is wrong");
}
