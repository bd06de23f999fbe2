/**
 * Where the replies of model mode come from: an endpoint, or a recording of one. Calls are recorded under a hash of what
 * was asked, with the delimiters' random part left out, so that a replay gives each question its own answer.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type LanguageModel, ModelError, type ModelReply, type ModelRequest, sha256 } from "../../src/internals.ts";

export interface ModelSource {
  readonly about: ModelAbout;
  /** The model for one run of one case; calls are counted for it alone. */
  open(run: CaseKey): LanguageModel;
  /** Replies that answered another wording of the question: the recording is older than the prompts. */
  stale(): number;
}

export interface CaseKey {
  readonly name: string;
  /** From 1. */
  readonly repeat: number;
}

export interface ModelAbout {
  readonly name: string;
  readonly contextTokens: number;
  /** The replies were made by a script that understands nothing: they measure plumbing, not quality. */
  readonly scripted: boolean;
  readonly recordedAt: string | null;
  readonly repeats: number;
}

interface RecordedCall {
  readonly repeat: number;
  readonly stage: string;
  readonly key: string;
  readonly reply: ModelReply;
}

const ABOUT = "recording.json";
const BOUNDARY = /evidence-[0-9a-hjkmnp-tv-z]{12}/g;

/** @param folder - Where every call is written to, one file a case; nowhere where it is absent. */
export function liveSource(model: LanguageModel, about: Omit<ModelAbout, "recordedAt">, folder?: string): ModelSource {
  const calls = new Map<string, RecordedCall[]>();
  const recordedAt = new Date().toISOString();
  const write = (name: string): void => {
    if (folder === undefined) return;
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, ABOUT), `${JSON.stringify({ ...about, recordedAt }, null, 2)}\n`);
    writeFileSync(
      join(folder, `${name}.jsonl`),
      (calls.get(name) ?? []).map((call) => `${JSON.stringify(call)}\n`).join(""),
    );
  };
  return {
    about: { ...about, recordedAt: null },
    stale: () => 0,
    open: ({ name, repeat }) => ({
      ...headOf(about),
      endpoint: model.endpoint,
      generate: async (request) => {
        const reply = await model.generate(request);
        const call = { repeat, stage: request.stage, key: keyOf(request), reply };
        calls.set(name, [...(calls.get(name) ?? []), call]);
        write(name);
        return reply;
      },
    }),
  };
}

/** @throws {Error} where the folder holds no recording. */
export function recordedSource(folder: string): ModelSource {
  const about = readAbout(folder);
  const files = new Set(readdirSync(folder));
  let stale = 0;
  return {
    about,
    stale: () => stale,
    open: ({ name, repeat }) => {
      const calls = files.has(`${name}.jsonl`) ? readCalls(join(folder, `${name}.jsonl`)) : [];
      const left = calls.filter((call) => call.repeat === repeat);
      return {
        ...headOf(about),
        endpoint: "recording",
        generate: async (request) => {
          const exact = left.findIndex(({ key }) => key === keyOf(request));
          const at = exact === -1 ? left.findIndex(({ stage }) => stage === request.stage) : exact;
          const [call] = at === -1 ? [] : left.splice(at, 1);
          if (call === undefined) throw missing(name, request);
          if (exact === -1) stale += 1;
          return call.reply;
        },
      };
    },
  };
}

function readAbout(folder: string): ModelAbout {
  try {
    return JSON.parse(readFileSync(join(folder, ABOUT), "utf8")) as ModelAbout;
  } catch (cause) {
    const message = `${folder} holds no recording: ${ABOUT} is missing or can't be read. Make one with --record.`;
    throw new Error(message, { cause });
  }
}

function headOf({
  name,
  contextTokens,
}: Omit<ModelAbout, "recordedAt">): Pick<LanguageModel, "name" | "contextTokens"> {
  return { name, contextTokens };
}

function missing(name: string, { stage }: ModelRequest): ModelError {
  return new ModelError(`${name}: the recording holds no (more) replies of stage ${stage}.`, {
    retryable: false,
    hint: "Record again with --record.",
  });
}

function readCalls(path: string): RecordedCall[] {
  return readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as RecordedCall);
}

function keyOf({ stage, system, prompt }: ModelRequest): string {
  return sha256(withoutTags(`${stage}\n${system}\n${prompt}`)).slice(0, 24);
}

/** A prompt without the part of its delimiters that is another in each call. */
export function withoutTags(prompt: string): string {
  return prompt.replace(BOUNDARY, "evidence");
}
