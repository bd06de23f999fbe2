/** `arcticmem forget`: erases memories for good, by handle or by where they came from. */
import { Command } from "commander";
import { ArcticMemError } from "../../core/errors.ts";
import { given } from "../../core/given.ts";
import { projectId } from "../../core/ids.ts";
import type { EraseSelection, Memory } from "../../core/memory.ts";
import { handleOf } from "../../core/memory-record.ts";
import { changeEach } from "../change-each.ts";
import type { CliContext } from "../context.ts";
import { findProject } from "../find-project.ts";
import { counted, type JsonOption, paintFor, tell, writeJson, writeLines } from "../output.ts";
import { moment, named } from "../parse-options.ts";
import { confirmOrThrow } from "../prompt.ts";
import { memoryLines } from "../render-memory.ts";

interface ForgetOptions extends JsonOption {
  readonly session?: string;
  readonly project?: string;
  readonly since?: Date;
  readonly reversible?: boolean;
  readonly reason?: string;
  readonly yes?: boolean;
}

/** Longer lists are summed up before the question. */
const SHOWN_BEFORE_ASKING = 20;

export function forgetCommand(context: CliContext): Command {
  return new Command("forget")
    .summary("erase memories for good, or reversibly")
    .argument("[handles...]", "which memories")
    .option("--session <id>", "all that came from this session alone", named)
    .option("--project <project>", "all of this project: its id, its name or its folder", named)
    .option("--since <moment>", "all that were made since then (2026-03-01, 36h, 7d)", moment(context.now))
    .option("--reversible", "only hide them: `arcticmem restore` brings them back")
    .option("--reason <text>", "with --reversible: why")
    .option("-y, --yes", "don't ask")
    .option("--json", "print what was done as JSON")
    .action(async (handles: string[], options: ForgetOptions) => {
      if (options.reversible === true) return forgetReversibly(context, handles, options);
      await using memory = await context.openMemory();
      await erase(context, { memory, selection: await selectionOf(memory, handles, options), options });
    });
}

async function forgetReversibly(
  context: CliContext,
  handles: readonly string[],
  options: ForgetOptions,
): Promise<void> {
  const others = options.session ?? options.project ?? options.since;
  if (handles.length === 0 || others !== undefined) {
    throw new ArcticMemError("USAGE", "--reversible takes handles, and nothing else selects with it.");
  }
  const reason = given({ reason: options.reason });
  await changeEach(context, {
    handles,
    options,
    change: (memory, handle) => memory.keep.forget(handle, { by: "person", ...reason }),
  });
}

async function selectionOf(
  memory: Memory,
  handles: readonly string[],
  options: ForgetOptions,
): Promise<EraseSelection> {
  const selections: EraseSelection[] = [];
  if (handles.length > 0) selections.push({ handles });
  if (options.session !== undefined) selections.push({ session: options.session });
  if (options.project !== undefined) {
    selections.push({ project: projectId((await findProject(memory, options.project)).id) });
  }
  if (options.since !== undefined) selections.push({ since: options.since });
  const [selection, ...more] = selections;
  if (selection === undefined || more.length > 0) {
    throw new ArcticMemError("USAGE", "Give handles, or exactly one of --session, --project, --since.");
  }
  return selection;
}

interface Erasure {
  readonly memory: Memory;
  readonly selection: EraseSelection;
  readonly options: ForgetOptions;
}

async function erase(context: CliContext, { memory, selection, options }: Erasure): Promise<void> {
  const memories = await memory.keep.preview(selection);
  if (memories.length === 0) {
    tell(context, "No memory is selected: nothing was erased.");
    if (options.json === true) writeJson(context, { erased: 0, handles: [] });
    return;
  }
  const paint = paintFor(context, context.stderr);
  for (const line of memoryLines(memories.slice(0, SHOWN_BEFORE_ASKING), { paint, now: context.now() })) {
    tell(context, line);
  }
  if (memories.length > SHOWN_BEFORE_ASKING) tell(context, `… and ${memories.length - SHOWN_BEFORE_ASKING} more`);
  const what = counted(memories.length, "memory", "memories");
  await confirmOrThrow(context, `Erase ${what} for good, with history and evidence?`, options);
  const erased = await memory.keep.erase(selection);
  if (options.json === true) writeJson(context, { erased, handles: memories.map(handleOf) });
  else writeLines(context, [`Erased ${counted(erased, "memory", "memories")}.`]);
}
