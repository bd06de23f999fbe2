/** Embedding models: which there are, fetching one, and moving to another. */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { EmbedderConfig } from "../../config/config.ts";
import type { ConfigChange } from "../../config/save-config.ts";
import { ModelError } from "../../core/errors.ts";
import type { EmbedderChoice, ModelListing, ModelsPart, PullOptions, PullReport } from "../../core/memory.ts";
import type { Embedder } from "../../models/embedder.ts";
import type { Workbench } from "../workbench.ts";
import { calibrate } from "./calibration.ts";

export function openModelsPart(bench: Workbench): ModelsPart {
  return {
    list: () => listModels(bench.paths.models),
    pull: (name, options = {}) => pull(bench, name, options),
    use: (choice) => use(bench, choice),
    build: async (options = {}) => {
      const { buildVectors } = await import("./build-vectors.ts");
      return buildVectors(bench, options);
    },
    calibrate: (options) => calibrate(bench, options),
  };
}

async function listModels(folder: string): Promise<ModelListing[]> {
  const [{ KNOWN_MODELS }, { readNote }] = await Promise.all([
    import("../../models/pull/catalogue.ts"),
    import("../../models/pull/pull-model.ts"),
  ]);
  const known = KNOWN_MODELS.map(({ name, about, megabytes, dimensions, matryoshka }) => {
    const isPulled = readNote(join(folder, name)) !== undefined;
    return { name, about, megabytes, dimensions: [dimensions, ...matryoshka], isPulled };
  });
  const names = existsSync(folder) ? readdirSync(folder) : [];
  const others = names.flatMap((name): ModelListing[] => {
    const note = known.some((model) => model.name === name) ? undefined : readNote(join(folder, name));
    if (note === undefined) return [];
    return [{ name, about: note.repository, megabytes: Math.ceil(note.bytes / 1e6), dimensions: [], isPulled: true }];
  });
  return [...known, ...others];
}

async function pull(bench: Workbench, name: string, options: PullOptions): Promise<PullReport> {
  const { pullModel } = await import("../../models/pull/pull-model.ts");
  const { models } = bench.paths;
  const pulled = await pullModel({ name, models, variables: bench.environment.variables, ...options });
  return { name: pulled.name, folder: pulled.folder, bytes: pulled.bytes, unchecked: pulled.unchecked };
}

async function use(bench: Workbench, choice: EmbedderChoice): ReturnType<ModelsPart["use"]> {
  const [{ validateConfig }, { saveConfig }, { chooseEmbedder }] = await Promise.all([
    import("../../config/validate-config.ts"),
    import("../../config/save-config.ts"),
    import("./choose-models.ts"),
  ]);
  const { embedder: config } = validateConfig(JSON.stringify({ embedder: choice }), "embedder");
  const place = { environment: bench.environment.variables, models: bench.paths.models };
  const embedder = await chooseEmbedder(config, place);
  try {
    await ask(embedder);
  } finally {
    await embedder?.close();
  }
  await saveConfig(bench.paths, { embedder: onlyOf(choice, config) }, async (text, file) => validateConfig(text, file));
  return { name: embedder?.fingerprint ?? "none", endpoint: await endpointOf(config) };
}

async function ask(embedder: Embedder | undefined): Promise<void> {
  const vectors = await embedder?.embed(["Does this model answer?"], { kind: "query" });
  if (vectors !== undefined && vectors.length !== 1) throw new ModelError("It gave no vector.", { retryable: false });
}

/** What an earlier model needed goes out of the file. */
function onlyOf(choice: EmbedderChoice, config: EmbedderConfig): ConfigChange["embedder"] {
  return Object.fromEntries(Object.entries(config).map(([key, value]) => [key, key in choice ? value : undefined]));
}

async function endpointOf(config: EmbedderConfig): Promise<string | null> {
  const { baseUrlOf } = await import("./choose-models.ts");
  const baseUrl = await baseUrlOf(config);
  return baseUrl === null ? null : new URL(baseUrl).host;
}
