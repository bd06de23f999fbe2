/**
 * The two packages that a local ONNX model needs, loaded when one is used: most people never do, and the runtime weighs
 * 290 MB. They are looked for beside this package, then in a folder of the user's, so that an installation by a plugin or
 * by `npx` can have them too.
 */
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { ArcticMemError, messageOf } from "../../../core/errors.ts";

/** What we use of `onnxruntime-node`. */
export interface OnnxRuntime {
  readonly InferenceSession: {
    create(path: string, options: Readonly<Record<string, unknown>>): Promise<OnnxSession>;
  };
  readonly Tensor: new (type: "int64", data: BigInt64Array, dims: readonly number[]) => OnnxTensor;
}

export interface OnnxSession {
  readonly inputNames: readonly string[];
  readonly outputNames: readonly string[];
  run(feeds: Readonly<Record<string, OnnxTensor>>): Promise<Readonly<Record<string, OnnxTensor>>>;
  release(): Promise<void>;
}

export interface OnnxTensor {
  readonly data: ArrayLike<number | bigint>;
  readonly dims: readonly number[];
}

/** What we use of `@huggingface/tokenizers`. */
export interface TokenizerPackage {
  readonly Tokenizer: new (tokenizer: object, config: object) => TextTokenizer;
}

export interface TextTokenizer {
  encode(text: string, options?: { readonly add_special_tokens?: boolean }): { readonly ids: readonly number[] };
}

export interface OnnxPeers {
  readonly runtime: OnnxRuntime;
  readonly tokenizers: TokenizerPackage;
}

const RUNTIME = "onnxruntime-node";
const TOKENIZERS = "@huggingface/tokenizers";

/**
 * @param folder - Where the user may have installed them: below its `node_modules`.
 * @throws {ArcticMemError} `MODEL_FILE_BROKEN` with how to install what is missing.
 */
export async function loadOnnxPeers(folder: string): Promise<OnnxPeers> {
  const [runtime, tokenizers] = await Promise.all([load(RUNTIME, folder), load(TOKENIZERS, folder)]);
  return { runtime: runtime as OnnxRuntime, tokenizers: tokenizers as TokenizerPackage };
}

async function load(name: string, folder: string): Promise<unknown> {
  const path = find(name, import.meta.url) ?? find(name, join(folder, "package.json"));
  const hint = `\`npm install --prefix "${folder}" ${RUNTIME}@1 ${TOKENIZERS}@0.2\`; without a network of its own add --ignore-scripts.`;
  if (path === undefined) {
    throw new ArcticMemError(
      "MODEL_FILE_BROKEN",
      `A local ONNX model needs the package ${name}, which is not installed.`,
      {
        hint,
      },
    );
  }
  try {
    const module = (await import(pathToFileURL(path).href)) as { readonly default?: unknown };
    return "Tokenizer" in module || "InferenceSession" in module ? module : module.default;
  } catch (cause) {
    const message = `The package ${name} can't be loaded: ${messageOf(cause)}`;
    throw new ArcticMemError("MODEL_FILE_BROKEN", message, { hint: `Install it again: ${hint}`, cause });
  }
}

function find(name: string, from: string): string | undefined {
  try {
    return createRequire(from).resolve(name);
  } catch {
    return undefined; // not there: the caller looks elsewhere
  }
}
