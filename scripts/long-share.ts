/** One share of a part of `npm run long`, as a process: part, seed, cases and seconds in, JSON out. */
import { fuzzLifecycle } from "./long/fuzz-lifecycle.ts";
import { fuzzParsers } from "./long/fuzz-parsers.ts";
import { fuzzQueries } from "./long/fuzz-queries.ts";
import { fuzzRedaction } from "./long/fuzz-redaction.ts";
import type { SharedPart } from "./long/run-shares.ts";
import type { Share, ShareRequest } from "./long/share.ts";

const RUN: Readonly<Record<SharedPart, (request: ShareRequest) => Promise<Share>>> = {
  lifecycle: fuzzLifecycle,
  parsers: fuzzParsers,
  redaction: fuzzRedaction,
  queries: fuzzQueries,
};

const [part, seed, cases, seconds] = process.argv.slice(2);
const run = RUN[part as SharedPart];
const share = await run({ seed: Number(seed), cases: Number(cases), seconds: Number(seconds) });
process.stdout.write(JSON.stringify(share));
