/** Situations in which a note should come to mind, read from what it speaks of. */
import { claimSets } from "./claims.ts";
import { extractSymbols } from "./symbols.ts";

interface Topic {
  readonly mentions: RegExp;
  readonly situation: string;
}

/** In order of how well a mention tells the situation. */
const TOPICS: readonly Topic[] = [
  {
    mentions:
      /\b(?:(?:npm|pnpm|yarn|bun|pip|poetry|uv|cargo|composer|gradle|maven)\b(?!\s+(?:run|tests?|exec|dlx|-))|install(?:ing|s|ed)?|dependenc(?:y|ies)|lock ?file|package manager)\b/i,
    situation: "installing, adding or upgrading a dependency",
  },
  {
    mentions: /\b(?:migrations?|schema|alter table|columns?|foreign keys?)\b/i,
    situation: "changing the database schema or writing a migration",
  },
  {
    mentions: /\b(?:sql|quer(?:y|ies)|joins?|warehouse|select|group by)\b/i,
    situation: "writing or fixing a query",
  },
  {
    mentions:
      /\b(?:tests?|testing|vitest|jest|pytest|mocha|playwright|cypress|fixtures?|mocks?|coverage|specs? files?)\b/i,
    situation: "writing or running tests",
  },
  {
    mentions:
      /\b(?:commits?|commit messages?|branch(?:es)?|pull requests?|prs?|merge|rebase|squash|push(?:ing)?|git)\b/i,
    situation: "committing, branching or opening a pull request",
  },
  {
    mentions: /\b(?:deploy(?:s|ment|ing)?|releases?|publish(?:ing)?|roll ?out|production)\b/i,
    situation: "deploying or releasing",
  },
  {
    mentions:
      /\b(?:ci|pipelines?|workflow files?|github actions|(?:the|a|every|broken|failing) build|build (?:step|script|command|fails?)|run build|compile[sd]?|bundl(?:er|ing))\b/i,
    situation: "building, or fixing the build or CI",
  },
  {
    mentions:
      /\b(?:formatters?|format(?:ted|ting)? (?:code|files|with)|lint(?:er|ing)?|prettier|biome|eslint|indent(?:ation)?|naming|code style|import order|camelcase|snake_case|tabs|spaces|semicolons?|quotes)\b/i,
    situation: "writing or formatting code",
  },
  { mentions: /\b(?:types?|typescript|any|interfaces?|generics?)\b/i, situation: "writing or changing types" },
  {
    mentions: /\b(?:error handling|exceptions?|throw(?:s|ing)?|try|catch|retry|retries|timeouts?)\b/i,
    situation: "handling errors or time-outs",
  },
  {
    mentions: /\b(?:logs?|logging|logger|console\.log|print statements?|metrics|tracing)\b/i,
    situation: "adding logging or metrics",
  },
  {
    mentions:
      /\b(?:env(?:ironment)? variables?|\.env|config(?:uration)?|settings|feature flags?|secrets?|credentials?)\b/i,
    situation: "changing configuration or environment variables",
  },
  {
    mentions: /\b(?:api|endpoints?|routes?|requests?|responses?|webhooks?|http)\b/i,
    situation: "changing or calling an API",
  },
  {
    mentions: /\b(?:time ?zones?|utc|timestamps?|dates?|datetime|local times?|epoch|clocks?)\b/i,
    situation: "working with dates and times",
  },
  {
    mentions: /\b(?:money|amounts?|prices?|cents|currenc(?:y|ies)|revenue|invoices?|billing|refunds?|payments?)\b/i,
    situation: "working with amounts of money",
  },
  {
    mentions: /\b(?:docs?|documentation|readme|comments?|changelog|docstrings?)\b/i,
    situation: "writing documentation or comments",
  },
  {
    mentions: /\b(?:css|tailwind|components?|ui|layout|design|buttons?|pages?|react|vue|svelte)\b/i,
    situation: "changing the user interface",
  },
  {
    mentions: /\b(?:auth(?:entication|orization)?|login|sessions?|tokens?|permissions?|roles?)\b/i,
    situation: "changing login or permissions",
  },
  {
    mentions: /\b(?:performance|slow|cache[sd]?|caching|memory|latency|index(?:es)?)\b/i,
    situation: "working on performance or caching",
  },
  {
    mentions: /\b(?:docker|compose|containers?|kubernetes|k8s|ports?|servers?|localhost)\b/i,
    situation: "starting or changing local services",
  },
  {
    mentions: /\b(?:delete|deleting|remove|removing|drop|generated|by hand|directly)\b/i,
    situation: "editing, moving or deleting files",
  },
  {
    mentions: /\b(?:explain|answers?|summar(?:y|ies)|verbose|concise|emojis?|language|english|german)\b/i,
    situation: "answering or explaining",
  },
];

const MAX_SITUATIONS = 3;
/** With fewer situations of its own, the task in which a note came up is one more. */
const GOAL_BELOW = 2;
const MAX_SYMBOLS = 8;

/**
 * One to three situations: what is being done, by topic; which names are touched; and, where little of that is known, the
 * task in which it came up.
 *
 * @param text - The title on the first line; what it speaks of comes before what the rest does.
 * @param seen - A situation that the rule itself saw, an error for example; it comes first.
 * @param goal - What the session was about, in the user's words; null for what holds whatever the task.
 */
export function situationsFor(
  text: string,
  symbols: readonly string[],
  { seen, goal }: { readonly seen?: string | undefined; readonly goal: string | null },
): string[] {
  const [title = ""] = text.split("\n");
  const mentioned = TOPICS.filter(({ mentions }) => mentions.test(text));
  const inTitle = mentioned.filter(({ mentions }) => mentions.test(title));
  const topics = [...new Set([...inTitle, ...mentioned].map(({ situation }) => situation))];
  const named = symbols.filter((symbol) => symbol.length <= 60).slice(0, 2);
  const touching = named.length === 0 ? [] : [`working with ${named.join(" and ")}`];
  const own = seen === undefined ? [] : [seen];
  const found = [...own, ...topics.slice(0, MAX_SITUATIONS - 1 - own.length), ...touching].slice(0, MAX_SITUATIONS);
  if (goal !== null && found.length < GOAL_BELOW) return [...found, `a task like: ${goal}`];
  return found.length > 0 ? found : ["working in this project"];
}

/** Names by which a note can be found: symbols, and the tools that it speaks of. */
export function symbolsOf(text: string): string[] {
  const symbols = extractSymbols(text);
  const known = new Set(symbols.map((symbol) => symbol.toLowerCase()));
  const tools = claimSets(text).identifiers.filter((name) => /^[a-z][\w.+-]{1,40}$/.test(name) && !known.has(name));
  return [...symbols, ...tools].slice(0, MAX_SYMBOLS);
}
