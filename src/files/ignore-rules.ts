/** `.gitignore` as git reads it: files in deeper folders go before those above, and both before the repository's own list. */
import ignore, { type Ignore } from "ignore";

export interface IgnoreRules {
  /** Different for different texts that hold for the whole tree. */
  readonly key: string;
  /** Whether the rules leave out a path relative to the root; of a folder, everything below goes with it. */
  isIgnored(path: string, isFolder: boolean): boolean;
  /** The same rules with those of one more `.gitignore`, which lies in `folder` (relative to the root; `""` is the root). */
  with(folder: string, text: string): IgnoreRules;
}

interface Layer {
  /** `""` or with a slash at its end. */
  readonly base: string;
  readonly matcher: Ignore;
}

/** Where file names differ by case only, they are one file. */
const CASELESS = process.platform === "win32" || process.platform === "darwin";

/** Rules from texts that hold for the whole tree, the weakest first. */
export function createIgnoreRules(texts: readonly string[]): IgnoreRules {
  return layered(
    texts.map((text) => ({ base: "", matcher: matcherOf(text) })),
    JSON.stringify(texts),
  );
}

/** Whether a path matches one of the patterns, in the syntax of `.gitignore`, negation included. */
export function createPathMatcher(patterns: readonly string[]): (path: string) => boolean {
  if (patterns.length === 0) return () => false;
  const matcher = matcherOf(patterns.join("\n"));
  return (path) => matcher.ignores(path);
}

function layered(layers: readonly Layer[], key: string): IgnoreRules {
  return {
    key,
    isIgnored: (path, isFolder) => verdict(layers, isFolder ? `${path}/` : path),
    with(folder, text) {
      const base = folder === "" ? "" : `${folder}/`;
      return layered([...layers, { base, matcher: matcherOf(text) }], key);
    },
  };
}

function verdict(layers: readonly Layer[], path: string): boolean {
  for (let at = layers.length - 1; at >= 0; at--) {
    const layer = layers[at];
    if (layer === undefined || !path.startsWith(layer.base)) continue;
    const { ignored, unignored } = layer.matcher.test(path.slice(layer.base.length));
    if (ignored || unignored) return ignored;
  }
  return false;
}

function matcherOf(text: string): Ignore {
  return ignore({ ignorecase: CASELESS }).add(text);
}
