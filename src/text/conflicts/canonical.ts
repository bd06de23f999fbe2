/**
 * Statements in the words that the rules compare. Two people say one thing in two ways (`TTL` and `live for`, `an hour`
 * and `60 minutes`, `turned off` and `disabled`): here one of them is chosen, so that the rules need know no other.
 */

/** Applied in order. What is shown to people is the statement as it was written. */
const SPELLINGS: readonly (readonly [RegExp, string])[] = [
  [/[\u2018\u2019]/g, "'"],
  [/\b(?:pull|merge) requests?\b/gi, "PR"],
  [/\b(?:PRs|MRs?)\b/g, "PR"],
  [/\btime-?outs?\b|\btim(?:es?|ed|ing) out\b/gi, "timeout"],
  [/\blicen[cs](?:es?|ing)\b/gi, "license"],
  [/\b(?:dependency|deps|packages)\b(?![/-])/gi, "dependencies"],
  [/\bcontainer(?:s|s? images?)\b/gi, "image"],
  [/\b(?:e2e|end[- ]to[- ]end)\b/gi, "e2e"],
  [/\bpostgresql\b/gi, "Postgres"],
  [/\bfeature (?=branch)/gi, ""],
  [/\bnpm ci\b/gi, "npm install"],
  [/\bdocumentation\b/gi, "docs"],
  [/\bgithub actions\b/gi, "GitHub-Actions"],
  [/\bgitlab ci\b/gi, "GitLab-CI"],
  [/\bapache[- ]2(?:\.0)?\b/gi, "Apache"],
  [/\b(?:owners? (?:of|is)|owned by|owns?|belongs? to|(?:responsible|in charge) (?:for|of))\b/gi, "own"],
  [/\be-mails?\b/gi, "email"],
  [/\bids?\b/gi, "identifiers"],
  [/\b(?:subjects? (?:lines? )?of commits?|commit(?: message)? subjects?(?: lines?)?)\b/gi, "commit subjects"],
  [/\b(?:TTL|time[- ]to[- ]live|expiry|expiration|lifetime|valid for|liv(?:es?|ing) for)\b/gi, "expires"],
  [/\blasts?\b(?= (?:for|an?|one|half|\d))/gi, "expires"],
  [
    /\b(?:retained|retention|stored|saved|persisted|held|(?<!^)(?:holds?|keeps?)|(?:deleted|purged|removed) after)\b/gi,
    "kept",
  ],
  [/^(?:store|save|persist)(?= )/gi, "kept"],
  [/\breact[- ]native\b/gi, "React-Native"],
  [/\b(?:main|primary) (?=language|currency)/gi, ""],
  [/ before (?:it|they) (?:fails?|gives? up)\b/gi, ""],
  [/ of (?:silence|inactivity|idleness|idle time)\b/gi, ""],
  [/(?<=\w{2}[^aeiou\W])ied\b/g, "y"],
  [
    /\b(?:(?:must|may|should|can|shall|do|does|will) not|(?:must|should|do|does)n't|cannot|can't|never) (?:drops?|falls?|goes?|sinks?|be|go) (?:below|under|less than|lower than)\b/gi,
    "at least",
  ],
  [
    /\b(?:(?:must|may|should|can|shall|do|does) not|(?:must|should|do|does)n't|cannot|can't|never) (?:exceeds?|(?:be|have|get|grow) (?:\w+er|more) than|go (?:over|above|beyond))\b/gi,
    "at most",
  ],
  [/\bno(?:t)? (?:more|longer|larger|bigger|higher) than\b/gi, "at most"],
  [/\bno(?:t)? (?:less|fewer|lower) than\b/gi, "at least"],
  [/\b(?:is|are) (?:not (?:required|needed|necessary|mandatory)|unnecessary)\b/gi, "is optional"],
  [/\b(?:is|are) not enabled\b/gi, "is disabled"],
  [/\b(?:turned|switched|flipped) on\b|\bactivated\b/gi, "enabled"],
  [/\b(?:turned|switched|flipped) off\b|\bdeactivated\b/gi, "disabled"],
  [
    /\b(?:is|are|be|stays?|kept|left|remains?) (?:on|active)(?=\s*(?:$|[.,;:)]|by default|in (?:every|all|each)|everywhere|for (?:all|every|each)|because|since|during))/gi,
    "is enabled",
  ],
  [/\b(?:is|are|be|stays?|kept|left|remains?) (?:off|inactive)(?![- ]limits)\b/gi, "is disabled"],
  [/\b(?:one (?:after (?:another|the other)|at a time)|in (?:sequence|series)|sequentially|serially)\b/gi, "serially"],
  [/\b(?:in parallel|concurrently)\b/gi, "parallel"],
  [/\b(?:touch(?:es)?|hits?|reach(?:es)?) (?=the network|the internet)/gi, "use "],
];

export function canonical(text: string): string {
  let said = text;
  for (const [pattern, word] of SPELLINGS) said = said.replace(pattern, word);
  return said;
}
