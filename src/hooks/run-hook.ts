#!/usr/bin/env node
/**
 * Process entry of the hooks: `arcticmem-hook [host]`. Whatever happens, the host reads an answer or nothing and exit
 * code 0. Switched off, it ends before anything is loaded.
 */
/** As in `core/environment/is-on.ts`, which would have to be loaded. */
const OFF: readonly string[] = ["", "0", "false", "no", "off"];
/** As in `engines`; an older Node may stand first on the PATH of a graphical program. */
const LEAST_NODE = { major: 20, minor: 19 };
/** When a hook ends that hangs in spite of its own deadlines: well before any host loses patience. */
const HARD_STOP_MS = 2_000;

function isSwitchedOff(): boolean {
  return !OFF.includes(process.env.ARCTICMEM_DISABLE?.trim().toLowerCase() ?? "");
}

function isNodeTooOld(): boolean {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  return major < LEAST_NODE.major || (major === LEAST_NODE.major && minor < LEAST_NODE.minor);
}

if (isSwitchedOff() || isNodeTooOld()) process.exit(0);
const end = (): never => process.exit(0);
process.on("uncaughtException", end);
process.on("unhandledRejection", end);
process.stdout.on("error", end);
setTimeout(end, HARD_STOP_MS).unref();
const { answerHook } = await import("./answer-hook.ts");
const answer = await answerHook({ installedFor: process.argv[2], variables: process.env, input: process.stdin });
if (answer === "") end();
process.stdout.write(answer, end);
