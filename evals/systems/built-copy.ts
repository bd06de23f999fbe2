/**
 * The sources as plain JavaScript, for a run of thousands of searches: a loader that compiles on the fly is asked for every
 * `import()`, on another thread, and a busy machine would spend its time on that instead of on what is measured.
 */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { build } from "esbuild";

const SOURCES = ["src", "evals"];
/** What the sources look for beside themselves. */
const BESIDE = ["assets", "profiles", "package.json"];
const RELATIVE_IMPORT = /((?:\bfrom|\bimport)\s*\(?\s*")(\.{1,2}\/[^"]+)\.ts"/g;

export interface BuiltCopy extends Disposable {
  readonly folder: string;
}

/** @param root - Top folder of the project; the copy lies below its `node_modules`, so that packages are found. */
export async function builtCopy(root: string): Promise<BuiltCopy> {
  const cache = join(root, "node_modules", ".cache");
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, "arcticmem-evals-"));
  const { outputFiles } = await build({
    entryPoints: SOURCES.flatMap((name) => sourcesBelow(join(root, name))),
    outdir: folder,
    outbase: root,
    bundle: false,
    write: false,
    format: "esm",
    platform: "node",
    target: "node20",
    logLevel: "silent",
  });
  for (const { path, text } of outputFiles) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text.replace(RELATIVE_IMPORT, '$1$2.js"'));
  }
  for (const name of BESIDE) symlinkSync(join(root, name), join(folder, name));
  return { folder, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) };
}

function sourcesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
    .map((entry) => join(entry.parentPath, entry.name));
}
