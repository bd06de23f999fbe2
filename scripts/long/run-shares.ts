/** Runs the shares of one part in processes of their own, as many at once as there are to be. */
import { spawn } from "node:child_process";
import { join } from "node:path";
import pLimit from "p-limit";
import { addShares, type Share, type ShareRequest } from "./share.ts";

/** Parts that can be cut into shares. */
export const SHARED_PARTS = ["lifecycle", "parsers", "redaction", "queries"] as const;
export type SharedPart = (typeof SHARED_PARTS)[number];

const SCRIPT = join(import.meta.dirname, "../long-share.ts");

/** A process is left after so many cases: what a driver holds on to until it is collected stays small. */
const MOST_CASES = 4_000;

/**
 * @param request - Of the whole part; the time limit too.
 * @throws {Error} where a process ends without its result.
 */
export async function runShares(part: SharedPart, request: ShareRequest, processes: number): Promise<Share> {
  const count = Math.ceil(request.cases / MOST_CASES);
  const deadline = performance.now() + request.seconds * 1000;
  const startedAt = performance.now();
  const limit = pLimit(processes);
  const shares = Array.from({ length: count }, (_, at) =>
    limit(() => {
      const cases = Math.min(MOST_CASES, request.cases - at * MOST_CASES);
      const seconds = (deadline - performance.now()) / 1000;
      return runShare(part, { cases, seconds: Math.max(0, seconds), seed: request.seed * 1_000 + at });
    }),
  );
  const whole = addShares(await Promise.all(shares));
  return { ...whole, seconds: (performance.now() - startedAt) / 1000 };
}

function runShare(part: SharedPart, { seed, cases, seconds }: ShareRequest): Promise<Share> {
  const args = ["--import", "tsx", SCRIPT, part, String(seed), String(cases), String(seconds)];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  const chunks: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => void chunks.push(chunk));
  return new Promise((resolve, reject) => {
    child.once("close", (code, signal) => {
      const text = Buffer.concat(chunks).toString("utf8");
      if (code === 0) resolve(JSON.parse(text) as Share);
      else reject(new Error(`the share ${args.slice(3).join(" ")} ended with ${code ?? signal}`));
    });
  });
}
