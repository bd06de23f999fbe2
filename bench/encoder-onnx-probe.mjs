/**
 * What bench/encoder-onnx.ts measures in a fresh process: our encoder, or onnxruntime-node over the same weights, on the
 * same texts and the same token ids, one after another, one thread each.
 *
 *   node bench/encoder-onnx-probe.mjs own | onnx <model.onnx> <folder with onnxruntime-node>
 */
import { createRequire } from "node:module";
import { join } from "node:path";
import { MiniLmEncoder } from "../dist/models/minilm/minilm-encoder.js";

const QUERY = "how do we run the refund job after ledger close";
const LONG = "The quick brown fox jumps over the lazy dog near the river bank. ".repeat(10);
const [kind, model, folder] = process.argv.slice(2);

async function openOnnx() {
  const { InferenceSession, Tensor } = createRequire(join(folder, "package.json"))("onnxruntime-node");
  const session = await InferenceSession.create(model, { intraOpNumThreads: 1, interOpNumThreads: 1 });
  const tokenizer = new MiniLmEncoder();
  return async (text) => {
    const ids = tokenizer.tokenize(text);
    const input_ids = new Tensor("int64", BigInt64Array.from(ids, BigInt), [1, ids.length]);
    const { last_hidden_state: states } = await session.run({ input_ids });
    const vector = new Float32Array(384);
    for (let at = 0; at < states.data.length; at += 1) vector[at % 384] += states.data[at];
    const length = Math.hypot(...vector);
    return vector.map((value) => value / length);
  };
}

function openOwn() {
  const encoder = new MiniLmEncoder();
  return (text) => encoder.embedStart(text);
}

const embed = kind === "own" ? openOwn() : await openOnnx();
const took = async (text) => {
  const before = process.cpuUsage();
  const started = performance.now();
  await embed(text);
  const { user, system } = process.cpuUsage(before);
  return { wall: performance.now() - started, processor: (user + system) / 1000 };
};
const vectors = [[...(await embed(QUERY))], [...(await embed(LONG))]];
if (process.argv.includes("--cold")) process.exit(0);
const megabytes = process.memoryUsage().rss / 1e6;
const runs = { query: [], text: [] };
for (let run = 0; run < 60; run += 1) runs.query.push(await took(QUERY));
for (let run = 0; run < 30; run += 1) runs.text.push(await took(LONG));
process.stdout.write(JSON.stringify({ megabytes, vectors, ...runs }));
