/** What the three evals of ingestion are asked for on the command line. */
import { join } from "node:path";
import { parseArgs } from "node:util";

/** Recordings that come with the repository. */
export const RECORDINGS = join(import.meta.dirname, "../recordings/scripted");

export interface EvalOptions {
  readonly endpoint:
    | { readonly baseUrl: string; readonly model: string; readonly keyVariable: string | undefined }
    | undefined;
  /** Starts the scripted model and asks that. */
  readonly scripted: boolean;
  readonly replay: string;
  readonly record: string | undefined;
  readonly repeats: number;
  readonly contextTokens: number;
  readonly cases: readonly string[] | undefined;
  readonly json: boolean;
  readonly rulesOnly: boolean;
  /** Per million tokens. */
  readonly price: { readonly input: number; readonly output: number } | undefined;
}

export const USAGE = `Options:
  --base-url URL --model NAME   ask this OpenAI-compatible endpoint
  --key-env VARIABLE            environment variable that holds its key
  --scripted                    ask a scripted model, which understands nothing
  --replay [FOLDER]             replay a recording (default: the one in evals/recordings)
  --record FOLDER               write a recording of what was asked and answered
  --n COUNT                     runs of each case (default 3; 1 with --scripted)
  --context-tokens COUNT        what the model reads at once (default 32000)
  --price INPUT,OUTPUT          money per million tokens
  --case NAME,…                 only these cases, sequences or orders of one (sequence-port-321)
  --rules-only                  no model mode
  --json                        print the report as JSON`;

/** Asked for instead of a run. */
export function wantsHelp(args: readonly string[]): boolean {
  return args.includes("--help") || args.includes("-h");
}

/** @throws {Error} on an option that is unknown, incomplete or no number. */
export function readOptions(args: readonly string[]): EvalOptions {
  const { values } = parseArgs({
    args: withReplayFolder(args),
    options: {
      "base-url": { type: "string" },
      model: { type: "string" },
      "key-env": { type: "string" },
      scripted: { type: "boolean", default: false },
      replay: { type: "string" },
      record: { type: "string" },
      n: { type: "string" },
      "context-tokens": { type: "string", default: "32000" },
      price: { type: "string" },
      case: { type: "string" },
      "rules-only": { type: "boolean", default: false },
      json: { type: "boolean", default: false },
    },
  });
  const { "base-url": baseUrl, model, scripted } = values;
  if ((baseUrl === undefined) !== (model === undefined))
    throw new Error(`--base-url and --model go together.\n${USAGE}`);
  return {
    endpoint:
      baseUrl === undefined || model === undefined ? undefined : { baseUrl, model, keyVariable: values["key-env"] },
    scripted,
    replay: values.replay ?? RECORDINGS,
    record: values.record,
    repeats: wholeNumber(values.n ?? (scripted ? "1" : "3"), "--n"),
    contextTokens: wholeNumber(values["context-tokens"], "--context-tokens"),
    cases: values.case?.split(",").map((name) => name.trim()),
    json: values.json,
    rulesOnly: values["rules-only"],
    price: values.price === undefined ? undefined : prices(values.price),
  };
}

/** `--replay` may stand alone. */
function withReplayFolder(args: readonly string[]): string[] {
  return args.flatMap((arg, at) => {
    const next = args[at + 1];
    return arg === "--replay" && (next === undefined || next.startsWith("--")) ? [arg, RECORDINGS] : [arg];
  });
}

function wholeNumber(text: string, option: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1) throw new Error(`${option} has to be a whole number above 0.`);
  return value;
}

function prices(text: string): { input: number; output: number } {
  const [input = Number.NaN, output = Number.NaN] = text.split(",").map(Number);
  if (Number.isNaN(input) || Number.isNaN(output)) throw new Error("--price takes two numbers, as in 3,15.");
  return { input, output };
}
