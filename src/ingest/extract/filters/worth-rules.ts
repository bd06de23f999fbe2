/** Rules on a fact's worth: what any model knows, what passes, what was only guessed. */
import type { Fact } from "../../../core/memory-record.ts";
import { claimSets } from "../../../text/claims.ts";
import { canonicalText } from "../../../text/shingles.ts";
import { claimOf, type FactRule } from "./fact-rule.ts";

/** Advice that names nothing of the project. What the user said of their own preferences is never generic. */
export const genericRule: FactRule = {
  id: "R5",
  apply(fact, { profile, genericCosine, genericThreshold }) {
    if (fact.type === "preference" && fact.source === "user_stated") return fact;
    if (isSpecific(fact)) return fact;
    const claim = canonicalText(claimOf(fact));
    const phrase = profile.filters.genericAdvice.find((advice) => claim.includes(canonicalText(advice)));
    if (phrase !== undefined) return `advice that any model knows: "${phrase}"`;
    const cosine = genericCosine?.(fact);
    return cosine !== undefined && cosine >= genericThreshold ? "near to a generic statement" : fact;
  },
};

/** Names, numbers, dates or addresses that tie the claim to something. */
export function isSpecific(fact: Pick<Fact, "title" | "content">): boolean {
  const { numbers, versions, identifiers } = claimSets(claimOf(fact));
  const figures = numbers.filter((number) => /\d/.test(number));
  return figures.length + versions.length + identifiers.length > 0 || /https?:\/\//.test(fact.content);
}

const VERB =
  "(?:is|was|are|were|has|have|had|contains?|needs?|will|should|runs?|listens?|must|fix(?:es|ed)|adds?|added|implements?)";
/** One branch, ticket or process by its name or number, or the one at hand. "Branch protection is on" is about neither. */
const PASSING_SUBJECT = new RegExp(
  [
    `^(?:the |this |our |my )?(?:(?:feature|working|current|git) )?(?:branch|pull request|pr|merge request|mr|ticket|issue|commit|port|pid|process(?: id)?|job|build)\\s+[\`'"#]?(?=[\\w./#-]*[\\d/#-])[\\w./#-]+[\`'"]?\\s+${VERB}\\b`,
    `^(?:this|the current|the feature|my|our) (?:branch|pull request|pr|merge request|ticket|task|session|commit)\\s+${VERB}\\b`,
  ].join("|"),
  "i",
);
const PASSING_TIME =
  /\b(?:currently|right now|at the moment|at present|for now|as of now|in progress|so far|next steps?|todo|remaining (?:work|tasks?|steps?)|work in progress)\b/i;
const TASK_STATUS =
  /^(?:(?:we|i|the (?:agent|assistant|user)|claude) )?(?:have |has |had )?(?:just |already |successfully )?(?:fixed|implemented|added|updated|created|refactored|completed|finished|merged|pushed|committed|renamed|deployed)\b/i;
const HASH_SUBJECT = /^[`'"]?(?=[0-9a-f]*\d)[0-9a-f]{7,40}\b/i;
/** A passing word later in the sentence qualifies the claim; among the first words it is the claim. */
const SUBJECT_WORDS = 6;
const DATE = /\b\d{4}-\d\d-\d\d\b/g;

/** Branches, tickets, ports, "currently": gone tomorrow. A context that names its own end may stay until then. */
export const passingRule: FactRule = {
  id: "R6",
  apply(fact, { sessionEnd }) {
    const reason = passingReason(fact);
    if (reason === undefined) return fact;
    const expires = fact.type === "context" ? endOf(fact, sessionEnd) : undefined;
    return expires === undefined ? reason : { ...fact, expires };
  },
};

function passingReason({ title, content }: Fact): string | undefined {
  for (const text of [title, content]) {
    if (PASSING_SUBJECT.test(text) || HASH_SUBJECT.test(text)) return "about a branch, ticket, commit, port or process";
    if (TASK_STATUS.test(text)) return "a task's status";
    if (PASSING_TIME.test(text.split(/\s+/).slice(0, SUBJECT_WORDS).join(" "))) return "holds only for now";
  }
  return undefined;
}

function endOf({ content, expires }: Fact, sessionEnd: Date): Date | undefined {
  const dates = [
    ...(content.match(DATE) ?? []).map((date) => new Date(`${date}T23:59:59Z`)),
    ...(expires === null ? [] : [expires]),
  ];
  return dates.filter((date) => date > sessionEnd).sort((a, b) => b.getTime() - a.getTime())[0];
}

const GUESS =
  /\b(?:might|suspect(?:s|ed)?|probably|perhaps|possibly|presumably|maybe|apparently|seem(?:s|ed|ingly)?|appear(?:s|ed)? to|likely|could be|may be|not sure|unclear|unconfirmed|hypothes[ie]s|theory|guess(?:ed)?)\b/i;

/** A guess counts only when something in the session settled it, or when it is the user's own. */
export const guessRule: FactRule = {
  id: "R7",
  apply(fact) {
    if (fact.resolvedAt !== null || fact.source === "user_stated") return fact;
    if (GUESS.test(claimOf(fact))) return "a guess that nothing in the session settled";
    const inferred = fact.type === "lesson" && fact.source === "agent_inferred";
    return inferred ? "a lesson that only the agent inferred and nothing settled" : fact;
  },
};
