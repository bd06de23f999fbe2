/** `arcticmem model`: which model turns texts into vectors. */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { Command } from "commander";
import { given } from "../../core/given.ts";
import type { EmbedderChoice, Memory, ModelListing } from "../../core/memory.ts";
import type { CliContext } from "../context.ts";
import {
  bytesText,
  columns,
  counted,
  type JsonOption,
  type Paint,
  paintFor,
  tell,
  writeJson,
  writeLines,
} from "../output.ts";
import { oneOf, positiveInteger } from "../parse-options.ts";
import { progressBar } from "../progress.ts";
import { embedderText } from "./status.ts";

export function modelCommand(context: CliContext): Command {
  return new Command("model")
    .summary("which model turns texts into vectors")
    .addCommand(statusCommand(context), { isDefault: true })
    .addCommand(listCommand(context))
    .addCommand(pullCommand(context))
    .addCommand(useCommand(context));
}

function statusCommand(context: CliContext): Command {
  return new Command("status")
    .summary("the model in use, and how far a move to it is")
    .option("--json", "print one JSON object")
    .action(async (options: JsonOption) => {
      await using memory = await context.openMemory();
      const { embedder, warnings } = await memory.status();
      if (options.json === true) writeJson(context, embedder);
      else writeLines(context, [embedderText({ embedder }, paintFor(context, context.stdout))]);
      for (const warning of warnings.filter((text) => text.startsWith("the embedding model"))) tell(context, warning);
    });
}

function listCommand(context: CliContext): Command {
  return new Command("list")
    .summary("models for this machine: what can be pulled, what was")
    .option("--json", "print one JSON object per line")
    .action(async (options: JsonOption) => {
      await using memory = await context.openMemory();
      const models = await memory.models.list();
      if (options.json === true) for (const model of models) writeJson(context, model);
      else writeLines(context, listLines(models, paintFor(context, context.stdout)));
    });
}

function listLines(models: readonly ModelListing[], paint: Paint): string[] {
  return columns([
    ["minilm", "built in", "384", "English, all-MiniLM-L6-v2, needs nothing else"],
    ...models.map(({ name, about, megabytes, dimensions, isPulled }) => [
      name,
      isPulled ? paint.green("pulled") : `${megabytes} MB`,
      dimensions.join(" or "),
      about,
    ]),
  ]);
}

interface PullCommandOptions extends JsonOption {
  readonly mirror?: string;
}

function pullCommand(context: CliContext): Command {
  return new Command("pull")
    .summary("fetch a model for this machine; goes on where it was cut off")
    .argument("<model>", "a name from `arcticmem model list`, or owner/repository of any ONNX sentence model")
    .option(
      "--mirror <url>",
      "address of the model hub or of a mirror of one; needed unless ARCTICMEM_MODEL_MIRROR names it",
    )
    .option("--json", "print one JSON object")
    .action(async (name: string, { json, mirror }: PullCommandOptions) => {
      await using memory = await context.openMemory();
      const bar = progressBar(context);
      const options = { onProgress: bar.update, signal: context.signal, ...given({ mirror }) };
      const pulled = await memory.models.pull(name, options).finally(bar.end);
      if (json === true) writeJson(context, pulled);
      else writeLines(context, [`${pulled.name}: ${bytesText(pulled.bytes)} in ${pulled.folder}`]);
      if (pulled.unchecked.length > 0) {
        tell(context, `The mirror told no checksum of ${pulled.unchecked.join(", ")}: taken as it came.`);
      }
      tell(context, `\`arcticmem model use ${pulled.name}\` moves to it.`);
    });
}

const REMOTE = ["openai-compatible", "voyage", "cohere", "gemini", "snowflake-cortex"] as const;

interface UseOptions extends JsonOption {
  readonly provider?: string;
  readonly baseUrl?: string;
  readonly keyEnv?: string;
  readonly keyFile?: string;
  readonly dimensions?: number;
  readonly queryPrefix?: string;
  readonly documentPrefix?: string;
  readonly later?: boolean;
}

function useCommand(context: CliContext): Command {
  return new Command("use")
    .summary("move to another model; the old one serves until all texts have new vectors")
    .argument("<model>", "minilm, none, a pulled model, a model's folder, or with --provider the model's name there")
    .option("--provider <kind>", `who is asked: ${REMOTE.join(", ")}`, (text) => oneOf(REMOTE, text))
    .option("--base-url <url>", "address of the endpoint, as in http://127.0.0.1:11434/v1")
    .option("--key-env <name>", "environment variable that holds the key")
    .option("--key-file <path>", "file that holds the key")
    .option("--dimensions <count>", "length of the vectors, where the model can give several", positiveInteger)
    .option("--query-prefix <text>", "put before what is searched for")
    .option("--document-prefix <text>", "put before what is indexed")
    .option("--later", "leave the new vectors to the next worker run")
    .option("--json", "print one JSON object")
    .action(async (name: string, options: UseOptions) => {
      await using memory = await context.openMemory();
      const used = await memory.models.use(choiceOf(context, name, options));
      if (used.endpoint !== null)
        tell(context, `What is indexed and searched for is sent to ${used.endpoint} from now on.`);
      const embedded = options.later === true ? 0 : await build(context, memory);
      if (options.json === true) writeJson(context, { ...used, embedded });
      else writeLines(context, [`${used.name}: ${counted(embedded, "text")} embedded`]);
    });
}

async function build(context: CliContext, memory: Memory): Promise<number> {
  const bar = progressBar(context);
  try {
    return await memory.models.build({ onProgress: bar.update, signal: context.signal }).finally(bar.end);
  } catch (thrown) {
    tell(context, "The old vectors serve on. `arcticmem work` goes on with the new ones where this stopped.");
    throw thrown;
  }
}

function choiceOf({ cwd }: CliContext, name: string, options: UseOptions): EmbedderChoice {
  const { provider, baseUrl, dimensions, queryPrefix, documentPrefix } = options;
  const apiKeyFile = options.keyFile === undefined ? undefined : resolve(cwd, options.keyFile);
  const common = { dimensions, queryPrefix, documentPrefix };
  if (provider !== undefined) {
    return { provider, ...given({ ...common, model: name, baseUrl, apiKeyEnv: options.keyEnv, apiKeyFile }) };
  }
  if (name === "minilm" || name === "none") return { provider: name };
  const isFolder = /^[.~/\\]|^[A-Za-z]:/.test(name) || existsSync(resolve(cwd, name, "config.json"));
  return { provider: "onnx", ...given({ ...common, ...(isFolder ? { path: resolve(cwd, name) } : { model: name }) }) };
}
