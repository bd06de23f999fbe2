/** The small model's server as a child process. */
import { spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { SmallModelFiles } from "./small-model-files.ts";

export interface SmallModelOptions {
  readonly contextTokens: number;
  /** What the endpoint takes; what is left out makes the adapter step down. */
  readonly formats: readonly string[];
  readonly leastItems: number;
  readonly seed: number;
}

export interface SmallModelProcess extends Disposable {
  readonly baseUrl: string;
}

/** Longest time for one reply from its first word on; what is there then is cut off, as at an output limit. */
const REPLY_SECONDS = 90;

export async function startSmallModel(
  { llama, gguf }: SmallModelFiles,
  { contextTokens, formats, leastItems, seed }: SmallModelOptions,
): Promise<SmallModelProcess> {
  const script = join(import.meta.dirname, "../small-model-server.ts");
  const args = ["--llama", llama, "--model", gguf, "--context", String(contextTokens), "--formats", formats.join(",")];
  const limits = ["--seconds", String(REPLY_SECONDS), "--least-items", String(leastItems), "--seed", String(seed)];
  const child = spawn(process.execPath, ["--import", "tsx", script, ...args, ...limits], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const port = await new Promise<string>((resolve, reject) => {
    child.once("exit", (code) => reject(new Error(`the small model's server ended with ${code}`)));
    createInterface({ input: child.stdout }).on("line", (line) => {
      const found = /^listening (\d+)$/.exec(line)?.[1];
      if (found !== undefined) resolve(found);
    });
  });
  return { baseUrl: `http://127.0.0.1:${port}/v1`, [Symbol.dispose]: () => void child.kill() };
}
