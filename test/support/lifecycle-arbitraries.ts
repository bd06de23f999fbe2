/**
 * Memories, facts and replies for properties of the lifecycle: memories of one matter, replies of which most carry real
 * handles, some of them mutated. Shared by the tests and by `npm run long`.
 */
import fc from "fast-check";
import type { MemoryId } from "../../src/core/ids.ts";
import { LIVE_STATUSES, type MemoryRecord } from "../../src/core/memory-record.ts";
import type { DecisionInput, DecisionPlan, IncomingFact, Proposal } from "../../src/ingest/lifecycle/decision.ts";
import { parseDecisions } from "../../src/ingest/lifecycle/parse-decisions.ts";
import { storeMemories } from "../../src/ingest/lifecycle/store-memories.ts";
import type { Store } from "../../src/store/store.ts";
import { anyText } from "./any-text.ts";
import { decisionInput, incoming } from "./lifecycle-input.ts";
import { aMemory, daysAgo } from "./records.ts";

const PORTS = [5432, 5433, 5434];
const SOURCES = ["user_stated", "user_confirmed", "tool_verified", "agent_inferred"] as const;

/** What a few memories are instead, so that the guards of matter, type, polarity and modality are met as well. */
function variantOf(kind: string, at: number): Partial<MemoryRecord> {
  if (kind === "other type") return { type: "lesson" };
  if (kind === "avoided") return { polarity: "avoid" };
  if (kind === "hedged") {
    return { content: `The test database is probably Postgres on port 5432; DATABASE_URL points at it, number ${at}.` };
  }
  return {
    title: `Holidays of the office are in the calendar ${at}`,
    content: `Holidays of the office stand in the shared calendar ${at} since spring.`,
    whenToUse: ["planning a release"],
    symbols: [OTHER_SYMBOL],
  };
}

const OTHER_SYMBOL = "office-calendar";

/** Memories of one matter, so that decisions about them pass most guards. */
const memoryFields = fc.record({
  port: fc.constantFrom(...PORTS),
  status: fc.constantFrom("active" as const, "provisional" as const, "disputed" as const),
  pinned: fc.constantFrom(false, false, true),
  humanEdited: fc.constantFrom(false, false, true),
  source: fc.constantFrom(...SOURCES),
  trust: fc.constantFrom(1 as const, 2 as const, 3 as const),
  age: fc.integer({ min: 0, max: 60 }),
  kind: fc.oneof(
    { weight: 8, arbitrary: fc.constant("same matter" as const) },
    { weight: 3, arbitrary: fc.constantFrom("other matter", "other type", "avoided", "hedged") },
  ),
});

export const memoriesArb = fc.array(memoryFields, { minLength: 1, maxLength: 6 }).map((all) =>
  all.map(({ port, age, kind, ...fields }, at) =>
    aMemory(at + 1, {
      type: "context",
      polarity: "fact",
      title: `Postgres for the tests runs on port ${port}`,
      content: `The test database is Postgres on port ${port}; DATABASE_URL points at it, number ${at}.`,
      why: "The tunnel needs it.",
      howToApply: "Point DATABASE_URL at it.",
      whenToUse: ["running the tests"],
      symbols: ["DATABASE_URL"],
      eventAt: daysAgo(age),
      confirmedAt: daysAgo(age),
      ...fields,
      ...(kind === "same matter" ? {} : variantOf(kind, at)),
    }),
  ),
);

const anyFact = fc.record({
  port: fc.constantFrom(...PORTS),
  source: fc.constantFrom(...SOURCES),
  trust: fc.constantFrom(1 as const, 2 as const, 3 as const),
  confidence: fc.constantFrom(0.4, 0.7, 0.9),
  age: fc.integer({ min: 0, max: 60 }),
  status: fc.constantFrom("active" as const, "provisional" as const),
});
/** A fact with the standing to change something. */
const strongFact = fc.record({
  port: fc.constantFrom(...PORTS),
  source: fc.constant("user_stated" as const),
  trust: fc.constant(3 as const),
  confidence: fc.constant(0.9),
  age: fc.constant(0),
  status: fc.constant("active" as const),
});

export const factsArb = fc.array(fc.oneof(anyFact, strongFact), { minLength: 1, maxLength: 4 }).map((all) =>
  all.map(({ port, age, status, ...fields }, at): IncomingFact => {
    const handle = String.fromCharCode(65 + at);
    const content = `The test database of DATABASE_URL is Postgres on port ${port} now, says fact ${handle}.`;
    return incoming(handle, { content, ...fields }, { eventAt: daysAgo(age), status });
  }),
);

function mostly(usual: string, ...rare: readonly string[]): fc.Arbitrary<string> {
  return fc.oneof({ weight: 5, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: fc.constantFrom(...rare) });
}

/** Real handles, mutated ones and nonsense, so that at least half of the replies reach the guards. */
const handleArb = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom<unknown>(1, 1, 2, 2, 3, 4, 6) },
  { weight: 1, arbitrary: fc.constantFrom<unknown>(0, -1, 999, 1.5, "3", "three", null, "0b8d", {}) },
);
const letterArb = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom("A", "B", "C", "D") },
  { weight: 1, arbitrary: fc.constantFrom<unknown>("a", "Fact B", "Z", "", 1, null) },
);
/** Stands for a secret that a merge brings in. */
const REFUSED = "the token is known";

const mergedArb = fc.option(
  fc.record({
    title: mostly("Postgres for the tests runs on port 5432", "x", ""),
    content: fc.oneof(
      fc
        .tuple(fc.constantFrom(...PORTS), fc.integer({ min: 0, max: 3 }))
        .map(
          ([port, at]) =>
            `The test database is Postgres on port ${port}; DATABASE_URL points at it, number ${at}, in CI.`,
        ),
      fc.constantFrom(
        "The test database is Postgres on port 5432; DATABASE_URL points at it, number 0, also in CI.",
        "The test database is Postgres on port 6000; DATABASE_URL points at it, number 0, says vault_v9.",
        `The test database is Postgres on port 5432; DATABASE_URL points at it, ${REFUSED}, number 0.`,
        "Gone.",
        "",
      ),
    ),
  }),
  { freq: 2 },
);
const decisionParts = fc.record({
  fact: letterArb,
  how: fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom("outdates DELETE", "refines UPDATE", "same NONE") },
    {
      weight: 1,
      arbitrary: fc
        .tuple(
          fc.constantFrom("same", "refines", "contradicts", "outdates", "separate", "nonsense"),
          fc.constantFrom("ADD", "UPDATE", "DELETE", "NONE", "delete", "ERASE"),
        )
        .map((pair) => pair.join(" ")),
    },
  ),
  target: handleArb,
  merged: mergedArb,
  quote: mostly("the test database moved to port 5433", "never said", ""),
  reason: mostly("the user said that the port has changed", "no", ""),
});
const decisionArb = decisionParts.map(({ how, ...rest }) => {
  const [relation, op] = how.split(" ");
  return { ...rest, relation, op };
});
const verdictArb = fc.record({
  fact: letterArb,
  candidate: handleArb,
  still_true: fc.constantFrom("yes", "no", "cant_tell", "maybe"),
});
/** Decisions that agree about one candidate: the guards that stand behind many others are met by these. */
const agreeingDecisions = fc
  .record({
    how: fc.constantFrom("refines UPDATE", "outdates DELETE", "same NONE"),
    second: fc.constantFrom("refines UPDATE", "outdates DELETE"),
    target: fc.integer({ min: 1, max: 3 }),
    port: fc.constantFrom(...PORTS),
  })
  .map(({ how, second, target, port }) =>
    [how, second, how, second].map((one, at) => {
      const [relation, op] = one.split(" ");
      const content = `The test database is Postgres on port ${port}; DATABASE_URL points at it, number ${target - 1}, in CI.`;
      const merged = { title: `Postgres for the tests runs on port ${port}`, content };
      const quote = "the test database moved to port 5433";
      const reason = "the user said that the port 5432 or 5433 or 5434 has changed";
      return { fact: "ABCD"[at] ?? "A", relation, op, target, merged, quote, reason };
    }),
  );

const wellFormedReply = fc
  .record({
    decisions: fc.oneof(
      { weight: 3, arbitrary: fc.array(decisionArb, { maxLength: 8 }) },
      { weight: 1, arbitrary: agreeingDecisions },
    ),
    verdicts: fc.array(verdictArb, { maxLength: 6 }),
  })
  .map((reply) => JSON.stringify(reply));

/** What models and connections do to an answer. */
const damagedReply = fc
  .tuple(wellFormedReply, fc.nat(), fc.integer({ min: 0, max: 0xffff }), fc.integer({ min: 0, max: 5 }))
  .map(([reply, place, unit, how]) => {
    const at = place % reply.length;
    switch (how) {
      case 0:
        return reply.slice(0, at);
      case 1:
        return `${reply.slice(0, at)}${String.fromCharCode(unit)}${reply.slice(at + 1)}`;
      case 2:
        return `\`\`\`json\n${reply}\n\`\`\``;
      case 3:
        return `<think>{"decisions": maybe</think>Here you are:\n${reply}\nAnything else?`;
      case 4:
        return reply.replaceAll('"', "'");
      default:
        return reply.replace("}]", "},]");
    }
  });

export const replyArb: fc.Arbitrary<string> = fc.oneof(
  { weight: 6, arbitrary: wellFormedReply },
  { weight: 2, arbitrary: damagedReply },
  { weight: 1, arbitrary: anyText(120) },
  { weight: 1, arbitrary: fc.json() },
);

export const caseArb = fc.record({
  memories: memoriesArb,
  facts: factsArb,
  decisions: fc.array(decisionArb, { maxLength: 8 }),
  verdicts: fc.array(verdictArb, { maxLength: 6 }),
});

export function inputFor(
  facts: readonly IncomingFact[],
  memories: readonly MemoryRecord[],
  proposal: Proposal | null,
): DecisionInput {
  return decisionInput(facts, memories, {
    proposal,
    pending: proposal === null,
    similarity: (_fact, memory) => (memory.symbols.includes(OTHER_SYMBOL) ? 0.02 : 0.8),
    policy: { allowDelete: true, deleteCap: 3, activeInScope: 10, titleMax: 80 },
    refuseText: (text) => (text.includes(REFUSED) ? "R4" : undefined),
    quoteStands: (quote) => quote === "the test database moved to port 5433",
  });
}

/**
 * Guards that random replies must meet, each this often in a thousand cases at the least, or the property says little.
 * About a third of what was counted. The others need a race, a rule's fact or a setting.
 */
export const GUARDS_IN_A_THOUSAND: Readonly<Record<string, number>> = {
  "no-decision": 250,
  "unknown-fact": 300,
  "unknown-target": 100,
  "none-differs": 50,
  "none-implausible": 4,
  relation: 20,
  "no-merged": 7,
  pinned: 60,
  "human-edited": 40,
  trust: 12,
  rank: 8,
  standing: 2,
  "type-scope": 2.5,
  polarity: 2.5,
  confidence: 1.4,
  reason: 30,
  quote: 10,
  topic: 9,
  "event-time": 20,
  verdict: 11,
  "cant-tell": 45,
  "already-superseded": 6,
  home: 2.5,
  cap: 0.8,
  "one-update": 2,
  ungrounded: 6,
  loss: 0.7,
  modality: 0.3,
  schema: 1,
  text: 0.6,
};

/** What one reply was, for counts. */
export interface ReplyCensus {
  /** It held at least one decision. */
  readonly parsed: boolean;
  /** One of them names a fact that there is and a candidate by number: a real one, or one that is out of range. */
  readonly carriesHandles: boolean;
  /** At least one handle in it is none of those that were given out. */
  readonly mutated: boolean;
}

/** Reads a reply as the pipeline does and says what it was. */
export function readReplyForCase(
  reply: string,
  facts: readonly IncomingFact[],
  memories: readonly MemoryRecord[],
): { readonly proposal: Proposal | null; readonly census: ReplyCensus } {
  const proposal = parseDecisions({ text: reply, truncated: false }) ?? null;
  const decisions = proposal?.decisions ?? [];
  const letters = new Set(facts.map(({ handle }) => handle));
  const isReal = (target: number | null) => target !== null && target >= 1 && target <= memories.length;
  return {
    proposal,
    census: {
      parsed: decisions.length > 0,
      carriesHandles: decisions.some(({ fact, target }) => letters.has(fact) && target !== null),
      mutated: decisions.some(({ fact, target }) => !letters.has(fact) || !isReal(target)),
    },
  };
}

const isLive = ({ status }: MemoryRecord): boolean => LIVE_STATUSES.some((live) => live === status);

export interface CaseOutcome {
  readonly plan: DecisionPlan;
  /** Sentences; empty where the property holds. */
  readonly violations: readonly string[];
}

/** Plans and writes one case and looks whether the safety property holds in the store. */
export async function runCase(
  store: Store,
  {
    facts,
    before,
    proposal,
  }: { facts: readonly IncomingFact[]; before: readonly MemoryRecord[]; proposal: Proposal | null },
): Promise<CaseOutcome> {
  const { plan } = await storeMemories(
    { memories: store.memories, decideAgain: async () => undefined },
    inputFor(facts, before, proposal),
  );
  const violations: string[] = [];
  for (const was of before) violations.push(...(await lossesOf(store, was)));
  for (const { memory, applied } of plan.trail) {
    if ((await store.memories.get(memory as MemoryId)) === undefined)
      violations.push(`a fact is lost after ${applied}`);
  }
  if (plan.trail.length !== facts.length) violations.push(`${facts.length} facts, ${plan.trail.length} homes`);
  return { plan, violations };
}

/** What the safety property has against a memory's fate, as sentences. */
export async function lossesOf(store: Store, was: MemoryRecord): Promise<string[]> {
  const is = await store.memories.get(was.id);
  const isProtected = was.pinned || was.humanEdited;
  if (isProtected && JSON.stringify(is) !== JSON.stringify(was)) return [`${was.id} is protected and was changed`];
  if (!isLive(was) || (is !== undefined && isLive(is))) return [];
  if (is?.status !== "superseded") return [`${was.id} is gone without being superseded`];
  const successor = is.supersededBy === null ? undefined : await store.memories.get(is.supersededBy);
  return successor === undefined ? [`${was.id} has no stored successor`] : [];
}
