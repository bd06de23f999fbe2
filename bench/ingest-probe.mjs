/**
 * What bench/ingest.ts measures inside a fresh process of plain Node over the built package: everything that ingestion
 * does with a transcript but asking a model, embedding and writing. Prints milliseconds and the process's peak in MB.
 *
 *   node bench/ingest-probe.mjs <transcript> <project folder> <home>
 */
import { openMemory } from "../dist/index.js";

const [transcript, cwd, home] = process.argv.slice(2);
const variables = { HOME: home, ARCTICMEM_HOME: `${home}/arcticmem` };
const memory = await openMemory({
  cwd,
  environment: { platform: process.platform, variables },
  languageModel: null,
  embedder: null,
});
await memory.status();
const startedAt = performance.now();
const stages = [];
const report = await memory.ingest.session(transcript, {
  dryRun: true,
  onStage: (stage) => stages.push([stage, Math.round(performance.now() - startedAt)]),
});
const milliseconds = performance.now() - startedAt;
if (process.argv.includes("--stages")) process.stderr.write(`${JSON.stringify(stages)} ${report.result.kind}\n`);
const peakMegabytes = (process.resourceUsage().maxRSS * 1024) / 1e6;
const { userCPUTime, systemCPUTime } = process.resourceUsage();
const cpuMilliseconds = (userCPUTime + systemCPUTime) / 1000;
process.stdout.write(JSON.stringify({ milliseconds, cpuMilliseconds, peakMegabytes, result: report.result.kind }));
await memory[Symbol.asyncDispose]();
