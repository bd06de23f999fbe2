/**
 * What is too long for CI, with one committed report: the properties on a hundred thousand cases, a hundred thousand
 * hostile queries, and a small real model over the golden sessions. Exits 1 where a property does not hold.
 *
 *   npm run long -- [--only lifecycle,parsers,redaction,queries,model] [--cases 100000] [--seed 1] [--minutes 15]
 *     [--processes 2]
 */
import { parseArgs } from "node:util";
import { readReport, toPart, writeReport } from "./long/report.ts";
import { runShares, SHARED_PARTS, type SharedPart } from "./long/run-shares.ts";
import type { Share } from "./long/share.ts";
import { stressBySmallModel } from "./long/small-model.ts";

const { values } = parseArgs({
  options: {
    only: { type: "string", default: [...SHARED_PARTS, "model"].join(",") },
    cases: { type: "string", default: "100000" },
    seed: { type: "string", default: "1" },
    minutes: { type: "string", default: "15" },
    processes: { type: "string", default: "2" },
  },
});

/** Redaction runs secretlint twice a case: a tenth of the cases takes as long as the others. */
const PARTS: Readonly<Record<SharedPart | "model", { readonly title: string; readonly share: number }>> = {
  lifecycle: { title: "Lifecycle: any bytes as a model's reply", share: 1 },
  parsers: { title: "Parsers: replies, decisions, commands, hook payloads, spans", share: 1 },
  redaction: { title: "Redaction: secrets amid any text", share: 0.1 },
  queries: { title: "Search: hostile queries", share: 1 },
  model: { title: "A small real model over the golden sessions", share: 0 },
};
const REPLIES_WANTED = 200;

const seed = Number(values.seed);
const seconds = Number(values.minutes) * 60;
let violations = 0;
for (const name of values.only.split(",")) {
  const part = PARTS[name as SharedPart | "model"];
  if (part === undefined) throw new Error(`there is no part ${name}; there are: ${Object.keys(PARTS).join(", ")}`);
  process.stderr.write(`${part.title} …\n`);
  const share = await run(name as SharedPart | "model", part.share);
  violations += share.violations.length;
  writeReport({ ...readReport(), [name]: toPart(part.title, seed, share) });
  process.stdout.write(`${name}: ${share.cases} cases, ${share.violations.length} violations\n`);
}
process.exitCode = violations === 0 ? 0 : 1;

function run(name: SharedPart | "model", share: number): Promise<Share> {
  if (name === "model") return stressBySmallModel({ seed, seconds, replies: REPLIES_WANTED });
  const cases = Math.ceil(Number(values.cases) * share);
  return runShares(name, { seed, cases, seconds }, Number(values.processes));
}
