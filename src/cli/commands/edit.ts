/** `arcticmem edit`: changes what a memory says, by flags or in an editor. The old text stays in its history. */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Command } from "commander";
import { parse, stringify } from "yaml";
import { ArcticMemError, messageOf } from "../../core/errors.ts";
import { given } from "../../core/given.ts";
import { isObject } from "../../core/json/json-values.ts";
import type { NoteEdit } from "../../core/memory.ts";
import type { MemoryRecord } from "../../core/memory-record.ts";
import type { CliContext } from "../context.ts";
import { type JsonOption, tell, writeJson, writeLines } from "../output.ts";
import { repeated } from "../parse-options.ts";
import { isInteractive } from "../prompt.ts";
import { memoryJson, titleLine } from "../render-memory.ts";

interface EditOptions extends JsonOption {
  readonly title?: string;
  readonly content?: string;
  readonly why?: string;
  readonly how?: string;
  readonly when?: readonly string[];
  readonly whenNot?: string;
  readonly symbol?: readonly string[];
}

export function editCommand(context: CliContext): Command {
  return new Command("edit")
    .summary("change a memory; without options, in your editor")
    .argument("<handle>", "which memory")
    .option("--title <title>", "one line that states the claim")
    .option("--content <text>", "what it says")
    .option("--why <text>", "why it matters")
    .option("--how <text>", "how to apply it")
    .option("--when <situation>", "when it should come to mind (repeatable; replaces all)", repeated)
    .option("--when-not <text>", "where it would mislead; an empty text removes it")
    .option("--symbol <name>", "name, path or code that it is about (repeatable; replaces all)", repeated)
    .option("--json", "print one JSON object")
    .action(async (handle: string, options: EditOptions) => {
      await using memory = await context.openMemory();
      const current = (await memory.get(handle)).memory;
      const flags = editFromFlags(options);
      const edit = Object.keys(flags).length > 0 ? flags : await editInEditor(context, current);
      if (Object.keys(edit).length === 0) {
        tell(context, "Nothing was changed.");
        return;
      }
      const edited = await memory.keep.edit(current.id, edit);
      if (options.json === true) writeJson(context, memoryJson(edited));
      else writeLines(context, [titleLine(edited)]);
    });
}

function editFromFlags({ title, content, why, how, when, whenNot, symbol }: EditOptions): NoteEdit {
  return {
    ...given({ title, content, why, howToApply: how, whenToUse: when, symbols: symbol }),
    ...(whenNot === undefined ? {} : { whenNot: whenNot === "" ? null : whenNot }),
  };
}

type EditableText = Required<NoteEdit>;

/** Opens the fields as YAML. A text that can't be read back is kept, and its path told. */
async function editInEditor(context: CliContext, memory: MemoryRecord): Promise<NoteEdit> {
  const { VISUAL, EDITOR } = context.environment.variables;
  const editor = [VISUAL, EDITOR].find((value) => value !== undefined && value.trim() !== "");
  if (!isInteractive(context) || editor === undefined) {
    throw new ArcticMemError("USAGE", "Nothing to change was given.", {
      hint: "Give options such as --content, or set EDITOR and run it in a terminal.",
    });
  }
  const { title, content, why, howToApply, whenToUse, whenNot, symbols } = memory;
  const before: EditableText = { title, content, why, howToApply, whenToUse, whenNot, symbols };
  const folder = await mkdtemp(join(tmpdir(), "arcticmem-edit-"));
  const file = join(folder, "memory.yaml");
  await writeFile(file, stringify(before), { mode: 0o600 });
  const [command = editor, ...argv] = editor.trim().split(/\s+/);
  const code = await runEditor(context, command, [...argv, file]);
  if (code !== 0)
    throw new ArcticMemError("USAGE", `The editor ended with code ${code}.`, { hint: `Your text is in ${file}.` });
  const edit = changesBetween(before, readFields(await readFile(file, "utf8"), file));
  await rm(folder, { recursive: true, force: true });
  return edit;
}

async function runEditor(context: CliContext, command: string, argv: readonly string[]): Promise<number> {
  try {
    return await context.runInForeground(command, argv);
  } catch (cause) {
    await rm(dirname(argv.at(-1) ?? ""), { recursive: true, force: true });
    throw new ArcticMemError("USAGE", `The editor ${command} can't be started: ${messageOf(cause)}`, {
      hint: "Set VISUAL or EDITOR to a program that there is, or give options such as --content.",
      cause,
    });
  }
}

function readFields(text: string, file: string): Partial<Record<keyof EditableText, unknown>> {
  try {
    const fields: unknown = parse(text);
    if (isObject(fields)) return fields;
    throw new Error("not a list of fields");
  } catch (error) {
    throw new ArcticMemError("INPUT_INVALID", `The edited text is not valid: ${messageOf(error)}`, {
      hint: `Your text is in ${file}.`,
      cause: error,
    });
  }
}

function changesBetween(before: EditableText, after: Partial<Record<keyof EditableText, unknown>>): NoteEdit {
  const changes: Record<string, unknown> = {};
  for (const [name, old] of Object.entries(before)) {
    const value = after[name as keyof EditableText];
    if (value === undefined || JSON.stringify(value) === JSON.stringify(old)) continue;
    changes[name] = fieldValue(name, value, old);
  }
  return changes as NoteEdit;
}

function fieldValue(name: string, value: unknown, old: unknown): unknown {
  if (Array.isArray(old)) {
    if (Array.isArray(value) && value.every((item) => typeof item === "string")) return value;
    throw new ArcticMemError("INPUT_INVALID", `${name} must be a list of texts.`);
  }
  if (value === null && name === "whenNot") return null;
  if (typeof value === "string") return value.trim();
  throw new ArcticMemError("INPUT_INVALID", `${name} must be a text.`);
}
