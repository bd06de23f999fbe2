/**
 * The embedded encoder beside onnxruntime-node, on the same texts, the same token ids and the same weights: ours as they
 * are, int8; in the ONNX file turned into float32 by `scripts/export-minilm-onnx.py`. One thread each.
 *
 *   python3 -m venv /tmp/onnx && /tmp/onnx/bin/pip install onnx numpy
 *   /tmp/onnx/bin/python scripts/export-minilm-onnx.py /tmp/minilm.onnx
 *   npm run test:onnx   # installs onnxruntime-node in a folder of its own
 *   npm run build && npx tsx bench/encoder-onnx.ts /tmp/minilm.onnx [--json]
 */
import { execFileSync } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Figure, renderFigures, toFigure } from "./figure.ts";
import { processMs } from "./measure.ts";

const PROBE = fileURLToPath(new URL("./encoder-onnx-probe.mjs", import.meta.url));
const PEERS = join(tmpdir(), "arcticmem-onnx");
const ROUNDS = 5;

interface Took {
  readonly wall: number;
  readonly processor: number;
}

interface Probed {
  readonly megabytes: number;
  readonly vectors: readonly (readonly number[])[];
  readonly query: readonly Took[];
  readonly text: readonly Took[];
}

/** @param model - The exported file. */
export function encoderBesideOnnx(model: string): Figure[] {
  const own: Probed[] = [];
  const onnx: Probed[] = [];
  const cold = { own: [] as number[], onnx: [] as number[] };
  for (let round = 0; round < ROUNDS; round += 1) {
    own.push(probe("own"));
    onnx.push(probe("onnx", model, PEERS));
    cold.own.push(processMs({ args: [PROBE, "own", "--cold"] }));
    cold.onnx.push(processMs({ args: [PROBE, "onnx", model, PEERS, "--cold"] }));
  }
  const beside = (name: string, unit: "ms" | "MB", values: (probed: Probed) => readonly number[]): Figure =>
    toFigure({ name: `onnx-${name}`, unit, values: own.flatMap(values), baseline: onnx.flatMap(values) });
  return [
    toFigure({ name: "onnx-cold-process", unit: "ms", values: cold.own, baseline: cold.onnx }),
    beside("query-13-tokens", "ms", ({ query }) => query.map(({ wall }) => wall)),
    beside("query-13-tokens-processor", "ms", ({ query }) => query.map(({ processor }) => processor)),
    beside("text-142-tokens", "ms", ({ text }) => text.map(({ wall }) => wall)),
    beside("text-142-tokens-processor", "ms", ({ text }) => text.map(({ processor }) => processor)),
    beside("resident", "MB", ({ megabytes }) => [megabytes]),
    toFigure({ name: "onnx-cosine", unit: "share", values: cosines(own[0], onnx[0]) }),
  ];
}

function probe(...parameters: readonly string[]): Probed {
  return JSON.parse(execFileSync(process.execPath, [PROBE, ...parameters], { encoding: "utf8" })) as Probed;
}

function cosines(own: Probed | undefined, onnx: Probed | undefined): number[] {
  const pairs = (own?.vectors ?? []).map((vector, at) => [vector, onnx?.vectors[at] ?? []] as const);
  return pairs.map(([a, b]) => a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0));
}

const [model] = process.argv.slice(2);
if (process.argv[1] === fileURLToPath(import.meta.url) && model !== undefined) {
  process.stdout.write(renderFigures(encoderBesideOnnx(model), process.argv.includes("--json")));
}
