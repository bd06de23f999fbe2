/** Models that can be pulled by name: where they lie on the hub, and what their cards say about using them. */

export interface KnownModel {
  readonly name: string;
  /** On the hub: owner and name. */
  readonly repository: string;
  readonly revision: string;
  /** File with the weights, below the repository. */
  readonly weights: string;
  /** About how much is downloaded. */
  readonly megabytes: number;
  readonly dimensions: number;
  /** Lengths to which its vectors may be cut: it was trained for them. */
  readonly matryoshka: readonly number[];
  readonly queryPrefix: string;
  readonly about: string;
  /** SHA-256 by file, where it is known beforehand; else the hub's own word is taken. */
  readonly sha256: Readonly<Record<string, string>>;
}

const ARCTIC = {
  revision: "main",
  weights: "onnx/model_quantized.onnx",
  queryPrefix: "Represent this sentence for searching relevant passages: ",
  matryoshka: [],
  sha256: {},
} as const;

export const KNOWN_MODELS: readonly KnownModel[] = [
  {
    ...ARCTIC,
    name: "snowflake-arctic-embed-xs",
    repository: "Snowflake/snowflake-arctic-embed-xs",
    megabytes: 24,
    dimensions: 384,
    about: "English, 22 million parameters, as small as the built-in model",
  },
  {
    ...ARCTIC,
    name: "snowflake-arctic-embed-s",
    repository: "Snowflake/snowflake-arctic-embed-s",
    megabytes: 35,
    dimensions: 384,
    about: "English, 33 million parameters",
  },
  {
    ...ARCTIC,
    name: "snowflake-arctic-embed-m-v1.5",
    repository: "Snowflake/snowflake-arctic-embed-m-v1.5",
    megabytes: 111,
    dimensions: 768,
    matryoshka: [256],
    about: "English, 109 million parameters; 256 dimensions do nearly as well",
  },
  {
    ...ARCTIC,
    name: "snowflake-arctic-embed-l-v2.0",
    repository: "Snowflake/snowflake-arctic-embed-l-v2.0",
    megabytes: 590,
    dimensions: 1024,
    matryoshka: [256],
    queryPrefix: "query: ",
    about: "74 languages, 568 million parameters; 256 dimensions do nearly as well",
  },
];

/** By its name, or by the end of it: `arctic-embed-xs`. */
export function knownModel(name: string): KnownModel | undefined {
  return KNOWN_MODELS.find((model) => model.name === name || model.name === `snowflake-${name}`);
}
