/** Runs one order of a sequence: its sessions one after the other into one fresh store, then the question. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Embedder, type IngestReport, type LanguageModel, readTranscript } from "../../../src/internals.ts";
import { inFolder, openCase } from "./open-case.ts";
import type { Mode } from "./run-case.ts";
import { type Sequence, type SequenceValue, transcriptOf } from "./sequences.ts";
import { linesAtStart, type Serving, searchLive, servingOf } from "./served.ts";

export interface SequenceRun {
  readonly sequence: Sequence;
  /** Which session came when: `[2, 0, 1]` had the last one first. */
  readonly order: readonly number[];
  readonly mode: Mode;
  readonly repeat: number;
  readonly reports: readonly IngestReport[];
  /** How each value is served afterwards, in the order of the sessions' times. */
  readonly served: readonly Serving[];
}

export interface SequenceRequest {
  readonly sequence: Sequence;
  readonly order: readonly number[];
  readonly repeat: number;
  readonly embedder: Embedder | null;
  /** Absent: rules extract. */
  readonly model?: LanguageModel;
}

const DAY_MS = 86_400_000;

/** How an order is called: `sequence-port 3-1-2`. */
export function nameOfOrder({ name }: Sequence, order: readonly number[]): string {
  return `${name}-${order.map((at) => at + 1).join("")}`;
}

export function runSequence(request: SequenceRequest): Promise<SequenceRun> {
  return inFolder((folder) => runIn(folder, request));
}

async function runIn(folder: string, request: SequenceRequest): Promise<SequenceRun> {
  const { sequence, order, repeat, embedder, model = null } = request;
  const paths = stage(sequence, folder);
  const last = await readTranscript(undefined, paths.at(-1) ?? "");
  const now = new Date(last.endedAt.getTime() + DAY_MS);
  const name = `${nameOfOrder(sequence, order)}/${repeat}`;
  const opened = await openCase({ name, folder, profile: "coding", now, embedder, model });
  await using memory = opened.memory;
  const reports: IngestReport[] = [];
  for (const at of order) reports.push(await memory.ingest.session(paths[at] ?? ""));
  const hits = await searchLive(memory, sequence.ask);
  const lines = await linesAtStart(memory, now);
  const served = sequence.values.map((value) => {
    const says = (text: string): boolean => saysValue(sequence, value, text);
    return servingOf(
      hits.filter(({ title, content }) => says(`${title}\n${content}`)),
      lines.filter(says),
    );
  });
  return { sequence, order, mode: model === null ? "rules" : "model", repeat, reports, served };
}

function stage(sequence: Sequence, folder: string): string[] {
  const chats = join(folder, "transcripts", "chats");
  mkdirSync(chats, { recursive: true });
  writeFileSync(join(folder, "transcripts", ".project_root"), "/home/jonas/fw/porter");
  return sequence.values.map((value, at) => {
    const path = join(chats, `${sequence.name}-${at}.jsonl`);
    writeFileSync(path, transcriptOf(sequence, value, at));
    return path;
  });
}

/** A text that also holds a later value tells of a change, and says the later one. */
function saysValue({ values }: Sequence, value: SequenceValue, text: string): boolean {
  const folded = text.toLowerCase();
  const later = values.slice(values.indexOf(value) + 1);
  return folded.includes(value.value) && !later.some((one) => folded.includes(one.value));
}
