/** Runs the shares of one part in processes of their own, as many at once as there are to be. */
import { spawn } from "node:child_process";
import { join } from "node:path";
import { addShares, type Share, type ShareRequest } from "./share.ts";

/** Parts that can be cut into shares. */
export const SHARED_PARTS = ["lifecycle", "parsers", "redaction", "queries"] as const;
export type SharedPart = (typeof SHARED_PARTS)[number];

const SCRIPT = join(import.meta.dirname, "../long-share.ts");

/** @throws {Error} where a process ends without its result. */
export async function runShares(part: SharedPart, request: ShareRequest, processes: number): Promise<Share> {
  const cases = Math.ceil(request.cases / processes);
  const shares = Array.from({ length: processes }, (_, at) =>
    runShare(part, { ...request, cases, seed: request.seed * 1_000 + at }),
  );
  return addShares(await Promise.all(shares));
}

function runShare(part: SharedPart, { seed, cases, seconds }: ShareRequest): Promise<Share> {
  const args = ["--import", "tsx", SCRIPT, part, String(seed), String(cases), String(seconds)];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  const chunks: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => void chunks.push(chunk));
  return new Promise((resolve, reject) => {
    child.once("close", (code) => {
      const text = Buffer.concat(chunks).toString("utf8");
      if (code === 0) resolve(JSON.parse(text) as Share);
      else reject(new Error(`the share ${args.slice(3).join(" ")} ended with ${code}`));
    });
  });
}
