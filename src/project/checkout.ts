/**
 * Does what a memory cites still stand? A memory about code that is gone misleads more than none: each cited place is
 * looked up in the checkout when the memory is read. Local and bounded; nothing here is allowed to hold up a read.
 */
import { readFileSync, realpathSync, statSync } from "node:fs";
import { basename, isAbsolute, join, sep } from "node:path";
import { hashLine } from "../core/hash.ts";
import type { Freshness } from "../core/memory.ts";
import type { Citation } from "../core/memory-record.ts";
import { runGit } from "./run-git.ts";

export interface FreshnessReport {
  /** The worst of the citations; `unverifiable` where none could be checked. */
  readonly freshness: Freshness;
  /** What was found or missed, one sentence a citation. */
  readonly checks: readonly string[];
}

export interface CheckOptions {
  /** How long the search for a moved symbol may take, for each citation. Zero: none, and what moved can't be told. */
  readonly searchMs?: number;
  /** Whether the checkout is git's; elsewhere there is no list of files to search. Default true. */
  readonly isGit?: boolean;
}

const MAX_CITATIONS = 12;
const MAX_FILE_BYTES = 4 * 1024 * 1024;
const SEARCH_MS = 100;

/**
 * Checks citations against the checkout at `root`. Never throws.
 *
 * Fresh: file, symbol and line are there. Moved: the line has changed but its symbol stands, or the symbol or file of
 * that name is found elsewhere. Stale: gone. Unverifiable: nothing cited, a path that leads out of the checkout, or no
 * time to look elsewhere.
 */
export async function checkCitations(
  root: string,
  citations: readonly Citation[],
  { searchMs = SEARCH_MS, isGit = true }: CheckOptions = {},
): Promise<FreshnessReport> {
  const results = await Promise.all(
    citations.slice(0, MAX_CITATIONS).map((citation) => check({ root, searchMs, isGit }, citation)),
  );
  const order: readonly Freshness[] = ["stale", "moved", "fresh"];
  return {
    freshness: order.find((freshness) => results.some((result) => result.freshness === freshness)) ?? "unverifiable",
    checks: results.map(({ check: sentence }) => sentence),
  };
}

interface Check {
  readonly freshness: Freshness;
  readonly check: string;
}

interface Place {
  readonly root: string;
  readonly searchMs: number;
  readonly isGit: boolean;
}

async function check(place: Place, citation: Citation): Promise<Check> {
  const { path, symbol, lineHash } = citation;
  const content = readCited(place.root, path);
  if (content.kind === "closed")
    return { freshness: "unverifiable", check: `${path} can't be checked: ${content.reason}.` };
  if (content.kind === "gone") return findElsewhere(place, citation);
  const { text } = content;
  const hasLine = lineHash === null || text.split(/\r\n|\n|\r/).some((line) => hashLine(line) === lineHash);
  if (symbol !== null && !holdsSymbol(text, symbol)) return findElsewhere(place, citation);
  const what = symbol === null ? path : `${symbol} in ${path}`;
  if (hasLine) return { freshness: "fresh", check: `${what} is there.` };
  if (symbol !== null) return { freshness: "moved", check: `${what} is there, the cited line has changed.` };
  return { freshness: "stale", check: `The cited line of ${path} is not found in the current checkout.` };
}

/** A symbol, or a file of the same name, somewhere else in the tracked files. */
async function findElsewhere({ root, searchMs, isGit }: Place, { path, symbol }: Citation): Promise<Check> {
  const what = symbol === null ? path : `${symbol} of ${path}`;
  const args =
    symbol === null
      ? ["ls-files", "-z", "--", `:(glob)**/${basename(path).replace(/[*?[\]\\]/g, "\\$&")}`]
      : ["grep", "-zlIFw", "-e", symbol, "--", "."];
  let isLate = isGit && searchMs <= 0;
  const onLate = (): void => {
    isLate = true;
  };
  const answer = isLate || !isGit ? undefined : await runGit({ root, args, timeoutMs: searchMs, onLate });
  if (isLate) return { freshness: "unverifiable", check: `${what} is not where it was; elsewhere nobody looked.` };
  const found = (answer ?? "").split("\0").filter((other) => other !== "" && other !== path);
  const [first] = found;
  // A name such as index.ts in many folders tells nothing about where this one went.
  if (first === undefined || (symbol === null && found.length > 1)) {
    return { freshness: "stale", check: `${what} is not found in the current checkout.` };
  }
  return { freshness: "moved", check: `${what} is now in ${first}.` };
}

type Content =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "gone" }
  | { readonly kind: "closed"; readonly reason: string };

const closed = (reason: string): Content => ({ kind: "closed", reason });

function readCited(root: string, path: string): Content {
  if (path === "" || isAbsolute(path) || path.split(/[\\/]/).includes(".."))
    return closed("it is no path in the project");
  const file = join(root, path);
  try {
    const stats = statSync(file, { throwIfNoEntry: false });
    if (stats === undefined)
      return statSync(root).isDirectory() ? { kind: "gone" } : closed("the checkout is not here");
    const isInside = realpathSync.native(file).startsWith(realpathSync.native(root) + sep);
    if (!isInside) return closed("it leads out of the project");
    if (stats.isDirectory()) return { kind: "text", text: "" };
    if (!stats.isFile() || stats.size > MAX_FILE_BYTES) return closed("it is too large");
    return { kind: "text", text: readFileSync(file, "utf8") };
  } catch {
    return closed("it can't be read");
  }
}

/** Whether a text holds a symbol as a whole: `refund` is not in `refunds`. */
function holdsSymbol(text: string, symbol: string): boolean {
  const isPart = (character: string): boolean => /[\p{L}\p{N}_$]/u.test(character);
  for (let at = text.indexOf(symbol); at !== -1; at = text.indexOf(symbol, at + 1)) {
    const before = isPart(symbol.charAt(0)) && isPart(text.charAt(at - 1));
    const after = isPart(symbol.charAt(symbol.length - 1)) && isPart(text.charAt(at + symbol.length));
    if (!before && !after) return true;
  }
  return false;
}
