/**
 * `arcticmem init`: the one question that matters – whether session transcripts may leave this machine, and for which
 * model. Asked in a terminal, else answered by options; no network is touched either way.
 */
import { Command } from "commander";
import type { Config, ModelConfig } from "../../config/config.ts";
import { loadConfig } from "../../config/load-config.ts";
import { type Paths, resolvePaths } from "../../config/paths.ts";
import { saveConfig } from "../../config/save-config.ts";
import { validateConfig } from "../../config/validate-config.ts";
import { ArcticMemError } from "../../core/errors.ts";
import type { CliContext } from "../context.ts";
import { type JsonOption, tell, writeJson, writeLines } from "../output.ts";
import { oneOf } from "../parse-options.ts";
import { ask, isInteractive } from "../prompt.ts";
import { givenByUser } from "../report-error.ts";

const PROVIDERS = ["none", "anthropic", "openai-compatible"] as const;

interface InitOptions extends JsonOption {
  readonly yes?: boolean;
  readonly provider?: ModelConfig["provider"];
  readonly model?: string;
  readonly baseUrl?: string;
  readonly apiKeyEnv?: string;
}

type ModelChoice = Pick<ModelConfig, "provider" | "model" | "baseUrl" | "apiKeyEnv">;

const QUESTION = `Which model may read your session transcripts, to extract what is worth remembering?
  none               nothing leaves this machine; rules extract, and what they find stays provisional
  anthropic          the Anthropic API
  openai-compatible  any endpoint of that kind: OpenAI, Ollama, LM Studio, vLLM, …
`;

export function initCommand(context: CliContext): Command {
  return new Command("init")
    .summary("choose which model may read transcripts, or none")
    .option("--provider <name>", `one of ${PROVIDERS.join(", ")}`, (text) => oneOf(PROVIDERS, text))
    .option("--model <name>", "name of the model")
    .option("--base-url <url>", "address of the endpoint")
    .option("--api-key-env <name>", "environment variable that holds the key; the key itself is never stored")
    .option("-y, --yes", "don't ask: what is not given stays as it is, at first `none`")
    .option("--json", "print the choice as JSON")
    .action(async (options: InitOptions) => {
      const paths = resolvePaths({ platform: process.platform, variables: context.environment.variables });
      const choice = await chooseModel(context, { options, current: (await readConfig(paths)).model });
      const config = await saveConfig(paths, { model: choice }, givenByUser(validateConfig));
      if (options.json === true)
        writeJson(context, { configFile: paths.configFile, store: paths.store, model: choice });
      else writeLines(context, outcomeLines(paths, config));
    });
}

function readConfig(paths: Paths): Promise<Config> {
  return loadConfig(paths, validateConfig);
}

interface Choosing {
  readonly options: InitOptions;
  readonly current: ModelConfig;
}

async function chooseModel(context: CliContext, { options, current }: Choosing): Promise<ModelChoice> {
  const isAnswered = options.provider !== undefined || options.yes === true;
  if (!isAnswered && !isInteractive(context)) {
    throw new ArcticMemError("NOT_CONFIRMED", "Nobody can be asked which model may read transcripts.", {
      hint: "Give --provider none (nothing leaves this machine), or --provider with --model; or --yes to keep what is set.",
    });
  }
  const provider = options.provider ?? (isAnswered ? current.provider : await askProvider(context, current.provider));
  if (provider === "none") return { provider, model: null, baseUrl: null, apiKeyEnv: null };
  const kept = provider === current.provider ? current : undefined;
  const answer = async (
    given: string | undefined,
    question: string,
    fallback: string | null,
  ): Promise<string | null> => {
    if (given !== undefined) return given;
    return isAnswered ? fallback : (await ask(context, question, fallback ?? "")) || null;
  };
  return {
    provider,
    model: await answer(options.model, "Name of the model?", kept?.model ?? null),
    baseUrl: await answer(
      options.baseUrl,
      "Address of the endpoint (empty: the provider's own)?",
      kept?.baseUrl ?? null,
    ),
    apiKeyEnv: await answer(
      options.apiKeyEnv,
      "Environment variable with the key (empty: none needed)?",
      kept?.apiKeyEnv ?? null,
    ),
  };
}

async function askProvider(context: CliContext, current: ModelConfig["provider"]): Promise<ModelConfig["provider"]> {
  context.stderr.write(QUESTION);
  while (true) {
    const answer = await ask(context, "Provider?", current);
    const provider = PROVIDERS.find((name) => name === answer);
    if (provider !== undefined) return provider;
    tell(context, `Give one of: ${PROVIDERS.join(", ")}.`);
  }
}

function outcomeLines(paths: Paths, { model }: Config): string[] {
  const place = model.baseUrl ?? (model.provider === "anthropic" ? "the Anthropic API" : "its endpoint");
  return [
    `Settings: ${paths.configFile}`,
    `Memory:   ${paths.store}`,
    model.provider === "none"
      ? "Transcripts never leave this machine: rules extract, and what they find stays provisional."
      : `Transcripts, with secrets redacted, leave this machine only for ${model.model} at ${place}.`,
    "",
    "Next: `arcticmem install claude-code`, and `arcticmem index` in a project.",
  ];
}
