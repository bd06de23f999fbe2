/** `arcticmem doctor`: checks everything that has to hold, and says what to do where it does not. */
import { Command } from "commander";
import { ArcticMemError, messageOf } from "../../core/errors.ts";
import { given } from "../../core/given.ts";
import type { Memory } from "../../core/memory.ts";
import { handleOf } from "../../core/memory-record.ts";
import type { StatusReport } from "../../core/report.ts";
import type { CliContext } from "../context.ts";
import { isLauncherThere } from "../launcher.ts";
import { columns, counted, type JsonOption, type Paint, paintFor, writeJson, writeLines } from "../output.ts";
import { installedHosts, launcherPlace } from "./host-installers.ts";

/** `warn`: works, but somebody should look. */
interface Check {
  readonly name: string;
  readonly state: "ok" | "warn" | "fail";
  readonly detail: string;
  readonly hint?: string;
}

export function doctorCommand(context: CliContext): Command {
  return new Command("doctor")
    .summary("check store, queue, hosts and memories")
    .option("--json", "print one JSON object per check")
    .action(async (options: JsonOption) => {
      await using memory = await context.openMemory();
      const report = await memory.status();
      const checks = [
        ...storeChecks(report),
        ...queueChecks(report),
        ...modelChecks(report),
        ...(await hostChecks(context)),
        ...(report.store.problem === null ? await contentChecks(memory) : []),
        ...report.fileConflicts.map((detail): Check => ({ name: "conflict", state: "warn", detail })),
        ...report.warnings.map((detail): Check => ({ name: "warning", state: "warn", detail })),
      ];
      if (options.json === true) for (const check of checks) writeJson(context, check);
      else writeLines(context, checkLines(checks, paintFor(context, context.stdout)));
      if (checks.some(({ state }) => state === "fail")) context.setExitCode(1);
    });
}

function storeChecks({ store, disabled, paused }: StatusReport): Check[] {
  const checks: Check[] = [];
  if (store.problem !== null) {
    checks.push({
      name: "store",
      state: "fail",
      detail: `not storing: ${store.problem}`,
      hint: `Look at ${store.path}.`,
    });
  } else if (!store.writable) {
    checks.push({ name: "store", state: "fail", detail: `not storing: ${store.path} is read-only` });
  } else checks.push({ name: "store", state: "ok", detail: store.path });
  if (disabled)
    checks.push({ name: "switch", state: "warn", detail: "hooks and learning are switched off by ARCTICMEM_DISABLE" });
  if (paused) {
    checks.push({ name: "switch", state: "warn", detail: "learning is paused", hint: "`arcticmem resume` goes on." });
  }
  return checks;
}

function queueChecks({ queue, deadLetters }: StatusReport): Check[] {
  const waiting = queue.spooled + queue.waiting;
  return [
    { name: "queue", state: "ok", detail: `${counted(waiting, "session")} waiting, ${queue.running} running` },
    ...deadLetters.map(
      ({ run, session, error }): Check => ({
        name: "given up",
        state: "fail",
        detail: `session ${session}: ${error}`,
        hint: `\`arcticmem runs retry ${run}\` tries again, \`arcticmem runs dismiss ${run}\` leaves it.`,
      }),
    ),
  ];
}

function modelChecks({ extractor, embedder, usage }: StatusReport): Check[] {
  const place =
    extractor.mode === "rules" ? "on this machine" : `at ${extractor.endpoint ?? "the provider's own address"}`;
  const spent = `${usage.callsToday} calls and ${usage.tokensToday} tokens today`;
  return [
    extractor.problem === undefined
      ? { name: "extractor", state: "ok", detail: `${extractor.name} ${place}; ${spent}` }
      : { name: "extractor", state: "fail", detail: `${extractor.name} can't learn: ${extractor.problem}` },
    embedder.missingVectors === 0
      ? { name: "embedder", state: "ok", detail: embedder.name }
      : {
          name: "embedder",
          state: "warn",
          detail: `${embedder.name}: ${counted(embedder.missingVectors, "text")} not embedded yet`,
          hint: "`arcticmem work` embeds them.",
        },
  ];
}

async function hostChecks(context: CliContext): Promise<Check[]> {
  const hosts = await installedHosts(context).catch((thrown: unknown) => asFailed("hosts", thrown));
  if ("state" in hosts) return [hosts];
  if (hosts.length === 0) {
    const hint = "`arcticmem install claude-code` sets it up.";
    return [{ name: "hosts", state: "warn", detail: "no agent host uses the memory", hint }];
  }
  if (isLauncherThere(launcherPlace(context))) return [{ name: "hosts", state: "ok", detail: hosts.join(", ") }];
  const hint = `\`arcticmem install ${hosts[0]}\` writes it again.`;
  return [{ name: "hosts", state: "fail", detail: `the launcher of ${hosts.join(", ")} is gone`, hint }];
}

/** What can't be looked at is a finding, and no reason to look at nothing else. */
function asFailed(name: string, thrown: unknown): Check {
  const hint = thrown instanceof ArcticMemError ? thrown.hint : undefined;
  return { name, state: "fail", detail: messageOf(thrown), ...given({ hint }) };
}

/** What a sweep over the memories finds: values that contradict each other, citations that fail. */
async function contentChecks(memory: Memory): Promise<Check[]> {
  const memories = await memory.list({});
  const marked = memories.filter(({ flags }) => flags.includes("conflicts") || flags.includes("stale_suspect"));
  const disputed = memories.filter(({ status }) => status === "disputed");
  const provisional = memories.filter(({ status }) => status === "provisional").length;
  const suspects = [...new Set([...marked, ...disputed])];
  return [
    { name: "memories", state: "ok", detail: `${memories.length} live here, ${provisional} of them unconfirmed` },
    ...suspects.map((suspect): Check => {
      const reasons = [...suspect.flags, ...(suspect.status === "disputed" ? ["disputed"] : [])].join(", ");
      const handle = handleOf(suspect);
      return {
        name: "suspect",
        state: "warn",
        detail: `${handle} ${suspect.title} (${reasons})`,
        hint: `\`arcticmem why ${handle}\``,
      };
    }),
  ];
}

function checkLines(checks: readonly Check[], paint: Paint): string[] {
  const marks = { ok: paint.green("ok"), warn: paint.yellow("look"), fail: paint.red("FAIL") };
  return columns(
    checks.map(({ name, state, detail, hint }) => [
      marks[state],
      name,
      hint === undefined ? detail : `${detail} ${paint.dim(hint)}`,
    ]),
  );
}
