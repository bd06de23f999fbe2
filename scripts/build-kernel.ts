/** Compiles `kernel/` to `assets/kernel.wasm`. The built file is committed; a test rebuilds and compares it. */
import { writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import asc from "assemblyscript/asc";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Compiles in memory. @throws {Error} with the compiler's messages. */
export async function buildKernel(): Promise<Uint8Array> {
  let binary: Uint8Array | undefined;
  const flags = "-O3 --noAssert --runtime stub --enable simd --enable bulk-memory --importMemory --use abort=";
  const { error, stderr } = await asc.main(
    ["kernel/encode.ts", "kernel/scan.ts", "--baseDir", root, "--outFile", "kernel.wasm", ...flags.split(" ")],
    {
      writeFile: (name, contents) => {
        if (name === "kernel.wasm" && contents instanceof Uint8Array) binary = contents;
      },
    },
  );
  if (error !== null || binary === undefined) throw new Error(`asc failed: ${stderr.toString()}`, { cause: error });
  return binary;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const binary = await buildKernel();
  await writeFile(new URL("../assets/kernel.wasm", import.meta.url), binary);
  process.stderr.write(`assets/kernel.wasm: ${binary.byteLength} bytes\n`);
}
