/** A worker thread: texts in, vectors out, with a model of its own. Started by encoder-pool.ts. */
import { parentPort, workerData } from "node:worker_threads";
import { ArcticMemError, type ErrorCode, messageOf } from "../../core/errors.ts";
import type { EmbedKind } from "../embedder.ts";
import { MiniLmEncoder } from "./minilm-encoder.ts";
import { verifyModelFile } from "./verify-model-file.ts";

export interface WorkerRequest {
  readonly texts: readonly string[];
  readonly kind: EmbedKind;
}

/** What the thread is started with. */
export interface WorkerSetup {
  readonly modelPath: string;
}

/** Errors cross threads as plain data: their class would be lost. */
export type WorkerReply =
  | { readonly ok: true; readonly vectors: readonly Float32Array<ArrayBuffer>[] }
  | { readonly ok: false; readonly code: ErrorCode; readonly message: string; readonly hint: string | undefined };

let encoder: MiniLmEncoder | undefined;

/** Vectors made here are kept, so the model file is checked to the last bit first. */
function openEncoder(): MiniLmEncoder {
  const { modelPath } = workerData as WorkerSetup;
  const opened = new MiniLmEncoder(modelPath);
  verifyModelFile(opened.file);
  return opened;
}

function answer({ texts, kind }: WorkerRequest): WorkerReply {
  try {
    encoder ??= openEncoder();
    const current = encoder;
    return { ok: true, vectors: texts.map((text) => current.embed(text, kind)) };
  } catch (error) {
    const known = error instanceof ArcticMemError ? error : undefined;
    return { ok: false, code: known?.code ?? "MODEL_FAILED", message: messageOf(error), hint: known?.hint };
  }
}

parentPort?.on("message", (request: WorkerRequest) => {
  const reply = answer(request);
  parentPort?.postMessage(reply, reply.ok ? reply.vectors.map((vector) => vector.buffer) : []);
});
