/**
 * Worker threads for bulk work. Each has its own copy of the model; threads start when there is work
 * for them and end when there has been none for a while, and an idle one keeps no process alive.
 *
 * From source (.ts) the threads load tsx, because Node 20 runs no TypeScript and threads inherit no
 * loader; from the built package they are plain JavaScript.
 */
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import type { Worker } from "node:worker_threads";
import { ArcticMemError, ModelError, messageOf } from "../../core/errors.ts";
import { given } from "../../core/given.ts";
import type { WorkerReply, WorkerRequest, WorkerSetup } from "./worker.ts";

/** Texts of one message: few, so that the threads finish together and an abort is prompt. */
const TEXTS_PER_JOB = 8;
/** A thread without work ends after this time and frees its 25 MB. */
const IDLE_MS = 10_000;

interface Job extends WorkerRequest {
  readonly resolve: (vectors: readonly Float32Array[]) => void;
  readonly reject: (error: unknown) => void;
}

interface Thread {
  readonly worker: Worker;
  job: Job | undefined;
  idleTimer: NodeJS.Timeout | undefined;
}

/** The threads module takes over a millisecond to load, so processes that only ask never do. */
function startWorker(setup: WorkerSetup): Worker {
  const { Worker } = process.getBuiltinModule("node:worker_threads");
  const fromSource = import.meta.url.endsWith(".ts");
  const entry = new URL(fromSource ? "./worker.ts" : "./worker.js", import.meta.url);
  if (!fromSource) return new Worker(entry, { workerData: setup });
  const tsx = pathToFileURL(createRequire(import.meta.url).resolve("tsx/package.json"));
  const loader = new URL("./dist/esm/api/index.mjs", tsx).href;
  const register = `data:text/javascript,import { register } from ${JSON.stringify(loader)}; register();`;
  return new Worker(entry, { workerData: setup, execArgv: ["--import", register] });
}

function failure(reply: Extract<WorkerReply, { ok: false }>): ArcticMemError {
  const details = given({ hint: reply.hint });
  if (reply.code === "MODEL_FAILED") return new ModelError(reply.message, { ...details, retryable: false });
  return new ArcticMemError(reply.code, reply.message, details);
}

export class EncoderPool {
  readonly #size: number;
  readonly #setup: WorkerSetup;
  readonly #threads = new Set<Thread>();
  readonly #waiting: Job[] = [];
  #closed = false;

  /** @param size - Most threads at a time. */
  constructor(size: number, setup: WorkerSetup) {
    this.#size = size;
    this.#setup = setup;
  }

  /**
   * @returns One vector per text, in order.
   * @throws {ArcticMemError} MODEL_FILE_BROKEN, or MODEL_FAILED when a thread dies or the pool is closed.
   */
  async embed({ texts, kind }: WorkerRequest, signal?: AbortSignal): Promise<Float32Array[]> {
    signal?.throwIfAborted();
    const jobs: Job[] = [];
    const parts: Promise<readonly Float32Array[]>[] = [];
    for (let start = 0; start < texts.length; start += TEXTS_PER_JOB) {
      const request = { texts: texts.slice(start, start + TEXTS_PER_JOB), kind };
      parts.push(new Promise((resolve, reject) => jobs.push({ ...request, resolve, reject })));
    }
    for (const job of jobs) this.#queue(job);
    const giveUp = (reason: unknown) => {
      for (const job of jobs) this.#drop(job, reason);
    };
    const onAbort = () => giveUp(signal?.reason);
    signal?.addEventListener("abort", onAbort, { once: true });
    try {
      return (await Promise.all(parts)).flat();
    } catch (error) {
      giveUp(error);
      throw error;
    } finally {
      signal?.removeEventListener("abort", onAbort);
    }
  }

  /** Ends all threads; work that is not done is rejected. */
  async close(): Promise<void> {
    this.#closed = true;
    const closed = new ModelError("the embedder was closed", { retryable: false });
    for (const job of this.#waiting.splice(0)) job.reject(closed);
    await Promise.all([...this.#threads].map((thread) => this.#end(thread, closed)));
  }

  #queue(job: Job): void {
    if (this.#closed) job.reject(new ModelError("the embedder is closed", { retryable: false }));
    else {
      this.#waiting.push(job);
      this.#assign();
    }
  }

  /** Takes back a job nobody waits for; one that runs is finished and forgotten. */
  #drop(job: Job, reason: unknown): void {
    const index = this.#waiting.indexOf(job);
    if (index >= 0) this.#waiting.splice(index, 1);
    job.reject(reason);
  }

  #assign(): void {
    while (this.#waiting.length > 0) {
      const thread = this.#idleThread();
      if (thread === undefined) return;
      const job = this.#waiting.shift();
      if (job === undefined) return;
      clearTimeout(thread.idleTimer);
      thread.job = job;
      thread.worker.ref();
      thread.worker.postMessage({ texts: job.texts, kind: job.kind } satisfies WorkerRequest);
    }
  }

  #idleThread(): Thread | undefined {
    for (const thread of this.#threads) if (thread.job === undefined) return thread;
    return this.#threads.size < this.#size ? this.#start() : undefined;
  }

  #start(): Thread {
    const thread: Thread = { worker: startWorker(this.#setup), job: undefined, idleTimer: undefined };
    this.#threads.add(thread);
    thread.worker.on("message", (reply: WorkerReply) => this.#finish(thread, reply));
    thread.worker.on("error", (error) => this.#lose(thread, messageOf(error)));
    thread.worker.on("exit", (code) => this.#lose(thread, `it ended with code ${code}`));
    return thread;
  }

  #finish(thread: Thread, reply: WorkerReply): void {
    const { job } = thread;
    thread.job = undefined;
    if (reply.ok) job?.resolve(reply.vectors);
    else job?.reject(failure(reply));
    this.#assign();
    if (thread.job !== undefined) return;
    thread.worker.unref();
    const idle = new ModelError("the thread was idle", { retryable: false });
    thread.idleTimer = setTimeout(() => void this.#end(thread, idle), IDLE_MS).unref();
  }

  #lose(thread: Thread, reason: string): void {
    if (!this.#threads.delete(thread)) return;
    clearTimeout(thread.idleTimer);
    thread.job?.reject(new ModelError(`an embedding thread failed: ${reason}`, { retryable: false }));
    this.#assign();
  }

  async #end(thread: Thread, reason: ModelError): Promise<void> {
    this.#threads.delete(thread);
    clearTimeout(thread.idleTimer);
    thread.job?.reject(reason);
    await thread.worker.terminate();
  }
}
