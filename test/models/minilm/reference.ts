/** The texts, token ids and fp32 vectors that scripts/reference-vectors.py made with PyTorch. */
import { readFileSync } from "node:fs";

interface ReferenceText {
  readonly kind: string;
  readonly text: string;
  readonly ids: readonly number[];
  readonly vector: Float32Array;
}

interface ReferenceFile {
  readonly texts: readonly { kind: string; text: string; ids: number[]; vector: string }[];
}

export function readReference(): readonly ReferenceText[] {
  const path = new URL("../../fixtures/encoder/reference.json", import.meta.url);
  const { texts } = JSON.parse(readFileSync(path, "utf8")) as ReferenceFile;
  return texts.map((entry) => {
    const bytes = Uint8Array.from(Buffer.from(entry.vector, "base64"));
    return { ...entry, vector: new Float32Array(bytes.buffer) };
  });
}
