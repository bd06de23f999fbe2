/**
 * Ingestion without model time: a transcript read into normal form, redacted, judged, extracted by rule and filtered, in
 * a process of its own. Beside it bare Node; the 50 MB one shows that memory does not grow with the file.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Figure, toFigure } from "./figure.ts";
import { processMs } from "./measure.ts";
import { type SampleTranscriptOptions, writeSampleTranscript } from "./sample-transcript.ts";

const PROBE = fileURLToPath(new URL("./ingest-probe.mjs", import.meta.url));
const SEED = 3;

interface Case {
  readonly name: string;
  readonly bytes: number;
  readonly bulk: SampleTranscriptOptions["bulk"];
  readonly runs: number;
}

const CASES: readonly Case[] = [
  { name: "ingest-5mb", bytes: 5e6, bulk: "tools", runs: 5 },
  { name: "ingest-5mb-of-words", bytes: 5e6, bulk: "words", runs: 3 },
  { name: "ingest-50mb", bytes: 50e6, bulk: "tools", runs: 1 },
];

interface Probed {
  readonly milliseconds: number;
  /** Of the whole process, loading included. */
  readonly cpuMilliseconds: number;
  readonly peakMegabytes: number;
}

export async function ingestFigures(): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), "arcticmem-bench-"));
  try {
    return CASES.flatMap((one) => figuresOf(one, folder));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function figuresOf({ name, bytes, bulk, runs }: Case, folder: string): Figure[] {
  const transcript = join(folder, `${name}.jsonl`);
  writeSampleTranscript(transcript, { bytes, seed: SEED, bulk });
  const project = join(folder, "project");
  mkdirSync(project, { recursive: true });
  const baseline: number[] = [];
  const results: Probed[] = [];
  for (let run = 0; run < runs; run += 1) {
    baseline.push(processMs({ args: ["-e", "0"] }));
    results.push(probe(transcript, project, join(folder, "home")));
  }
  rmSync(transcript);
  return [
    toFigure({ name, unit: "ms", values: results.map(({ milliseconds }) => milliseconds), baseline }),
    toFigure({ name: `${name}-cpu`, unit: "ms", values: results.map(({ cpuMilliseconds }) => cpuMilliseconds) }),
    toFigure({ name: `${name}-peak`, unit: "MB", values: results.map(({ peakMegabytes }) => peakMegabytes) }),
  ];
}

function probe(transcript: string, project: string, home: string): Probed {
  const { status, stdout, stderr } = spawnSync(process.execPath, [PROBE, transcript, project, home], {
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`the probe failed: ${stderr}`);
  return JSON.parse(stdout) as Probed;
}
