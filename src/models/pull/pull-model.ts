/** A whole model from a hub or a mirror of one: the files that running it takes, and a note of what came. */
import { existsSync, mkdirSync, readFileSync, renameSync, statfsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ArcticMemError, ModelError } from "../../core/errors.ts";
import type { Variables } from "../http/proxy.ts";
import { REAL_RETRY_DEPS, type RetryDeps, type RetryPolicy } from "../retry.ts";
import { type KnownModel, knownModel } from "./catalogue.ts";
import { type Downloaded, downloadFile } from "./download-file.ts";

export interface PullRequest {
  /** Of the list, or `owner/repository` of any ONNX sentence model. */
  readonly name: string;
  /** Folder of all models. */
  readonly models: string;
  /** Address of the hub or of a mirror; default what the environment names. */
  readonly mirror?: string | undefined;
  readonly variables: Variables;
  readonly onProgress?: ((file: string, done: number, total: number) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface PullOptions {
  readonly retry?: RetryPolicy;
  readonly retryDeps?: RetryDeps;
  /** Default: what the system says of the folder's disk. */
  readonly freeBytes?: (folder: string) => number;
}

/** What lies in a pulled model's folder, written last: with it the model is whole. */
export interface PulledModel {
  readonly name: string;
  readonly repository: string;
  readonly folder: string;
  readonly bytes: number;
  /** Files that came without a checksum. */
  readonly unchecked: readonly string[];
  readonly files: Readonly<Record<string, Downloaded>>;
}

const NOTE = "arcticmem-model.json";
/** Cut connections are gone on with; a hub that is down for longer is not waited for. */
const RETRY: RetryPolicy = { attempts: 5, baseDelayMs: 500, maxDelayMs: 60_000 };
const NEEDED = ["config.json", "tokenizer.json"];
const HELPFUL = [
  "tokenizer_config.json",
  "sentence_bert_config.json",
  "config_sentence_transformers.json",
  "1_Pooling/config.json",
];
const WEIGHTS = ["onnx/model_quantized.onnx", "onnx/model.onnx", "model.onnx"];
const MEGABYTE = 1_000_000;

/**
 * Files that are there already are left alone; one that was cut off is gone on with.
 *
 * @throws {ArcticMemError} `INPUT_INVALID` for a name that is none and where nothing says from where, `STORE_FULL`,
 *   `PERMISSION_DENIED`.
 * @throws {ModelError} `MODEL_FAILED`: offline, no such model, wrong checksum.
 */
export async function pullModel(request: PullRequest, options: PullOptions = {}): Promise<PulledModel> {
  const model = modelNamed(request.name);
  const folder = join(request.models, model.name);
  const base = hubOf(request, model);
  checkSpace(request.models, model, options.freeBytes ?? freeBytesOf);
  const files: Record<string, Downloaded> = { ...readNote(folder)?.files };
  const fetchOne = async (file: string): Promise<boolean> => {
    if (files[file] !== undefined && existsSync(join(folder, file))) return true;
    const found = await fetchFile({ request, base, model, folder, options }, file);
    if (found !== undefined) files[file] = found;
    return found !== undefined;
  };
  for (const file of NEEDED) if (!(await fetchOne(file))) throw notThere(model, file);
  for (const file of HELPFUL) await fetchOne(file);
  const weights = model.weights === "" ? WEIGHTS : [model.weights];
  let found = false;
  for (const file of weights) found ||= await fetchOne(file);
  if (!found) throw notThere(model, weights.join(" nor "));
  return keepNote(model, folder, files);
}

/** What was pulled whole into `folder`, if anything. */
export function readNote(folder: string): PulledModel | undefined {
  const path = join(folder, NOTE);
  return existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as PulledModel) : undefined;
}

type Wanted = Pick<KnownModel, "name" | "repository" | "revision" | "weights" | "megabytes" | "sha256">;

function modelNamed(name: string): Wanted {
  const known = knownModel(name);
  if (known !== undefined) return known;
  const [, own] = /^\w[\w.-]*\/(\w[\w.-]*)$/.exec(name) ?? [];
  if (own !== undefined) {
    return { name: own, repository: name, revision: "main", weights: "", megabytes: 0, sha256: {} };
  }
  throw new ArcticMemError("INPUT_INVALID", `${name} is no model that is known.`, {
    hint: "`arcticmem model list` shows names; `owner/repository` pulls any ONNX sentence model of the hub.",
  });
}

/** No hub is built in: from whom a model comes is the user's choice. @returns Address, ending in a slash. */
function hubOf({ mirror, variables, models }: PullRequest, { name, repository, revision }: Wanted): string {
  const base = mirror ?? variables.ARCTICMEM_MODEL_MIRROR ?? variables.HF_ENDPOINT;
  if (base === undefined || base === "") {
    throw new ArcticMemError("INPUT_INVALID", "Nothing says which hub models are fetched from.", {
      hint:
        "Give the address of a model hub or of a mirror of one: --mirror https://…, or once and for all the variable " +
        `ARCTICMEM_MODEL_MIRROR. ${byHand(join(models, name))}`,
    });
  }
  const place = `${base.replace(/\/+$/, "")}/${repository}/resolve/${revision}/`;
  if (URL.canParse(place) && /^https?:/.test(place)) return place;
  throw new ArcticMemError("INPUT_INVALID", `${base} is no address of a hub.`, { hint: "It starts with https://." });
}

interface Fetching {
  readonly request: PullRequest;
  readonly base: string;
  readonly model: Wanted;
  readonly folder: string;
  readonly options: PullOptions;
}

async function fetchFile(
  { request, base, model, folder, options }: Fetching,
  file: string,
): Promise<Downloaded | undefined> {
  const { variables, signal, onProgress } = request;
  try {
    return await downloadFile({
      url: new URL(`${base}${file}`),
      path: join(folder, file),
      sha256: model.sha256[file],
      onProgress: (done, total) => onProgress?.(file, done, total),
      signal,
      variables,
      retry: options.retry ?? RETRY,
      retryDeps: options.retryDeps ?? REAL_RETRY_DEPS,
    });
  } catch (thrown) {
    throw thrown instanceof ModelError && thrown.hint === undefined ? offline(thrown, folder) : thrown;
  }
}

function offline(error: ModelError, folder: string): ModelError {
  return new ModelError(error.message, {
    retryable: error.retryable,
    cause: error.cause,
    hint:
      "Without a way to the hub: name a mirror (--mirror or ARCTICMEM_MODEL_MIRROR) or a proxy (HTTPS_PROXY). " +
      byHand(folder),
  });
}

function byHand(folder: string): string {
  return (
    `Or copy the model's files (config.json, tokenizer.json, onnx/…) from another machine to ${folder} and run ` +
    "`arcticmem model use` with that folder."
  );
}

function notThere({ repository, name }: Wanted, file: string): ModelError {
  return new ModelError(`The hub has no ${file} of ${repository} (404).`, {
    retryable: false,
    hint: `Check the name ${name}: it has to be a sentence model with an ONNX export.`,
  });
}

/** Before minutes of download rather than after. */
function checkSpace(models: string, { megabytes, name }: Wanted, freeBytes: (folder: string) => number): void {
  mkdirSync(models, { recursive: true, mode: 0o700 });
  if (freeBytes(models) > megabytes * MEGABYTE * 1.05) return;
  throw new ArcticMemError("STORE_FULL", `${name} takes ${megabytes} MB, and ${models} has no space for it.`, {
    hint: "Free some space, or set ARCTICMEM_HOME to a folder on another disk.",
  });
}

function freeBytesOf(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

function keepNote({ name, repository }: Wanted, folder: string, files: PulledModel["files"]): PulledModel {
  const all = Object.entries(files);
  const bytes = all.reduce((sum, [, file]) => sum + file.bytes, 0);
  const unchecked = all.filter(([, { checked }]) => !checked).map(([file]) => file);
  const pulled = { name, repository, folder, bytes, unchecked, files };
  const temporary = join(folder, `${NOTE}.${process.pid}`);
  writeFileSync(temporary, `${JSON.stringify(pulled, null, 2)}\n`);
  renameSync(temporary, join(folder, NOTE));
  return pulled;
}
