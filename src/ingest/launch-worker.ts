/**
 * Starts the worker from a hook: one detached process that does its work and ends. A worker that starts workers would
 * fill a machine within minutes, so three guards stand here that do not depend on each other: a variable in the worker's
 * environment, the lease of the worker that runs, and a cap on starts that is kept on disk. The fourth, the mark in our
 * own prompts, is seen by ingestion.
 */
import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isOn } from "../core/environment/is-on.ts";
import { isLeaseLive } from "./worker-lease.ts";

/** Switches everything off. */
const DISABLE_VARIABLE = "ARCTICMEM_DISABLE";
/** Set in the environment of every worker and of all that it starts. */
const WORKER_VARIABLE = "ARCTICMEM_WORKER";
export const LEASE_FILE = "worker.lease";
const STARTS_FILE = "worker-starts.json";

/** A worker ends when the spool is empty, so that a person working hard needs a dozen an hour; a loop needs hundreds. */
const MAX_STARTS_PER_HOUR = 60;
const HOUR_MS = 3_600_000;

export interface LaunchRequest {
  /** Arguments of this same Node: the script and what it is told. */
  readonly argv: readonly string[];
  /** Folder in which it works: that of the project. */
  readonly cwd?: string;
  /** Folder of lease and counter. */
  readonly stateDirectory: string;
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly now: Date;
}

export type LaunchResult =
  | { readonly launched: true; readonly pid: number | undefined }
  | { readonly launched: false; readonly reason: "disabled" | "inside-worker" | "running" | "cap" | "failed" };

/** Never throws, never waits for the child. */
export function launchWorker({ argv, cwd, stateDirectory, variables, now }: LaunchRequest): LaunchResult {
  const refusal = refusalOf(variables, stateDirectory, now);
  if (refusal !== undefined) return { launched: false, reason: refusal };
  try {
    if (!countStart(stateDirectory, now)) return { launched: false, reason: "cap" };
    const child = spawn(process.execPath, argv, {
      detached: true,
      stdio: "ignore",
      windowsHide: true,
      shell: false,
      ...(cwd === undefined ? {} : { cwd }),
      env: { ...variables, [WORKER_VARIABLE]: "1" },
    });
    child.on("error", () => undefined); // a child that could not be started says so later: nobody is left to tell
    child.unref();
    return { launched: true, pid: child.pid };
  } catch {
    return { launched: false, reason: "failed" }; // the note stays in the spool; the next hook tries again
  }
}

function refusalOf(
  variables: LaunchRequest["variables"],
  stateDirectory: string,
  now: Date,
): "disabled" | "inside-worker" | "running" | undefined {
  if (isOn(variables[DISABLE_VARIABLE])) return "disabled";
  if (isOn(variables[WORKER_VARIABLE])) return "inside-worker";
  return isLeaseLive(join(stateDirectory, LEASE_FILE), now) ? "running" : undefined;
}

/** Counts this start; false when the hour's starts are used up. A counter that can't be written allows no start. */
function countStart(stateDirectory: string, now: Date): boolean {
  mkdirSync(stateDirectory, { recursive: true, mode: 0o700 });
  const path = join(stateDirectory, STARTS_FILE);
  const recent = readStarts(path).filter((at) => at > now.getTime() - HOUR_MS && at <= now.getTime());
  if (recent.length >= MAX_STARTS_PER_HOUR) return false;
  writeFileSync(path, JSON.stringify([...recent, now.getTime()]), { mode: 0o600 });
  return true;
}

function readStarts(path: string): number[] {
  try {
    const starts: unknown = JSON.parse(readFileSync(path, "utf8"));
    return Array.isArray(starts) ? starts.filter((at) => typeof at === "number") : [];
  } catch {
    return []; // none yet, or a file that a kill cut off: counting begins anew
  }
}
