/**
 * What bench/encoder.ts measures inside a fresh process of plain Node over the built package. Plain
 * JavaScript, so that neither a loader nor its memory is in the figures.
 *
 *   node bench/encoder-probe.mjs cold | warm | memory | bulk <workers> | scan
 */
import { MiniLmEmbedder } from "../dist/models/minilm/minilm-embedder.js";

const QUERY = "how do we run the refund job after ledger close";
const LONG = "The quick brown fox jumps over the lazy dog near the river bank. ".repeat(10);
const NOTE =
  "The refund job of region seven must run after the ledger is closed, because the rows it needs are locked until then; start it by hand if the nightly export was late";

function timesOf(action, runs) {
  for (let run = 0; run < 10; run++) action();
  return Array.from({ length: runs }, () => {
    const start = performance.now();
    action();
    return performance.now() - start;
  });
}

function residentMegabytes() {
  return process.memoryUsage().rss / 1e6;
}

function notes(count) {
  return Array.from({ length: count }, (_, index) => `${index} ${NOTE}`);
}

const probes = {
  cold() {
    new MiniLmEmbedder().embedQuery(QUERY);
  },
  warm() {
    const embedder = new MiniLmEmbedder();
    const query = timesOf(() => embedder.embedQuery(QUERY), 100);
    return { query, text: timesOf(() => embedder.embedQuery(LONG), 40) };
  },
  async memory() {
    const embedder = new MiniLmEmbedder({ workers: 2 });
    embedder.embedQuery(QUERY);
    const first = residentMegabytes();
    for (const note of notes(200)) embedder.embedQuery(note);
    const many = residentMegabytes();
    await embedder.embed(notes(200));
    const workers = residentMegabytes();
    await embedder.close();
    return { first, many, workers };
  },
  async bulk(workers) {
    const embedder = new MiniLmEmbedder({ workers: Number(workers) });
    await embedder.embed(notes(64));
    const perSecond = [];
    for (let run = 0; run < 5; run++) {
      const start = performance.now();
      await embedder.embed(notes(160));
      perSecond.push(160_000 / (performance.now() - start));
    }
    await embedder.close();
    return { perSecond };
  },
  async scan() {
    const [{ VectorScanner }, { quantise }] = await Promise.all([
      import("../dist/kernel/vector-scanner.js"),
      import("../dist/kernel/quantise.js"),
    ]);
    const scanner = new VectorScanner(384);
    const codes = new Int8Array(10_000 * 384);
    const scales = new Float32Array(10_000);
    for (let index = 0; index < 10_000; index++) {
      const { code, scale } = quantise(Float32Array.from({ length: 384 }, () => Math.random() - 0.5));
      codes.set(code, index * 384);
      scales[index] = scale;
    }
    scanner.append(codes, scales);
    const query = Float32Array.from({ length: 384 }, () => Math.random() - 0.5);
    const plainPass = () => {
      const scores = new Float32Array(10_000);
      for (let index = 0; index < 10_000; index++) {
        let sum = 0;
        for (let at = 0; at < 384; at++) sum += query[at] * codes[index * 384 + at];
        scores[index] = sum * scales[index];
      }
      return [...scores.keys()].sort((a, b) => scores[b] - scores[a]).slice(0, 50);
    };
    return { scan: timesOf(() => scanner.scan({ query, limit: 50 }), 200), plain: timesOf(plainPass, 20) };
  },
};

const [name, ...parameters] = process.argv.slice(2);
const result = await probes[name](...parameters);
if (result !== undefined) process.stdout.write(JSON.stringify(result));
