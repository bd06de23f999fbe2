/**
 * Puts what a hook loads into one file: Node spends a third of a millisecond on each module of its own, and a session
 * start needs a hundred and thirty. Runs after the compiler and replaces `dist/hooks/answer-hook.js`; what a hook seldom
 * needs stays where the compiler put it and is loaded from there. The package's programs are made executable, which the
 * compiler leaves to npm: a checkout that `npm link` points at is never installed again.
 */
import { chmod, readFile } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import { build, type Plugin } from "esbuild";

const DIST = resolve(import.meta.dirname, "../dist");
const ENTRY = join(DIST, "hooks/answer-hook.js");

/** As in `bin` of the manifest. */
const PROGRAMS = ["cli/main.js", "hooks/run-hook.js"];

/** Of what is loaded on demand, the parts that a session start or a note in the spool needs. */
const NEEDED_BY_HOOKS = [
  "memory/session-start-part.js",
  "memory/models/choose-models.js",
  "memory/models/serving-embedder.js",
  "retrieve/session-start.js",
  "retrieve/settings.js",
  "retrieve/start/read-periods.js",
  "project/checkout.js",
  "project/git-facets.js",
  "project/identity.js",
  "store/sqlite/open-store.js",
  "models/minilm/minilm-embedder.js",
  "ingest/ingest-queue.js",
  "ingest/launch-worker.js",
].map((path) => join(DIST, path));

const onDemand: Plugin = {
  name: "on-demand",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^\./ }, ({ kind, path, resolveDir }) => {
      const target = resolve(resolveDir, path);
      if (kind !== "dynamic-import" || NEEDED_BY_HOOKS.includes(target)) return null;
      return { path: asImport(relative(dirname(ENTRY), target)), external: true };
    });
    /** A module that asks where it lies must hear where it lay: assets and workers are found from there. */
    onLoad({ filter: /\.js$/ }, async ({ path }) => {
      const place = `new URL(${JSON.stringify(asImport(relative(dirname(ENTRY), path)))}, import.meta.url).href`;
      const text = await readFile(path, "utf8");
      return { contents: text.replaceAll("import.meta.url", place), loader: "js" };
    });
  },
};

function asImport(path: string): string {
  const posix = path.replaceAll("\\", "/");
  return posix.startsWith(".") ? posix : `./${posix}`;
}

await build({
  entryPoints: [ENTRY],
  outfile: ENTRY,
  allowOverwrite: true,
  bundle: true,
  format: "esm",
  platform: "node",
  target: "node20",
  packages: "external",
  plugins: [onDemand],
  legalComments: "none",
});
await Promise.all(PROGRAMS.map((path) => chmod(join(DIST, path), 0o755)));
