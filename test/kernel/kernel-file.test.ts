import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { buildKernel } from "../../scripts/build-kernel.ts";

describe("assets/kernel.wasm", () => {
  it("is what the sources in kernel/ compile to, byte for byte", async () => {
    const committed = await readFile(new URL("../../assets/kernel.wasm", import.meta.url));
    expect(Buffer.compare(Buffer.from(await buildKernel()), committed)).toBe(0);
  });
});
