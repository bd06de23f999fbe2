/** `arcticmem add`: keeps what a person says, as trusted as it gets. */
import { Command } from "commander";
import { given } from "../../core/given.ts";
import type { FactType } from "../../core/memory-record.ts";
import { handleOf } from "../../core/memory-record.ts";
import type { CliContext } from "../context.ts";
import { type JsonOption, tell, writeJson, writeLines } from "../output.ts";
import { factType, repeated } from "../parse-options.ts";
import { readAll } from "../prompt.ts";
import { memoryJson, titleLine } from "../render-memory.ts";

interface AddOptions extends JsonOption {
  readonly type?: FactType;
  readonly title?: string;
  readonly why?: string;
  readonly how?: string;
  readonly when?: readonly string[];
  readonly symbol?: readonly string[];
  readonly user?: boolean;
}

export function addCommand(context: CliContext): Command {
  return new Command("add")
    .summary("keep a note of your own")
    .argument("<text...>", "what to keep; `-` reads it from standard input")
    .option("--type <type>", "lesson, context, preference or pointer (default: told from the text)", factType)
    .option("--title <title>", "one line that states the claim")
    .option("--why <text>", "why it matters")
    .option("--how <text>", "how to apply it")
    .option("--when <situation>", "when it should come to mind (repeatable)", repeated)
    .option("--symbol <name>", "name, path or code that it is about (repeatable)", repeated)
    .option("--user", "for all projects, not only this one")
    .option("--json", "print one JSON object, with `id`")
    .action(async (words: string[], options: AddOptions) => {
      const text = words.length === 1 && words[0] === "-" ? await readAll(context.stdin) : words.join(" ");
      const { type, title, why } = options;
      await using memory = await context.openMemory();
      const result = await memory.add({
        text,
        by: "person",
        scope: options.user === true ? "user" : "project",
        ...given({ type, title, why, howToApply: options.how, whenToUse: options.when, symbols: options.symbol }),
      });
      if (options.json === true) writeJson(context, { ...memoryJson(result.memory), added: result.added });
      else {
        writeLines(context, [titleLine(result.memory)]);
        tell(context, result.added ? "Kept." : `It was there already, as ${handleOf(result.memory)}.`);
      }
    });
}
