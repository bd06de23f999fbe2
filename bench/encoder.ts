/**
 * Speed and memory of the embedded encoder and of the vector scan, over the built package. Cold start
 * is the time of whole processes, taken in turns with bare `node -e 0`: in-process timers hide what
 * loading costs.
 *
 *   npm run build && npx tsx bench/encoder.ts [--json]
 */
import { execFile, execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { type Figure, renderFigures, toFigure } from "./figure.ts";

const PROBE = fileURLToPath(new URL("./encoder-probe.mjs", import.meta.url));
const BUILT = fileURLToPath(new URL("../dist/models/minilm/minilm-embedder.js", import.meta.url));
const COLD_RUNS = 31;
const MEMORY_RUNS = 5;

type Values<Key extends string> = Readonly<Record<Key, readonly number[]>>;

/** Milliseconds of one whole process. */
function processMs(parameters: readonly string[]): number {
  const start = performance.now();
  execFileSync(process.execPath, parameters, { stdio: "ignore" });
  return performance.now() - start;
}

async function probe<Result>(...parameters: readonly string[]): Promise<Result> {
  const { stdout } = await promisify(execFile)(process.execPath, [PROBE, ...parameters]);
  return JSON.parse(stdout) as Result;
}

function coldFigure(): Figure {
  const values: number[] = [];
  const baseline: number[] = [];
  for (let run = 0; run < COLD_RUNS; run++) {
    baseline.push(processMs(["-e", "0"]));
    values.push(processMs([PROBE, "cold"]));
  }
  return toFigure({ name: "encoder-cold", unit: "ms", values, baseline });
}

function bareMegabytes(): number {
  const script = "process.stdout.write(String(process.memoryUsage().rss / 1e6))";
  return Number(execFileSync(process.execPath, ["-e", script], { encoding: "utf8" }));
}

async function memoryFigures(): Promise<Figure[]> {
  const results: Record<"first" | "many" | "workers", number>[] = [];
  const baseline: number[] = [];
  for (let run = 0; run < MEMORY_RUNS; run++) {
    baseline.push(bareMegabytes());
    results.push(await probe("memory"));
  }
  const figure = (name: string, key: "first" | "many" | "workers") =>
    toFigure({ name, unit: "MB", values: results.map((result) => result[key]), baseline });
  return [
    figure("encoder-memory-first-query", "first"),
    figure("encoder-memory-200-texts", "many"),
    figure("encoder-memory-two-workers", "workers"),
  ];
}

/** All figures of this file. @throws {Error} when the package has not been built. */
export async function encoderFigures(): Promise<Figure[]> {
  if (!existsSync(BUILT)) throw new Error(`${BUILT} is missing: run \`npm run build\` first`);
  const cold = coldFigure();
  const warm = await probe<Values<"query" | "text">>("warm");
  const one = await probe<Values<"perSecond">>("bulk", "1");
  const two = await probe<Values<"perSecond">>("bulk", "2");
  const scan = await probe<Values<"scan" | "plain">>("scan");
  return [
    cold,
    toFigure({ name: "encoder-query-13-tokens", unit: "ms", values: warm.query }),
    toFigure({ name: "encoder-text-142-tokens", unit: "ms", values: warm.text }),
    toFigure({ name: "encoder-texts-one-worker", unit: "1/s", values: one.perSecond }),
    toFigure({ name: "encoder-texts-two-workers", unit: "1/s", values: two.perSecond, baseline: one.perSecond }),
    ...(await memoryFigures()),
    toFigure({ name: "scan-10000", unit: "ms", values: scan.scan, baseline: scan.plain }),
  ];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.stdout.write(renderFigures(await encoderFigures(), process.argv.includes("--json")));
}
