/**
 * One file from a model hub: into a part file that a broken download goes on with, checked against the hub's checksum,
 * then renamed. What stands under the final name is always whole.
 */
import { createHash } from "node:crypto";
import { createReadStream, mkdirSync, renameSync, rmSync, statSync } from "node:fs";
import { open } from "node:fs/promises";
import type { IncomingHttpHeaders } from "node:http";
import { dirname } from "node:path";
import { ArcticMemError, ModelError, messageOf, systemCodeOf } from "../../core/errors.ts";
import { given } from "../../core/given.ts";
import type { Variables } from "../http/proxy.ts";
import { type HttpAnswer, sendRequest } from "../http/send-request.ts";
import { isRetryableStatus } from "../http/status.ts";
import { parseRetryAfter, type RetryDeps, type RetryPolicy, withRetries } from "../retry.ts";

export interface Download {
  readonly url: URL;
  readonly path: string;
  /** SHA-256 that is known beforehand. */
  readonly sha256?: string | undefined;
  /** Bytes so far, and in all where the hub tells. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly variables: Variables;
  readonly retry: RetryPolicy;
  readonly retryDeps: RetryDeps;
}

export interface Downloaded {
  readonly bytes: number;
  readonly sha256: string;
  /** Whether there was a checksum to hold it against. */
  readonly checked: boolean;
}

const IDLE_MS = 30_000;
const MAX_REDIRECTS = 5;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/**
 * @returns Undefined where the hub has no such file.
 * @throws {ModelError} `MODEL_FAILED`: unreachable, refused, broken off too often, another checksum.
 * @throws {ArcticMemError} `STORE_FULL` where the disk is full: what there is stays, to go on with.
 */
export async function downloadFile(download: Download): Promise<Downloaded | undefined> {
  const { path, retry, retryDeps, signal } = download;
  mkdirSync(dirname(path), { recursive: true });
  const expected = await withRetries(() => fetchRest(download), { policy: retry, deps: retryDeps, signal });
  if (expected === undefined) return undefined;
  const part = partOf(path);
  const checksum = download.sha256 ?? expected;
  const found = await hashesOf(part);
  if (checksum !== "" && checksum !== found.sha256 && checksum !== found.git) {
    rmSync(part, { force: true });
    throw new ModelError(
      `What ${download.url.host} sent as ${path} has another checksum than it should: it is deleted.`,
      {
        retryable: false,
        hint: "Run the command again; if it happens again, the mirror's copy is damaged: use another one.",
      },
    );
  }
  renameSync(part, path);
  return { bytes: found.bytes, sha256: found.sha256, checked: checksum !== "" };
}

const partOf = (path: string): string => `${path}.part`;

function bytesOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

/** One try for what is still missing. @returns The hub's checksum, empty where it tells none; undefined: no such file. */
async function fetchRest(download: Download): Promise<string | undefined> {
  const part = partOf(download.path);
  const have = bytesOf(part);
  const { answer, checksum } = await follow(download, have);
  const { status, headers, body } = answer;
  if (status === 416) {
    body.destroy();
    if (totalOf(headers, 0) === have) return checksum;
    rmSync(part, { force: true });
    throw new ModelError(`${download.url.host} has another file now.`, { retryable: true });
  }
  if (status !== 200 && status !== 206) {
    body.destroy();
    if (status === 404) return undefined;
    throw refused(download.url, status, headers);
  }
  const start = status === 206 ? have : 0;
  await save(download, answer, start);
  return checksum;
}

/** Follows redirects. The hub's own answer tells the checksum, the storage behind it often does not. */
async function follow(
  { url, signal, variables }: Download,
  have: number,
): Promise<{ readonly answer: HttpAnswer; readonly checksum: string }> {
  let checksum = "";
  let place = url;
  for (let hop = 0; ; hop += 1) {
    const headers = have > 0 ? { range: `bytes=${have}-` } : {};
    const answer = await sendRequest({ url: place, headers, idleMs: IDLE_MS, signal, variables });
    checksum ||= checksumOf(answer.headers);
    const { location } = answer.headers;
    if (!REDIRECTS.has(answer.status) || location === undefined) return { answer, checksum };
    answer.body.destroy();
    if (hop === MAX_REDIRECTS) throw new ModelError(`${url.host} redirects without end.`, { retryable: false });
    place = new URL(location, place);
  }
}

/** SHA-256 of large files, git's SHA-1 of small ones. Other servers' tags are no checksums. */
function checksumOf(headers: IncomingHttpHeaders): string {
  const tag = headers["x-linked-etag"] ?? headers.etag;
  const [, hex = ""] = /^"?([0-9a-f]{64}|[0-9a-f]{40})"?$/.exec(typeof tag === "string" ? tag : "") ?? [];
  return hex;
}

function totalOf(headers: IncomingHttpHeaders, start: number): number {
  const [, total] = /\/(\d+)$/.exec(headers["content-range"] ?? "") ?? [];
  if (total !== undefined) return Number(total);
  return headers["content-length"] === undefined ? 0 : start + Number(headers["content-length"]);
}

/** What came before a break is on the disk: the next try goes on behind it. */
async function save({ path, url, onProgress, signal }: Download, answer: HttpAnswer, start: number): Promise<void> {
  const total = totalOf(answer.headers, start);
  let done = start;
  try {
    await using file = await open(partOf(path), start > 0 ? "a" : "w");
    for await (const chunk of answer.body) {
      await file.writeFile(chunk as Buffer);
      done += (chunk as Buffer).length;
      onProgress?.(done, total);
    }
  } catch (thrown) {
    signal?.throwIfAborted();
    throw writeError(thrown, path) ?? brokenOff(url, messageOf(thrown));
  }
  if (total > 0 && done < total) throw brokenOff(url, `${done} of ${total} bytes came`);
}

function writeError(thrown: unknown, path: string): ArcticMemError | undefined {
  const code = systemCodeOf(thrown);
  if (code === "ENOSPC" || code === "EDQUOT") {
    return new ArcticMemError("STORE_FULL", `There is no space for ${path}.`, {
      hint: "Free some space and run the command again: it goes on where it stopped.",
      cause: thrown,
    });
  }
  if (!["EACCES", "EPERM", "EROFS"].includes(code)) return undefined;
  return new ArcticMemError("PERMISSION_DENIED", `${path} can't be written.`, { cause: thrown });
}

function brokenOff({ host }: URL, reason: string): ModelError {
  return new ModelError(`The download from ${host} broke off: ${reason}.`, {
    retryable: true,
    hint: "Run the command again: it goes on where it stopped.",
  });
}

function refused({ host, pathname }: URL, status: number, headers: IncomingHttpHeaders): ModelError {
  const retryAfterMs = parseRetryAfter(headers["retry-after"], new Date());
  return new ModelError(`${host} answered ${status} for ${pathname}.`, {
    retryable: isRetryableStatus(status),
    ...(status === 401 || status === 403 ? { hint: "The model, or the mirror, wants a login." } : {}),
    ...(status === 429 ? { hint: "The hub limits the rate: run the command again in some minutes." } : {}),
    ...given({ retryAfterMs }),
  });
}

async function hashesOf(path: string): Promise<{ bytes: number; sha256: string; git: string }> {
  const bytes = bytesOf(path);
  const sha256 = createHash("sha256");
  const git = createHash("sha1").update(`blob ${bytes}\0`);
  for await (const chunk of createReadStream(path)) {
    sha256.update(chunk as Buffer);
    git.update(chunk as Buffer);
  }
  return { bytes, sha256: sha256.digest("hex"), git: git.digest("hex") };
}
