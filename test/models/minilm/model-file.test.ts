import { createHash } from "node:crypto";
import { copyFileSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ArcticMemError } from "../../../src/core/errors.ts";
import { MODEL_PATH, MODEL_SHA256, ModelFile } from "../../../src/models/minilm/model-file.ts";
import { verifyModelFile } from "../../../src/models/minilm/verify-model-file.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "arcticmem-model-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

function thrownBy(action: () => unknown): ArcticMemError {
  try {
    action();
  } catch (error) {
    if (error instanceof ArcticMemError) return error;
    throw error;
  }
  throw new Error("nothing was thrown");
}

/** A copy of the model file that `change` has altered. */
function altered(change: (bytes: Buffer) => void): string {
  const bytes = readFileSync(MODEL_PATH);
  change(bytes);
  const path = join(folder, "model.bin");
  writeFileSync(path, bytes);
  return path;
}

describe("ModelFile", () => {
  it("is pinned: file, checksum file and code agree", () => {
    const listed = readFileSync(new URL("../../../assets/minilm/SHA256SUMS", import.meta.url), "utf8");
    expect(listed).toBe(`${MODEL_SHA256}  model.bin\n`);
    expect(createHash("sha256").update(readFileSync(MODEL_PATH)).digest("hex")).toBe(MODEL_SHA256);
  });

  it("passes its own check when it is whole", () => {
    const file = new ModelFile();
    verifyModelFile(file);
    file.close();
  });

  const faults = [
    { name: "is missing", path: () => join(folder, "none.bin"), says: "can't be opened" },
    { name: "is a folder", path: () => folder, says: "can't be read" },
    { name: "is empty", path: () => altered0(), says: "ends before byte 64" },
    { name: "is something else", path: () => altered((bytes) => bytes.write("PK")), says: "is not a model file" },
    { name: "has another version", path: () => altered((bytes) => bytes.writeUInt32LE(9, 8)), says: "has format 9" },
    { name: "is cut short", path: () => shortened(), says: "has 23000000 bytes instead of 23512622" },
  ];
  for (const { name, path, says } of faults) {
    it(`says so, and what to do, when the file ${name}`, () => {
      const error = thrownBy(() => new ModelFile(path()));
      expect(error.code).toBe("MODEL_FILE_BROKEN");
      expect(error.message).toContain(says);
      expect(error.hint).toContain("Install arcticmem again");
    });
  }

  function altered0(): string {
    const path = join(folder, "model.bin");
    writeFileSync(path, "");
    return path;
  }

  function shortened(): string {
    const path = join(folder, "model.bin");
    copyFileSync(MODEL_PATH, path);
    truncateSync(path, 23_000_000);
    return path;
  }

  it("notices one flipped bit when it is verified", () => {
    const file = new ModelFile(altered((bytes) => bytes.writeUInt8((bytes[20_000_000] ?? 0) ^ 1, 20_000_000)));
    const error = thrownBy(() => verifyModelFile(file));
    expect(error.message).toContain("checksum is wrong");
    file.close();
  });

  it("notices a file that shrinks while it is open", () => {
    const path = altered(() => undefined);
    const file = new ModelFile(path);
    truncateSync(path, 1_000_000);
    expect(thrownBy(() => file.readVocabulary()).message).toContain("ends before byte");
    file.close();
  });
});
