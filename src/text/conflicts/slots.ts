/**
 * Slots: relations that have one value at a time, read from a memory by rule. Two memories that fill one slot with
 * different values contradict each other, whatever their wording and vectors say.
 */
import type { FactBody, MemoryRecord, Scope } from "../../core/memory-record.ts";

export interface SlotValue {
  /** `package-manager`, `port`, … */
  readonly relation: string;
  /** What the relation is about within the project: a service, a tool, an environment; empty for the project. */
  readonly subject: string;
  readonly value: string;
}

interface SlotRule {
  readonly relation: string;
  /** Named groups `value` and, where the wording names it, `subject`. Applied to each clause without its negated parts. */
  readonly patterns: readonly RegExp[];
  /** The clause must also say this. */
  readonly cue?: RegExp;
  /** Where no group names the subject: the first match in the clause. */
  readonly subjects?: RegExp;
  /** Without a subject there is no slot. */
  readonly needsSubject?: boolean;
}

const USES = "(?:use|uses|using|used|prefers?|is|are|with|through|via|on|to|by)";
const ENDS =
  "(?=\\s*(?:$|[.,;:)!]|(?:as|for|in|instead|workspaces?|here|only|everywhere|everything|and|because|since|to|v?\\d)\\b))";
const ENVIRONMENTS = /\b(?:production|prod|staging|development|dev|local|tests?|testing|ci)\b/i;
const SERVICES =
  /\b(?:dev server|api|frontend|front end|backend|back end|web|database|db|postgres(?:ql)?|mysql|redis|storybook|proxy|gateway|admin|docs|metrics|debugger|worker|mock server|emulator)\b/i;

/** One value at a time, each. Patterns are about how notes are written, not about how people talk. */
const RULES: readonly SlotRule[] = [
  {
    relation: "package-manager",
    patterns: [
      new RegExp(`\\b${USES}\\s+(?<value>npm|pnpm|yarn|bun|pip|poetry|uv|pipenv|conda)\\b${ENDS}`, "i"),
      /\bpackage manager(?:\s+is|:)?\s+(?<value>npm|pnpm|yarn|bun|pip|poetry|uv|pipenv|conda)\b/i,
      /\b(?<value>npm|pnpm|yarn|bun|poetry|uv|pipenv)\s+(?:is|as)\s+(?:the|our)\s+package manager\b/i,
    ],
    subjects: /\b(?:python|frontend|backend)\b/i,
  },
  {
    relation: "version",
    cue: /\b(?:uses?|using|runs?|requires?|needs?|pin(?:ned)?|targets?|locked|stays?|must|supported|standard)\b/i,
    patterns: [
      /\b(?<subject>node(?:\.js)?|python|java|go|ruby|php|rust|typescript|postgres(?:ql)?|mysql|redis|react|vue|angular|django|rails|spring|kubernetes|terraform|pnpm|npm|yarn)\s+(?:version\s+)?(?:is\s+|at\s+|to\s+)?v?(?<value>\d+(?:\.\d+){0,2})\b/i,
    ],
  },
  {
    relation: "port",
    patterns: [
      /\bport\s+(?:is\s+|=\s*|:)?`?(?<value>\d{2,5})\b/i,
      /\b(?:localhost|127\.0\.0\.1):(?<value>\d{2,5})\b/i,
      /\b(?:runs? on|(?:listens?|answers?|is (?:served|exposed|reachable)) (?:on|at))\s+:?(?<value>\d{4,5})\b(?!\s*(?:%|rows|requests|nodes|hosts|times|records))/i,
      /\b(?:mapped|bound|binds) to\s+:?(?<value>\d{4,5})\b/i,
      /\bPORT=(?<value>\d{4,5})\b/,
    ],
    subjects: SERVICES,
    needsSubject: true,
  },
  {
    relation: "database",
    cue: /\b(?:database|db|stored?|kept|tests?|data|queries|backend)\b/i,
    patterns: [
      new RegExp(
        `\\b(?:${USES}|against|in)\\s+(?:an?\\s+|the\\s+)?(?<value>postgres(?:ql)?|mysql|mariadb|sqlite|mongodb|duckdb|snowflake|bigquery|redshift|clickhouse|oracle)\\b`,
        "i",
      ),
    ],
    subjects: ENVIRONMENTS,
  },
  {
    relation: "test-command",
    cue: /\btests?\b/i,
    patterns: [
      /\b(?:run|runs|execute|start)s?\b[^`]{0,40}\b(?:with|via|using|by(?: running)?|through)\s+`(?<value>[^`\n]{2,80})`/i,
      /\b(?:use|run)\s+`(?<value>[^`\n]{2,80})`\s+(?:to run|for)\s+(?:all\s+|the\s+)*tests\b/i,
      /\btest command(?:\s+is|:)?\s+`?(?<value>[^`.\n]{2,80})/i,
    ],
    subjects: /\b(?:integration|unit|e2e|end-to-end|smoke|frontend|backend)\b/i,
  },
  {
    relation: "test-runner",
    cue: /\btests?\b/i,
    patterns: [
      new RegExp(
        `\\b(?:${USES}|in|run)\\s+(?<value>vitest|jest|mocha|jasmine|ava|pytest|unittest|rspec|minitest|junit|playwright|cypress)\\b`,
        "i",
      ),
    ],
    subjects: /\b(?:integration|unit|e2e|end-to-end|browser)\b/i,
  },
  {
    relation: "formatter",
    cue: /\bformat/i,
    patterns: [/\b(?<value>prettier|biome|dprint|black|ruff|yapf|gofmt|rustfmt|clang-format)\b/i],
  },
  {
    relation: "linter",
    cue: /\blint/i,
    patterns: [/\b(?<value>eslint|biome|oxlint|tslint|ruff|flake8|pylint|golangci-lint|clippy|rubocop)\b/i],
  },
  {
    relation: "branch",
    patterns: [
      /\b(?<subject>default|base|release|integration|deploy(?:ment)?) branch(?:\s+is|:)?\s+`?(?<value>[\w./-]{2,60})/i,
      /\b(?:prs?|pull requests?|merge requests?)\s+(?:go|target|merge|are opened|must target)\s+(?:to|into|against)?\s*`?(?<value>[\w./-]{2,60})/i,
      /\b(?:open|send|raise)\s+(?:all\s+|your\s+)?(?:prs?|pull requests?|merge requests?)\s+(?:to|into|against)\s+`?(?<value>[\w./-]{2,60})/i,
    ],
  },
  {
    relation: "branch-point",
    patterns: [
      /\bbranch(?:es)?\s+(?:off(?:\s+from)?|(?:starts?|(?:is|are)\s+(?:cut|made|created|started))\s+(?:from|at|off))\s+(?:the\s+)?`?(?<value>[\w./-]{2,60})/i,
    ],
  },
  {
    relation: "owner",
    patterns: [
      /\b(?<subject>[\w.-]{3,40})\s+(?:is|are)\s+owned by\s+(?:the\s+)?(?<value>@?[\w-]{2,40})/i,
      /\bowner of\s+(?:the\s+)?(?<subject>[\w.-]{3,40})\s+is\s+(?:the\s+)?(?<value>@?[\w-]{2,40})/i,
    ],
  },
  {
    relation: "deploy-target",
    patterns: [
      /\bdeploy(?:s|ed|ment)?\b[^.]{0,40}?\b(?:to|on)\s+(?<value>fly|vercel|netlify|heroku|aws|gcp|azure|kubernetes|cloudflare)\b/i,
    ],
    subjects: ENVIRONMENTS,
  },
  {
    relation: "indentation",
    cue: /\bindent/i,
    patterns: [/\b(?<value>tabs|(?:two|four|eight|2|4|8) spaces)\b/i],
  },
];

/** What a clause denies fills no slot: `not npm`, `instead of jest`, `moved from mysql`. */
const DENIED =
  /\b(?:instead of|rather than|(?:not|never|no longer|don't|stop|avoid|without)(?:\s+(?:use|using|run|running))?|(?:moved|migrated|switched)\s+(?:away\s+)?from|replaces?d?|over)\s+`?[\w@./-]+`?/gi;
const CLAUSE_END = /(?<=[.!?])\s+|[;\n]|\s[–—-]\s|,\s+(?=not\b|but\b|never\b)/;
const SPELLINGS: Readonly<Record<string, string>> = {
  "node.js": "node",
  postgresql: "postgres",
  prod: "production",
  dev: "development",
  test: "tests",
  testing: "tests",
  db: "database",
  "front end": "frontend",
  "back end": "backend",
  "end-to-end": "e2e",
  two: "2",
  four: "4",
  eight: "8",
};

/** A clause without what it says is not so. */
export function withoutDenied(clause: string): string {
  return clause.replace(DENIED, " ");
}

/** The slots that a note fills. A relation that it fills with two values is ambiguous and left out. */
export function slotsOf(body: Pick<FactBody, "title" | "content" | "polarity">): SlotValue[] {
  if (body.polarity === "avoid") return [];
  const clauses = `${body.title}\n${body.content}`.split(CLAUSE_END).map(withoutDenied);
  const found = new Map<string, SlotValue | null>();
  for (const slot of clauses.flatMap((clause) => RULES.flatMap((rule) => slotIn(clause, rule)))) {
    const key = `${slot.relation}\n${slot.subject}`;
    const earlier = found.get(key);
    if (earlier === undefined) found.set(key, slot);
    else if (earlier?.value !== slot.value) found.set(key, null);
  }
  return [...found.values()].filter((slot) => slot !== null);
}

function slotIn(clause: string, rule: SlotRule): SlotValue[] {
  if (rule.cue !== undefined && !rule.cue.test(clause)) return [];
  for (const pattern of rule.patterns) {
    const groups = pattern.exec(clause)?.groups;
    if (groups?.value === undefined) continue;
    const subject = plain(groups.subject ?? rule.subjects?.exec(clause)?.[0] ?? "");
    if (rule.needsSubject === true && subject === "") return [];
    return [{ relation: rule.relation, subject, value: plain(groups.value) }];
  }
  return [];
}

function plain(text: string): string {
  const folded = text
    .toLowerCase()
    .replace(/\s+/g, " ")
    .replace(/[.`]+$/, "")
    .trim();
  const words = folded.split(" ").map((word) => SPELLINGS[word] ?? word);
  return SPELLINGS[folded] ?? words.join(" ");
}

/** Key under which slots are compared: only memories of one scope can contradict each other. */
export function slotKey(scope: Scope, slot: Pick<SlotValue, "relation" | "subject">): string {
  return [scope.kind === "user" ? "user" : scope.project, slot.relation, slot.subject].join("\n");
}

export interface SlotClash {
  readonly relation: string;
  readonly subject: string;
  readonly values: readonly [string, string];
}

/** The slot that two notes of one scope fill with different values, if there is one. */
export function slotClash(a: Pick<FactBody, "title" | "content" | "polarity">, b: MemoryRecord): SlotClash | undefined {
  const theirs = slotsOf(b);
  for (const mine of slotsOf(a)) {
    const other = theirs.find((slot) => slot.relation === mine.relation && slot.subject === mine.subject);
    if (other !== undefined && other.value !== mine.value) {
      return { relation: mine.relation, subject: mine.subject, values: [mine.value, other.value] };
    }
  }
  return undefined;
}

/** Whether two notes speak of one slot, whatever the values. */
export function shareSlot(a: Pick<FactBody, "title" | "content" | "polarity">, b: MemoryRecord): boolean {
  const theirs = slotsOf(b);
  return slotsOf(a).some((mine) => theirs.some((slot) => slotSame(slot, mine)));
}

function slotSame(a: SlotValue, b: SlotValue): boolean {
  return a.relation === b.relation && a.subject === b.subject;
}
