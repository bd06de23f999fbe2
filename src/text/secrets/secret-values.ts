/** Whether a value can be a secret at all, or only names one, stands for one, or is a word. */

export const PASSWORD_WORDS = "password|passwd|passphrase|passwort|pwd";

/** Values that name a place where the secret is, or stand for none. */
const REFERENCE =
  /^(?:\$|\{\{|\$\{|<|%\w+%|\*{2,}|x{4,}$|\.{3}|process\.env|os\.environ|env\.|secrets?\.|vault:|op:\/\/|file:|arn:|projects\/|ref\+|!|@|~|\.{0,2}\/|https?:\/\/|\[REDACTED)/i;
const NO_VALUE =
  /^(?:true|false|null|none|nil|undefined|string|number|boolean|bool|str|int|bytes|any|unknown|void|object|required|optional|enabled|disabled|yes|no|on|off|empty|missing|invalid|expired|redacted|hidden|masked|readonly|public|private|password|secret|token|string\[\]|todo|tbd|n\/a)[.?!]?$/i;
/** Digits beside letters, or punctuation within: what words and types do not have. */
export function isMixed(value: string): boolean {
  return (
    !/\s/.test(value) &&
    value.length >= 6 &&
    (/\d/.test(value) ? /[A-Za-z]|^\d{6,}$/.test(value) : /\w[!@#%^&*+=?~]\w|[!#%^&*+=?~]$/.test(value))
  );
}

/** A variable, a path, a template or a mark in a secret's place. */
export function isReference(value: string): boolean {
  return REFERENCE.test(value);
}

/** A type, a state or another word that tells nothing. */
export function isWord(value: string): boolean {
  return NO_VALUE.test(value);
}
