/**
 * Symbols: the names in a text that can be matched exactly: identifiers, files, error codes, flags, versions, hosts.
 * Writing and querying use the same functions, so that what was stored under a name is found under it.
 */
import { isAscii } from "./ascii.ts";
import { isStopWord } from "./stop-words.ts";

/** A text with more symbols than this is a listing, and its tail names nothing in particular. */
const MAX_SYMBOLS = 256;
const MAX_SYMBOL_CHARACTERS = 200;

const FILE_EXTENSIONS =
  "ts|tsx|mts|cts|js|jsx|mjs|cjs|json|jsonl|json5|yaml|yml|toml|ini|cfg|conf|env|lock|md|mdx|mdc|rst|txt|py|pyi|ipynb|rb|go|rs|java|kt|kts|scala|swift|c|h|cc|cpp|hpp|cs|fs|php|pl|lua|r|jl|ex|exs|erl|hs|clj|dart|vue|svelte|astro|html|css|scss|less|sql|sh|bash|zsh|ps1|bat|tf|hcl|proto|graphql|gql|xml|csv|tsv|parquet|gradle|cmake|mk|wasm|svg|png|pdf|zip|gz|tar|db|sqlite|log|snap|patch|diff|plist";
const SOURCE_FOLDERS =
  /^(?:src|tests?|lib|apps?|packages?|docs?|scripts?|bin|configs?|cmd|internal|pkg|tools?|crates?)$/i;

/** One way in which a name stands out of prose. `group` is the part that is the symbol. */
interface SymbolShape {
  readonly pattern: RegExp;
  readonly accepts?: (symbol: string) => boolean;
}

/** In order of precedence only for the order of the answer: every shape is looked for in the whole text. */
const SHAPES: readonly SymbolShape[] = [
  { pattern: /\bhttps?:\/\/(?:[^\s/@"'<>]{1,200}@)?([A-Za-z0-9.-]{1,253})(?::\d+)?/g },
  {
    pattern:
      /(?<![\w/@.])((?:@[a-z0-9][\w.-]{0,80}\/)?[a-z0-9][\w.-]{0,80}@[~^]?v?\d+(?:\.\d+)*(?:-[\w.]{1,40})?)(?![\w@])/g,
  },
  {
    pattern: /(?<![\w/\\.:@-])((?:~|\.{1,2}|@?[\w.-]{1,100}|[A-Za-z]:)?(?:[/\\][\w@.()[\]+-]{1,100}){1,24}[/\\]?)/g,
    accepts: looksLikePath,
  },
  {
    pattern: new RegExp(
      `(?<![\\w/\\\\.-])(\\.?[\\w-]{1,100}(?:\\.[\\w-]{1,60}){0,4}\\.(?:${FILE_EXTENSIONS}))(?![\\w/-])`,
      "g",
    ),
  },
  {
    pattern:
      /(?<![\w/\\-])(\.(?:env|npmrc|nvmrc|gitignore|dockerignore|editorconfig|eslintrc|prettierrc|babelrc)(?:\.[\w-]+)*)(?![\w/])/g,
  },
  {
    pattern: /(?<![\w/.\\$-])([A-Za-z_$][\w$]{0,80}(?:(?:\.|::|#|->)[A-Za-z_$][\w$]{0,80}){1,8})(?:\(\))?(?![\w/])/g,
    accepts: (symbol) => symbol.split(/\.|::|#|->/).some((part) => part.length >= 3),
  },
  { pattern: /\$\{?([A-Za-z_][A-Za-z0-9_]{2,80})\}?/g },
  { pattern: /(?<![\w$])(_{0,2}[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+){1,12}_{0,2})(?![\w])/g },
  {
    pattern:
      /(?<![\w$])([A-Za-z][a-z0-9]+(?:[A-Z][a-z0-9]*){1,12}|[A-Z]{2,}[a-z][a-z0-9]+(?:[A-Z][a-z0-9]*){0,12})(?![\w])/g,
    accepts: isCamelCase,
  },
  { pattern: /(?<![\w-])([A-Z]{1,7}-?\d{2,6})(?![\w-])/g, accepts: (symbol) => /\d{3}|^E\d/.test(symbol) },
  { pattern: /(?<![\w-])((?:CVE-\d{4}-|GHSA-|ORA-|ora-|ts|cs)\d{4,7})(?![\w-])/g },
  { pattern: /\bSQLSTATE\W{0,3}([0-9A-Z]{5})\b/g },
  {
    pattern:
      /\b(E(?:ACC|ADDR|AGAIN|BAD|BUSY|CONN|EXIST|FAULT|HOST|INTEGRITY|INTR|INVAL|ISDIR|LOCKED|MFILE|NET|NO[A-Z]{2}|OPNOTSUPP|PERM|PIPE|PROTO|RANGE|RESOLVE|ROFS|SRCH|TIMEDOUT|UNSUPPORTED|USAGE|XDEV)[A-Z]*|SIG[A-Z]{3,6}|ERR[A-Z]{3,})\b/g,
  },
  { pattern: /(?<![\w-])(--[a-z][a-z0-9]{1,40}(?:-[a-z0-9]{1,40}){0,6})(?![\w-])/g },
];

/** Backticks of any width, and quoted single words: what their writer marked as a name. */
const MARKED = /(`{1,3})([^`\n]{1,200})\1|"([^"\s]{2,100})"|'([^'\s]{3,100})'/g;

/**
 * The symbols in a text, each once, in the spelling of its first place, in order of appearance of their kinds. Plain
 * common words are none.
 */
export function extractSymbols(text: string): string[] {
  const found = new Map<string, string>();
  for (const raw of [...markedNames(text), ...shapedNames(text)]) {
    const symbol = trimSymbol(raw);
    const key = normaliseSymbol(symbol);
    if (key.length < 2 || symbol.length > MAX_SYMBOL_CHARACTERS || isStopWord(key) || found.has(key)) continue;
    found.set(key, symbol);
    if (found.size === MAX_SYMBOLS) break;
  }
  return [...found.values()];
}

function markedNames(text: string): string[] {
  return Array.from(text.matchAll(MARKED)).flatMap(([, , code, doubleQuoted, singleQuoted]) => {
    if (code !== undefined) return code.trim().split(/\s+/).filter(isCodeWord);
    return [doubleQuoted ?? singleQuoted ?? ""].filter(isQuotedName);
  });
}

function shapedNames(text: string): string[] {
  const names: string[] = [];
  for (const { pattern, accepts } of SHAPES) {
    for (const [, name = ""] of text.matchAll(pattern)) if (accepts?.(name) ?? true) names.push(name);
  }
  return names;
}

/** The one spelling under which a symbol is stored and asked for: lower case, forward slashes, no decoration. */
export function normaliseSymbol(symbol: string): string {
  return trimSymbol(symbol.normalize("NFKC"))
    .replace(/\\/g, "/")
    .replace(/^(?:\.\/)+/, "")
    .replace(/(?<=[\w)]):\d+(?::\d+)?$/, "")
    .replace(/\/+$/, "")
    .toLowerCase();
}

/**
 * Normalised forms under which a symbol is indexed, itself first: suffixes and base name of a path, the parts of a
 * dotted name (`table` of `schema.table`), the package of `package@version`. Common words are left out.
 */
export function symbolForms(symbol: string): string[] {
  const whole = normaliseSymbol(symbol);
  const forms = new Set([whole]);
  const versioned = /^(@?[^@]+)@[~^]?v?\d[\w.-]*$/.exec(whole);
  if (versioned?.[1] !== undefined) forms.add(versioned[1]);
  else if (whole.includes("/")) for (const form of pathForms(whole)) forms.add(form);
  else for (const form of nameForms(whole)) forms.add(form);
  return [...forms].filter((form, at) => form.length > 0 && (at === 0 || !isStopWord(form)));
}

function pathForms(path: string): string[] {
  const parts = path.split("/").filter((part) => part !== "" && part !== "~" && part !== "." && part !== "..");
  const suffixes = parts.map((_, at) => parts.slice(at).join("/"));
  const stem = fileStem(parts.at(-1) ?? "");
  return stem === undefined ? suffixes : [...suffixes, stem];
}

function nameForms(name: string): string[] {
  const stem = fileStem(name);
  if (stem !== undefined) return [stem];
  const parts = name.split(/\.|::|#|->/);
  if (parts.length < 2) return [];
  const suffixes = parts.slice(1).map((_, at) => parts.slice(at + 1).join("."));
  return [parts.join("."), ...suffixes, ...parts].filter((part) => part.length >= 3);
}

const FILE_NAME = new RegExp(`^(.{3,})\\.(?:${FILE_EXTENSIONS})$`);

function fileStem(name: string): string | undefined {
  return FILE_NAME.exec(name)?.[1];
}

/**
 * The words of identifiers in a text, lower case, each once, in order: `getUserName`, `user_service.ts` and
 * `HTTPServer` become `get user name`, `user service ts` and `http server`.
 */
export function splitIdentifier(text: string): string[] {
  if (isAscii(text)) {
    const spaced = text.replace(/([a-z0-9])([A-Z])/g, "$1 $2").replace(/([A-Z])([A-Z][a-z])/g, "$1 $2");
    return [...new Set(spaced.toLowerCase().match(/[a-z0-9]+/g))];
  }
  const spaced = text.replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, "$1 $2").replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, "$1 $2");
  return [...new Set((spaced.match(/[\p{L}\p{N}\p{M}]+/gu) ?? []).map((part) => part.toLowerCase()))];
}

function trimSymbol(symbol: string): string {
  return symbol
    .trim()
    .replace(/^["'`([{<*]+/, "")
    .replace(/(?:\(\))?["'`)\]}>*.,;:!?]*$/, "");
}

function isCodeWord(word: string): boolean {
  return hasLetter(word) && !/[=<>|&;{}"']/.test(word) && word.length >= 2;
}

function isQuotedName(word: string): boolean {
  const inside = word.slice(1, -1);
  const isNamed = /[._/:@-]|\d|[a-z][A-Z]/.test(inside) || (!isAscii(inside) && /\p{Ll}\p{Lu}/u.test(inside));
  return hasLetter(word) && isNamed && !/[<>={}]/.test(word);
}

function hasLetter(word: string): boolean {
  return /[A-Za-z]/.test(word) || (!isAscii(word) && /\p{L}/u.test(word));
}

function isCamelCase(symbol: string): boolean {
  return /[a-z0-9][A-Z]/.test(symbol) || (/^[A-Z]{2,}[a-z]{2,}/.test(symbol) && !/^[A-Z]+s$/.test(symbol));
}

function looksLikePath(symbol: string): boolean {
  const parts = symbol.split(/[/\\]/).filter((part) => part !== "");
  const last = parts.at(-1) ?? "";
  if (parts.length === 0 || parts.every((part) => /^\d*$/.test(part))) return false;
  if (/^(?:[~/.@]|[A-Za-z]:)/.test(symbol)) return last.length > 1 && (parts.length > 1 || last.length > 2);
  if (/\.[A-Za-z]\w{0,7}$/.test(last) && parts.length > 1) return true;
  return parts.length > 2 ? /[._-]|^[a-z]/.test(symbol) : parts.length === 2 && SOURCE_FOLDERS.test(parts[0] ?? "");
}
