/**
 * Brings the vectors in step with the texts and with the model that the user wants. A swap runs beside the search: the
 * old model's vectors serve until the last new one is made, the switch is one write, and the old ones go after it. What a
 * killed process had made is there for the next.
 */
import type { Embedder } from "../../models/embedder.ts";
import type { Workbench } from "../workbench.ts";
import { type EmbedMissingOptions, embedMissing, fillMissing } from "./embed-missing.ts";

/**
 * @returns How many texts were embedded.
 * @throws {ModelError} where the wanted model fails; what was embedded until then is kept.
 */
export async function buildVectors(bench: Workbench, options: EmbedMissingOptions = {}): Promise<number> {
  const wanted = await bench.embedder();
  if (wanted === undefined) return 0;
  const { index } = await bench.store();
  await bench.noteEmbedder(wanted);
  const active = await index.activeFingerprint();
  const isSwap = active !== undefined && active !== wanted.fingerprint;
  let embedded = isSwap ? await embedServing(bench, options).catch(() => 0) : 0;
  let made: number;
  do {
    made = await embedMissing({ index, embedder: wanted }, options);
    embedded += made;
  } while (made > 0 && !(await isServing(bench, wanted)));
  if (await isServing(bench, wanted)) {
    await index.dropInactive();
    await bench.forgetOtherEmbedders(wanted.fingerprint);
  }
  return embedded;
}

/**
 * Makes every vector anew beside those that serve, which go when the last one is there: whoever searches or is killed
 * meanwhile loses nothing.
 *
 * @returns How many texts were embedded.
 * @throws {ModelError} as `buildVectors`.
 */
export async function rebuildVectors(bench: Workbench, options: EmbedMissingOptions = {}): Promise<number> {
  const wanted = await bench.embedder();
  if (wanted === undefined || !(await isServing(bench, wanted))) return buildVectors(bench, options);
  const { index } = await bench.store();
  const { dimensions, maxTokens } = wanted;
  const name = `${wanted.fingerprint} made anew`;
  const anew: Embedder = {
    fingerprint: name,
    dimensions,
    maxTokens,
    embed: (texts, how) => wanted.embed(texts, how),
    close: async () => {},
  };
  let embedded = 0;
  while ((await index.countMissing(name)) > 0) embedded += await fillMissing(index, anew, options);
  await index.replaceActive(name);
  await index.dropInactive();
  return embedded;
}

async function isServing(bench: Workbench, { fingerprint }: Embedder): Promise<boolean> {
  return (await (await bench.store()).index.activeFingerprint()) === fingerprint;
}

/**
 * Gives new texts vectors of the model that serves, so that they are found while a swap runs. Starts no swap: a process
 * that has run for long may know an older config than the one in force.
 */
export async function embedServing(bench: Workbench, options: EmbedMissingOptions = {}): Promise<number> {
  const { index } = await bench.store();
  const isFirst = (await index.activeFingerprint()) === undefined;
  const embedder = isFirst ? await bench.embedder() : await bench.serving();
  if (isFirst && embedder !== undefined) await bench.noteEmbedder(embedder);
  return embedMissing({ index, embedder }, options);
}
