/**
 * The lease of the one worker: a small file that says who works and until when. Looking at it costs a hook a fraction of
 * a millisecond and opens no store; a worker that died frees it at once, a worker that hangs when its time is over.
 */
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { systemCodeOf } from "../core/errors.ts";
import { randomHex } from "../core/hash.ts";
import { parseObject } from "../core/json/json-values.ts";
import { hasCome, LONGEST_LEASE_MS } from "../core/report.ts";

export interface WorkerLease {
  /** @returns False when another worker has taken over: stop working. */
  renew(now: Date): boolean;
  release(): void;
}

export interface LeaseRequest {
  readonly path: string;
  readonly leaseMs: number;
  readonly now: Date;
}

interface LeaseNote {
  readonly pid: number;
  readonly owner: string;
  readonly until: number;
}

/** @returns The lease, or undefined while another worker lives. Of two that ask at once one gets it. */
export function takeLease({ path, leaseMs, now }: LeaseRequest): WorkerLease | undefined {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const owner = randomHex(9);
  if (!create(path, owner, now.getTime() + leaseMs)) {
    if (isLeaseLive(path, now)) return undefined;
    if (!discard(path) || !create(path, owner, now.getTime() + leaseMs)) return undefined;
  }
  return {
    renew(at) {
      if (readLease(path)?.owner !== owner) return false;
      const fresh = `${path}.${owner}`;
      writeFileSync(fresh, noteText(owner, at.getTime() + leaseMs), { mode: 0o600 });
      renameSync(fresh, path);
      return true;
    },
    release() {
      if (readLease(path)?.owner === owner) rmSync(path, { force: true });
    },
  };
}

/** Whether a worker holds the lease and is alive. */
export function isLeaseLive(path: string, now: Date): boolean {
  const note = readLease(path);
  return note !== undefined && !hasCome(new Date(note.until), now, LONGEST_LEASE_MS) && isAlive(note.pid);
}

function create(path: string, owner: string, until: number): boolean {
  try {
    writeFileSync(path, noteText(owner, until), { flag: "wx", mode: 0o600 });
    return true;
  } catch (error) {
    if (systemCodeOf(error) === "EEXIST") return false;
    throw error;
  }
}

/** Moves a dead lease out of the way; of two workers that try, only one's rename finds the file. */
function discard(path: string): boolean {
  const aside = `${path}.${randomHex(6)}.dead`;
  try {
    renameSync(path, aside);
    rmSync(aside, { force: true });
    return true;
  } catch (error) {
    if (systemCodeOf(error) === "ENOENT") return true;
    throw error;
  }
}

function noteText(owner: string, until: number): string {
  return JSON.stringify({ pid: process.pid, owner, until } satisfies LeaseNote);
}

function readLease(path: string): LeaseNote | undefined {
  try {
    const { pid, owner, until } = parseObject(readFileSync(path, "utf8")) ?? {};
    if (typeof pid !== "number" || typeof owner !== "string" || typeof until !== "number") return undefined;
    return { pid, owner, until };
  } catch {
    return undefined; // no lease, or one that was cut off while it was written: nobody holds it
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return systemCodeOf(error) === "EPERM"; // it lives, under another user
  }
}
