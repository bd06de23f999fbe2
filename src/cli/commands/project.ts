/** `arcticmem project`: which project this is, and what to do when its identity changed. */
import { resolve } from "node:path";
import { Command } from "commander";
import type { ProjectId } from "../../core/ids.ts";
import type { Memory, ProjectView } from "../../core/memory.ts";
import type { CliContext } from "../context.ts";
import { findProject } from "../find-project.ts";
import { columns, counted, type JsonOption, tell, writeJson, writeLines } from "../output.ts";
import { confirmOrThrow } from "../prompt.ts";

export function projectCommand(context: CliContext): Command {
  return new Command("project")
    .summary("which project this is; list, merge and move projects")
    .addCommand(showCommand(context), { isDefault: true })
    .addCommand(listCommand(context))
    .addCommand(acceptCommand(context))
    .addCommand(mergeCommand(context))
    .addCommand(moveCommand(context));
}

function showCommand(context: CliContext): Command {
  return new Command("show")
    .summary("the project of this folder, and how it was recognised")
    .option("--json", "print one JSON object")
    .action(async (options: JsonOption) => {
      await using memory = await context.openMemory();
      writeProject(context, await memory.project.current(), options);
    });
}

function listCommand(context: CliContext): Command {
  return new Command("list")
    .summary("all projects that have memories or files")
    .option("--json", "print one JSON object per line")
    .action(async (options: JsonOption) => {
      await using memory = await context.openMemory();
      const projects = await memory.project.list();
      if (options.json === true) for (const project of projects) writeJson(context, project);
      else {
        const rows = projects.map(({ id, name, root, memories }) => [
          name,
          counted(memories, "memory", "memories"),
          id,
          root,
        ]);
        writeLines(context, columns(rows));
      }
    });
}

function acceptCommand(context: CliContext): Command {
  return new Command("accept")
    .summary("honour the identity that this checkout brings in .arcticmem/config.json")
    .option("-y, --yes", "don't ask")
    .option("--json", "print one JSON object")
    .action(async (options: JsonOption & { readonly yes?: boolean }) => {
      await using memory = await context.openMemory();
      const current = await memory.project.current();
      if (current.pendingOverride === null) {
        tell(context, "This checkout brings no identity that waits to be accepted.");
        writeProject(context, current, options);
        return;
      }
      const question = `Let this checkout be ${current.pendingOverride}, instead of ${current.id}?`;
      await confirmOrThrow(context, question, options);
      writeProject(context, await memory.project.acceptOverride(), options);
      await tellOfLeftBehind(context, memory, current.id);
    });
}

/** What was learned under the old identity stays there until the user says that it is the same project. */
async function tellOfLeftBehind(context: CliContext, memory: Memory, id: ProjectId): Promise<void> {
  const left = (await memory.project.list()).find((project) => project.id === id)?.memories ?? 0;
  if (left === 0) return;
  const [what, verb] = [counted(left, "memory", "memories"), left === 1 ? "is" : "are"];
  tell(context, `${what} ${verb} still filed under ${id}: \`arcticmem project merge ${id} .\` takes them along.`);
}

function mergeCommand(context: CliContext): Command {
  return new Command("merge")
    .summary("move all memories of one project into another")
    .argument("<from>", "id, name or folder of the project that goes")
    .argument("<into>", "id, name or folder of the project that stays; `.` is this one")
    .option("-y, --yes", "don't ask")
    .option("--json", "print one JSON object")
    .action(async (from: string, into: string, options: JsonOption & { readonly yes?: boolean }) => {
      await using memory = await context.openMemory();
      const source = await findProject(memory, from);
      const target = await findProject(memory, into);
      await confirmOrThrow(context, `Merge ${source.name} (${source.id}) into ${target.name} (${target.id})?`, options);
      const moved = await memory.project.merge(source.id, target.id);
      if (options.json === true) writeJson(context, moved);
      else {
        const { memories, files } = moved;
        writeLines(context, [`Moved ${counted(memories, "memory", "memories")} and ${counted(files, "file")}.`]);
      }
    });
}

function moveCommand(context: CliContext): Command {
  return new Command("move")
    .summary("tell that a project's folder has moved")
    .argument("<from>", "the folder as it was")
    .argument("<to>", "the folder as it is now")
    .option("--json", "print one JSON object")
    .action(async (from: string, to: string, options: JsonOption) => {
      await using memory = await context.openMemory();
      writeProject(context, await memory.project.move(resolve(context.cwd, from), resolve(context.cwd, to)), options);
    });
}

function writeProject(context: CliContext, project: ProjectView, options: JsonOption): void {
  if (options.json === true) {
    writeJson(context, project);
    return;
  }
  const rows = [
    ["name", project.name],
    ["id", project.id],
    ["root", project.root],
    ["remote", project.remote ?? "none"],
    ["recognised by", project.by],
  ];
  writeLines(context, columns(rows));
  if (project.pendingOverride !== null) {
    tell(context, `This checkout wants to be ${project.pendingOverride}: \`arcticmem project accept\` honours that.`);
  }
}
