/**
 * Secrets that only their name gives away, `password = …`, and random strings that somebody assigned to a name.
 */
import { looksRandom } from "./entropy.ts";
import { isNameCode, matchesNear, type NearPattern } from "./matches-near.ts";
import { type SecretSpan, spanIn } from "./secret-span.ts";
import { isMixed, isReference, isWord, PASSWORD_WORDS } from "./secret-values.ts";

const KEY_WORDS =
  "secret|api[_-]?key|access[_-]?key(?:[_-]?id)?|secret[_-]?key|account[_-]?key|private[_-]?key|signing[_-]?key|encryption[_-]?key|master[_-]?key|auth[_-]?key|token|credentials?|auth";
const SUFFIX = "(?:[_-]?(?:dev|prod|test|staging|old|new|value|base64|b64|\\d{1,3}))?";
/** Characters of a name before the word that gives it away. */
const MOST_BEFORE_KEY_WORD = 60;
const NAME = `(?:[\\w.-]{0,${MOST_BEFORE_KEY_WORD}}?(?:${PASSWORD_WORDS}|${KEY_WORDS})s?${SUFFIX})`;

/**
 * Groups: name, separator, quoted value, bare value. Quotes may be escaped, once for each JSON text that they stand in. An
 * ampersand ends a bare value only before the next parameter of an address, or as a sign of the shell.
 */
const ASSIGNMENT: NearPattern = {
  hint: /pass|pwd|secret|key|token|credential|auth/gi,
  reach: MOST_BEFORE_KEY_WORD,
  between: isNameCode,
  pattern: new RegExp(
    `(?<![A-Za-z0-9_])(${NAME})["'\`\\]\\\\]{0,9}(\\s{0,3}(?::=|=>|=|:)\\s{0,3})(?:\\\\{0,7}["'\`]([^"'\`\\n]{2,399}[^"'\`\\n\\\\])\\\\{0,7}["'\`]|((?:[^\\s"'\`,;(){}<>|&]|&(?!&|\\s|[\\w.%-]{1,40}=)){4,400}))`,
    "iy",
  ),
};

const PASSWORD_NAME = new RegExp(`(?:${PASSWORD_WORDS})s?${SUFFIX}$`, "i");
const NOT_SECRET_NAME =
  /(?:max|min|total|num|count|input|output|cache|prompt|completion|next|page|csrf[_-]?field|cancell?ation|per)[_-]?(?:new[_-]?)?tokens?$|tokens$|author|authority|authentic/i;

/** Every value that is assigned to the name of a secret. */
export function findNamedValues(text: string): SecretSpan[] {
  return matchesNear(text, ASSIGNMENT).flatMap((match): SecretSpan[] => {
    const [, name = "", separator = "", quoted, bare] = match;
    const value = quoted ?? bare ?? "";
    const isPassword = PASSWORD_NAME.test(name);
    const shell = quoted === undefined && separator === "=" && /^[A-Z][A-Z0-9_]*$/.test(name);
    if (!isSecretValue({ name, value, isPassword, isQuoted: quoted !== undefined, isShell: shell })) return [];
    return [spanIn(match, value, { kind: isPassword ? "password" : "credential", certainty: 1 })];
  });
}

interface NamedValue {
  readonly name: string;
  readonly value: string;
  readonly isPassword: boolean;
  readonly isQuoted: boolean;
  /** `NAME=value` of a shell or an env file: there, everything after the sign is the value. */
  readonly isShell: boolean;
}

function isSecretValue(named: NamedValue): boolean {
  const { name, value, isPassword, isQuoted, isShell } = named;
  if (isReference(value) || isWord(value) || NOT_SECRET_NAME.test(name)) return false;
  if (folded(value).endsWith(folded(lastWord(name)))) return false;
  if (isShell) return value.length >= (isPassword ? 4 : 6);
  if (isQuoted && isPassword) return !/\s/.test(value) && value.length >= 4;
  return isMixed(value) && (isQuoted ? value.length >= 8 : isBareSecret(named));
}

/** Without quotes a value may as well be an expression, a type or a word of the language around it. */
function isBareSecret({ value, isPassword }: NamedValue): boolean {
  if (/^[\w$]+\.[A-Za-z_$][\w$]*\.?/.test(value)) return false;
  if (/^[A-Za-z_$][\w$]*(?:[.[].*)?$/.test(value) && !/\d/.test(value)) return false;
  return isPassword ? value.length >= 6 : value.length >= 10 && !/^[A-Za-z]{1,16}\d{0,2}$/.test(value);
}

function lastWord(name: string): string {
  return name.split(/[._-]/).at(-1) ?? name;
}

function folded(text: string): string {
  return text.toLowerCase().replace(/[^a-z0-9]/g, "");
}

/** Names whose values are long and random without being secret. */
const RANDOM_BUT_PUBLIC =
  /(?:sha\d*|hash|digest|checksum|integrity|commit|rev(?:ision)?|etag|uuid|guid|[_-]?ids?|resolved|path|url|uri|href|src|file(?:name)?|name|class(?:name)?|version|tree|parent|blob|object|head|base|image|icon|font|data|nonce|cursor|fingerprint|public[_-]?key|ssh-\w+)$/i;
const LONG_VALUE: NearPattern = {
  hint: /[=:>]\s{0,3}["'`]?[A-Za-z0-9+/_-]{20}/g,
  // A name of eighty characters, quotes, white space, and the first character of a sign of two.
  reach: 87,
  between: (code) => isNameCode(code) || BETWEEN_NAME_AND_VALUE.test(String.fromCharCode(code)),
  pattern:
    /(?<![\w$])([\w.-]{1,80})["'`\]]{0,3}\s{0,3}(?::=|=>|=|:)\s{0,3}["'`]?([A-Za-z0-9+/_-]{20,512}={0,2})(?![A-Za-z0-9+/_.-])/y,
};
const BETWEEN_NAME_AND_VALUE = /["'`\]\s:=]/;

/** Random strings of twenty characters and more in an assignment or a header. */
export function findRandomValues(text: string): SecretSpan[] {
  return matchesNear(text, LONG_VALUE).flatMap((match): SecretSpan[] => {
    const [, name = "", value = ""] = match;
    if (RANDOM_BUT_PUBLIC.test(name) || !looksRandom(value)) return [];
    return [spanIn(match, value, { kind: "high_entropy", certainty: 0 })];
  });
}
