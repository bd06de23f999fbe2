/**
 * Secrets that their place gives away: headers, cookies, options on a command line, sentences that say what the
 * password is.
 */
import { type SecretSpan, spanIn } from "./secret-span.ts";
import { isMixed, isReference, PASSWORD_WORDS } from "./secret-values.ts";

const HEADER =
  /\b((?:proxy-)?authorization|x-[\w-]{0,30}(?:key|token|secret|auth)|(?:private|job|deploy)-token|api-key)["']?\s{0,3}[:=]\s{0,3}["']?(?:(?:Basic|Bearer|Digest|Token|ApiKey|Negotiate|Snowflake|token)\s{1,3})?(?:token=)?["']?([\w.~+/=:-]{8,4000})/gi;
const BEARER = /\bBearer\s{1,3}(?=[\w.~+/=-]{0,200}\d)([\w.~+/=-]{16,4000})/gi;
const COOKIE = /\b(?:set-)?cookie["']?\s{0,3}:\s{0,3}["']?([\w.%-]{1,80}=[^\n"'\\]{4,4000})/gi;
const OPTION =
  /(?<![\w-])--?(?:password|passwd|pass|token|api-key|apikey|secret|access-token|auth-token|client-secret|secret-key|access-key|_authToken)(?:=|\s{1,2})["']?([^\s"'$<{[(-][^\s"'`]{3,400})/gi;
const USER_OPTION = /\s(?:-u|--user|--proxy-user)[\s=]{1,2}["']?[\w.@+-]{1,80}:([^\s"'`$]{4,200})/g;
const CLIENT_OPTION =
  /\b(?:mysql|mysqldump|mysqladmin|mariadb)\b[^\n]{0,300}?\s-p([^\s"'$-][^\s"'`]{3,200})|\bsshpass\s{1,3}-p\s{0,3}["']?([^\s"'$]{3,200})/g;
const NETRC = /\bmachine\s{1,4}\S{1,200}\s{1,20}login\s{1,4}\S{1,200}\s{1,20}password\s{1,4}(\S{3,200})/g;
const PROSE = new RegExp(
  `\\b(?:${PASSWORD_WORDS}|passcode|pin|secret|token|api key|access key)\\s{1,2}(?:is|was|ist|est|es)\\s{1,2}["'\`]?([^\\s"'\`]{4,200})`,
  "gi",
);

interface SecretContext {
  readonly kind: string;
  readonly certainty: SecretSpan["certainty"];
  /** The last group that took part is the secret. */
  readonly pattern: RegExp;
  readonly accepts?: (value: string) => boolean;
}

const CONTEXTS: readonly SecretContext[] = [
  { kind: "auth_header", certainty: 2, pattern: HEADER, accepts: (value) => !isReference(value) },
  { kind: "bearer_token", certainty: 1, pattern: BEARER },
  { kind: "cookie", certainty: 1, pattern: COOKIE },
  { kind: "credential", certainty: 1, pattern: OPTION },
  { kind: "password", certainty: 1, pattern: USER_OPTION },
  { kind: "password", certainty: 1, pattern: CLIENT_OPTION },
  { kind: "password", certainty: 2, pattern: NETRC },
  { kind: "credential", certainty: 1, pattern: PROSE, accepts: (value) => isMixed(value.replace(/[.,;:!?)]+$/, "")) },
];

/** Every secret whose place is one for secrets. */
export function findInContext(text: string): SecretSpan[] {
  return CONTEXTS.flatMap(({ kind, certainty, pattern, accepts }) =>
    Array.from(text.matchAll(pattern)).flatMap((match): SecretSpan[] => {
      const secret = match.slice(1).findLast((group) => group !== undefined) ?? match[0];
      return accepts?.(secret) === false ? [] : [spanIn(match, secret, { kind, certainty })];
    }),
  );
}
