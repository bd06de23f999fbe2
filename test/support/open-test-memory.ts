/** A whole memory in a temporary home: real store, real files, an embedder that needs no model. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Memory } from "../../src/core/memory.ts";
import { type OpenMemoryOptions, openMemory } from "../../src/memory.ts";
import { hashEmbedder } from "./hash-embedder.ts";

export interface TestHome extends Disposable {
  readonly folder: string;
  /** An empty folder outside git. */
  readonly project: string;
  open(options?: Partial<OpenMemoryOptions> & { readonly variables?: Record<string, string> }): Promise<Memory>;
  /** Writes a file of the project. */
  write(path: string, text: string): string;
}

export function openTestHome(): TestHome {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "arcticmem-test-")));
  const project = join(folder, "work", "billing");
  mkdirSync(project, { recursive: true });
  return {
    folder,
    project,
    open: ({ variables = {}, ...options } = {}) =>
      openMemory({
        cwd: project,
        embedder: hashEmbedder(),
        ...options,
        environment: {
          platform: process.platform,
          variables: {
            HOME: folder,
            ARCTICMEM_HOME: join(folder, "arcticmem"),
            ARCTICMEM_NO_WORKER: "1",
            ...variables,
          },
        },
      }),
    write: (path, text) => {
      const file = join(project, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
      return file;
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}
