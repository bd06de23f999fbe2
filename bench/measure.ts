/** Time and memory of whole processes, taken in turns with their baseline, so that a noisy machine hits both alike. */
import { spawnSync } from "node:child_process";

export interface ProcessRun {
  readonly args: readonly string[];
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
}

/** @returns Milliseconds of one whole process. @throws {Error} where it fails. */
export function processMs({ args, cwd, env, input }: ProcessRun): number {
  const started = performance.now();
  const { status, stderr } = spawnSync(process.execPath, args, {
    ...(cwd === undefined ? {} : { cwd }),
    ...(env === undefined ? {} : { env }),
    input: input ?? "",
    encoding: "utf8",
  });
  const elapsed = performance.now() - started;
  if (status !== 0) throw new Error(`${args.join(" ")} failed: ${stderr}`);
  return elapsed;
}

/** Runs both in turns. */
export function besideBareNode(
  run: ProcessRun,
  times: number,
): { readonly values: number[]; readonly baseline: number[] } {
  const values: number[] = [];
  const baseline: number[] = [];
  processMs(run);
  for (let time = 0; time < times; time += 1) {
    baseline.push(processMs({ args: ["-e", "0"] }));
    values.push(processMs(run));
  }
  return { values, baseline };
}

/** The value below which a share of all values lies. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
