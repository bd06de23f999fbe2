import { describe, expect, it } from "vitest";
import type { MemoryRecord } from "../../../src/core/memory-record.ts";
import { applyDecisions } from "../../../src/ingest/lifecycle/apply-decisions.ts";
import type { DecisionInput, DecisionPlan, IncomingFact, Proposal } from "../../../src/ingest/lifecycle/decision.ts";
import { aFact, decisionInput, incoming, proposal } from "../../support/lifecycle-input.ts";
import { aMemory, daysAgo, NOW } from "../../support/records.ts";

/** What the fact of `incoming("A")` contradicts. */
function oldPort(fields: Partial<MemoryRecord> = {}): MemoryRecord {
  return aMemory(1, {
    ...aFact(),
    scope: aMemory(1).scope,
    type: "context",
    polarity: "fact",
    title: "Postgres for the tests runs on port 5432",
    content: "The test database is Postgres on port 5432; DATABASE_URL points at it.",
    symbols: ["DATABASE_URL"],
    source: "tool_verified",
    trust: 2,
    eventAt: daysAgo(30),
    confirmedAt: daysAgo(30),
    ...fields,
  });
}

function plan(
  facts: readonly IncomingFact[],
  memories: readonly MemoryRecord[],
  [proposed, fields = {}]: readonly [Proposal | null, Partial<DecisionInput>?],
): DecisionPlan {
  return applyDecisions(decisionInput(facts, memories, { proposal: proposed, ...fields }));
}

const deletes = (fields: object = {}) => proposal([{ op: "DELETE", relation: "outdates", target: 1, ...fields }]);
const patchOf = ({ changes }: DecisionPlan, id: string) =>
  changes.flatMap((change) => (change.kind !== "add" && change.id === id ? [change.patch] : []))[0];
const added = ({ changes }: DecisionPlan) =>
  changes.flatMap((change) => (change.kind === "add" ? [change.memory] : []));

describe("applyDecisions: ADD", () => {
  it("adds a fact for which there is no decision, and says so", () => {
    const result = plan([incoming("A")], [oldPort()], [proposal([])]);
    expect(added(result)).toHaveLength(1);
    expect(result.trail[0]).toMatchObject({ applied: "ADD", guards: ["guard:no-decision"] });
  });

  it("F7: adds a fact whose target is unknown, missing or no integer", () => {
    for (const target of [0, -1, 999, null]) {
      for (const op of ["UPDATE", "DELETE", "NONE"] as const) {
        const result = plan([incoming("A")], [oldPort()], [proposal([{ op, target, relation: null }])]);
        expect(result.trail[0]).toMatchObject({ applied: "ADD", guards: ["guard:unknown-target"] });
        expect(result.changes).toHaveLength(1);
      }
    }
  });

  it("ignores decisions about facts that do not exist, and counts them", () => {
    const result = plan(
      [incoming("A")],
      [oldPort()],
      [proposal([{ fact: "Z", op: "DELETE", target: 1 }, { op: "ADD" }])],
    );
    expect(result.guards).toMatchObject({ "guard:unknown-fact": 1 });
    expect(result.changes.map(({ kind }) => kind)).toEqual(["add"]);
  });

  it("marks additions for later where the model did not answer", () => {
    const result = plan([incoming("A")], [oldPort()], [null, { pending: true }]);
    expect(added(result)[0]?.flags).toEqual(["lifecycle_pending"]);
  });
});

describe("applyDecisions: NONE", () => {
  const same = (number: number, fields: Partial<MemoryRecord> = {}) =>
    oldPort({
      ...aMemory(number, { ...oldPort(), content: aFact().content, title: aFact().title }),
      id: aMemory(number).id,
      ...fields,
    });

  it("counts one more sighting of the memory that says it already", () => {
    const result = plan([incoming("A")], [same(1)], [proposal([{ op: "NONE", relation: "same", target: 1 }])]);
    expect(patchOf(result, same(1).id)).toMatchObject({ seen: 2, eventAt: NOW });
    expect(result.trail[0]).toMatchObject({ applied: "NONE", memory: same(1).id });
  });

  it("adds instead when the target has nothing to do with the fact", () => {
    const other = aMemory(1, { title: "Logs go to Loki", content: "All services write their logs to Loki as JSON." });
    const result = plan([incoming("A")], [other], [proposal([{ op: "NONE", relation: "same", target: 1 }])]);
    expect(result.trail[0]).toMatchObject({ applied: "ADD", guards: ["guard:none-implausible"] });
  });

  it("adds instead when the target names another value: nothing is lost to a careless NONE", () => {
    const result = plan([incoming("A")], [oldPort()], [proposal([{ op: "NONE", relation: "same", target: 1 }])]);
    expect(result.trail[0]).toMatchObject({ applied: "ADD", guards: ["guard:none-differs"] });
  });

  it("F16: adds instead when the target names another person or tool: what was overtaken does not swallow what overtakes it", () => {
    const says = (name: string) => ({
      ...{ title: `Ask ${name} to review the brake controller`, symbols: [] },
      content: `Always ask ${name} to review changes to the brake controller.`,
    });
    const result = plan(
      [incoming("A", says("Tomasz"))],
      [same(1, says("Odile"))],
      [proposal([{ op: "NONE", relation: "same", target: 1 }])],
    );
    expect(result.trail[0]).toMatchObject({ applied: "ADD", guards: ["guard:none-differs"] });
  });

  it("leaves a pinned memory as it is, and only notes that it was seen", () => {
    const result = plan([incoming("A")], [same(1, { pinned: true })], [proposal([{ op: "NONE", target: 1 }])]);
    expect(result.changes).toEqual([]);
    expect(result.events).toMatchObject([{ kind: "seen" }]);
  });

  it("does not let a fact be swallowed by what outside content wrote", () => {
    const result = plan([incoming("A")], [same(1, { trust: 1 })], [proposal([{ op: "NONE", target: 1 }])]);
    expect(result.trail[0]).toMatchObject({ applied: "ADD", guards: ["guard:trust"] });
  });
});

describe("applyDecisions: UPDATE", () => {
  const merged = {
    title: "Postgres for the tests runs on port 5432",
    content: "The test database is Postgres on port 5432; DATABASE_URL points at it, also in CI.",
    why: null,
    howToApply: null,
    whenToUse: null,
    whenNot: null,
    appliesIf: null,
  };
  const refinement = incoming("A", { content: "CI uses the test database on port 5432 through DATABASE_URL as well." });
  const update = (fields: object = {}) =>
    proposal([{ op: "UPDATE", relation: "refines", target: 1, merged, ...fields }]);

  it("writes a new version with the authority of the least of its parts", () => {
    const result = plan([refinement], [oldPort({ confidence: 0.7 })], [update()]);
    const [change] = result.changes;
    expect(change).toMatchObject({ kind: "revise", expectedVersion: 1, body: { content: merged.content } });
    expect(patchOf(result, oldPort().id)).toMatchObject({ trust: 2, source: "tool_verified", confidence: 0.7 });
  });

  it.each<[string, Partial<MemoryRecord>, string]>([
    ["pinned", { pinned: true }, "guard:pinned"],
    ["written by a person", { humanEdited: true }, "guard:human-edited"],
    ["of another type", { type: "lesson" }, "guard:type-scope"],
    ["of the user's scope", { scope: { kind: "user" } }, "guard:type-scope"],
    ["of the opposite polarity", { polarity: "avoid" }, "guard:polarity"],
  ])("does not touch a memory that is %s", (_, fields, guard) => {
    const result = plan([refinement], [oldPort(fields)], [update()]);
    expect(result.trail[0]).toMatchObject({ applied: "ADD", guards: [guard], target: oldPort().id });
    expect(result.changes.map(({ kind }) => kind)).toEqual(["add"]);
  });

  it("F18: lets outside content update nothing", () => {
    const result = plan([incoming("A", { ...refinement.fact, trust: 1 })], [oldPort()], [update()]);
    expect(result.trail[0]?.guards).toEqual(["guard:trust"]);
  });

  it("lets an inference not rewrite what the user said", () => {
    const inferred = incoming("A", { ...refinement.fact, source: "agent_inferred", trust: 2 });
    const result = plan([inferred], [oldPort({ source: "user_stated", trust: 3 })], [update()]);
    expect(result.trail[0]?.guards).toEqual(["guard:rank"]);
  });

  it("lets an unproven session not rewrite a trusted memory", () => {
    const result = plan([{ ...refinement, status: "provisional" }], [oldPort()], [update()]);
    expect(result.trail[0]?.guards).toEqual(["guard:standing"]);
  });

  it.each<[string, object, string]>([
    [
      "loses a number",
      {
        title: "Postgres serves the tests",
        content: "The test database is Postgres; DATABASE_URL points at it, also in CI.",
      },
      "guard:loss",
    ],
    ["is much shorter", { content: "Postgres on port 5432, DATABASE_URL." }, "guard:loss"],
    ["names what neither source names", { content: `${merged.content} Use pgbouncer 1.21 there.` }, "guard:ungrounded"],
    ["is surer than its sources", { content: `${merged.content} It must always be so.` }, "guard:modality"],
    ["has a title that is too long", { title: "x".repeat(81) }, "guard:schema"],
  ])("does not take a merge that %s", (_, fields, guard) => {
    const result = plan([refinement], [oldPort()], [update({ merged: { ...merged, ...fields } })]);
    expect(result.trail[0]).toMatchObject({ applied: "ADD", guards: [guard] });
  });

  it("does not take a merge that holds a secret or an order", () => {
    const result = plan([refinement], [oldPort()], [update(), { refuseText: () => "R4" }]);
    expect(result.trail[0]?.guards).toEqual(["guard:text"]);
  });

  it("merges once into one memory in a run and adds the rest", () => {
    const second = { ...refinement, handle: "B", id: incoming("B").id };
    const both = proposal([
      { op: "UPDATE", relation: "refines", target: 1, merged },
      { fact: "B", op: "UPDATE", relation: "refines", target: 1, merged },
    ]);
    const result = plan([refinement, second], [oldPort()], [both]);
    expect(result.trail.map(({ applied }) => applied)).toEqual(["UPDATE", "ADD"]);
    expect(result.trail[1]?.guards).toEqual(["guard:one-update"]);
  });
});

describe("applyDecisions: DELETE", () => {
  it("F8: supersedes the old memory by the new one, which is stored", () => {
    const result = plan([incoming("A")], [oldPort()], [deletes()]);
    expect(added(result)[0]).toMatchObject({ id: incoming("A").id, status: "active" });
    expect(patchOf(result, oldPort().id)).toMatchObject({
      status: "superseded",
      supersededBy: incoming("A").id,
      tombstonedAt: NOW,
      reason: "the user said that the port has changed",
    });
  });

  it("takes a contradiction that came as an UPDATE for what it is: the old claim keeps its own row", () => {
    const result = plan(
      [incoming("A")],
      [oldPort()],
      [proposal([{ op: "UPDATE", relation: "contradicts", target: 1 }])],
    );
    expect(result.trail[0]).toMatchObject({ applied: "DELETE", guards: ["guard:relation"] });
  });

  it.each<[string, object, string]>([
    ["gives no reason", { reason: "changed" }, "guard:reason"],
    ["quotes nothing", { quote: " " }, "guard:quote"],
  ])("keeps the old memory when the proposal %s", (_, fields, guard) => {
    const result = plan([incoming("A")], [oldPort()], [deletes(fields)]);
    expect(result.trail[0]).toMatchObject({ applied: "ADD", guards: [guard] });
    expect(patchOf(result, oldPort().id)).toBeUndefined();
  });

  it("keeps the old memory when the quote is not in the session", () => {
    const result = plan([incoming("A")], [oldPort()], [deletes(), { quoteStands: () => false }]);
    expect(result.trail[0]?.guards).toEqual(["guard:quote"]);
  });

  it("keeps a memory that speaks of something else", () => {
    const other = aMemory(1, {
      title: "Logs go to Loki",
      content: "All services write JSON to Loki.",
      eventAt: daysAgo(9),
    });
    const result = plan([incoming("A")], [other], [deletes()]);
    expect(result.trail[0]).toMatchObject({ applied: "ADD", guards: ["guard:topic"] });
  });

  it.each<[string, Partial<MemoryRecord>, string]>([
    ["pinned", { pinned: true }, "guard:pinned"],
    ["written by a person", { humanEdited: true }, "guard:human-edited"],
  ])("never touches a memory that is %s: the new one names the conflict", (_, fields, guard) => {
    const result = plan([incoming("A")], [oldPort(fields)], [deletes()]);
    expect(result.trail[0]?.guards).toEqual([guard]);
    expect(added(result)[0]).toMatchObject({ flags: ["conflicts"], conflictsWith: [oldPort().id] });
    expect(patchOf(result, oldPort().id)).toBeUndefined();
  });

  it("F18: lets outside content and inferences remove nothing that stands on better ground", () => {
    const outside = plan([incoming("A", { trust: 1 })], [oldPort()], [deletes()]);
    expect(outside.trail[0]?.guards).toEqual(["guard:trust"]);
    expect(patchOf(outside, oldPort().id)).toBeUndefined();
    const inferred = incoming("A", { source: "agent_inferred", trust: 2 });
    const result = plan([inferred], [oldPort({ source: "user_stated", trust: 3 })], [deletes()]);
    expect(result.trail[0]?.guards).toEqual(["guard:rank"]);
    expect(patchOf(result, oldPort().id)?.status).toBeUndefined();
  });

  it("wants to be sure", () => {
    const result = plan([incoming("A", { confidence: 0.5 })], [oldPort()], [deletes()]);
    expect(result.trail[0]?.guards).toEqual(["guard:confidence"]);
  });

  it("stores an older fact as superseded by the newer memory, whatever the model says", () => {
    const old = incoming("A", {}, { eventAt: daysAgo(40) });
    const result = plan([old], [oldPort()], [deletes()]);
    expect(added(result)[0]).toMatchObject({ status: "superseded", supersededBy: oldPort().id });
    expect(patchOf(result, oldPort().id)).toBeUndefined();
  });

  it("removes at most a tenth of the scope, three at most; what is over is disputed", () => {
    const facts = ["A", "B", "C", "D"].map((handle) => incoming(handle));
    const memories = [1, 2, 3, 4].map((number) => oldPort({ id: aMemory(number).id }));
    const all = proposal(
      facts.map(({ handle }, at) => ({ fact: handle, op: "DELETE", relation: "outdates", target: at + 1 })),
    );
    const result = plan(facts, memories, [all]);
    expect(result.trail.map(({ applied }) => applied)).toEqual(["DELETE", "DELETE", "DELETE", "ADD"]);
    expect(result.trail[3]?.guards).toEqual(["guard:cap"]);
    expect(patchOf(result, aMemory(4).id)).toMatchObject({ status: "disputed", flags: ["conflicts"] });
    const small = plan(facts, memories, [
      all,
      { policy: { allowDelete: true, deleteCap: 3, activeInScope: 4, titleMax: 80 } },
    ]);
    expect(small.trail.filter(({ applied }) => applied === "DELETE")).toHaveLength(1);
  });

  it("removes nothing where the profile forbids it", () => {
    const policy = { allowDelete: false, deleteCap: 3, activeInScope: 100, titleMax: 80 };
    expect(plan([incoming("A")], [oldPort()], [deletes(), { policy }]).trail[0]?.guards).toEqual(["guard:delete-off"]);
  });

  it("also removes what a verdict says is no longer true", () => {
    const verdicts = [{ fact: "A", candidate: 1, stillTrue: "no" as const }];
    const result = plan([incoming("A")], [oldPort()], [proposal([{ op: "ADD" }], { verdicts })]);
    expect(result.trail[0]?.applied).toBe("DELETE");
  });

  it("keeps a memory that the same reply calls true", () => {
    const verdicts = [{ fact: "A", candidate: 1, stillTrue: "yes" as const }];
    const result = plan([incoming("A")], [oldPort()], [{ ...deletes(), verdicts }]);
    expect(result.trail[0]).toMatchObject({ applied: "ADD", guards: ["guard:verdict"] });
  });

  it("disputes both where the model can't tell and the values differ", () => {
    const verdicts = [{ fact: "A", candidate: 1, stillTrue: "cant_tell" as const }];
    const result = plan([incoming("A")], [oldPort()], [proposal([{ op: "ADD" }], { verdicts })]);
    expect(added(result)[0]).toMatchObject({ status: "disputed", conflictsWith: [oldPort().id] });
    expect(patchOf(result, oldPort().id)).toMatchObject({ status: "disputed" });
  });

  it("does not remove a memory that another fact of the run rests on", () => {
    const same = incoming("B", { content: oldPort().content, title: oldPort().title });
    const both = proposal([
      { op: "DELETE", relation: "outdates", target: 1 },
      { fact: "B", op: "NONE", relation: "same", target: 1 },
    ]);
    const result = plan([incoming("A"), same], [oldPort()], [both]);
    expect(result.trail[0]).toMatchObject({ applied: "ADD", guards: ["guard:home"] });
    expect(patchOf(result, oldPort().id)?.status).toBeUndefined();
  });
});

describe("applyDecisions: promotion", () => {
  const provisional = (fields: Partial<MemoryRecord>) =>
    oldPort({
      content: aFact().content,
      title: aFact().title,
      status: "provisional",
      trust: 3,
      provenance: [],
      ...fields,
    });
  const seen = proposal([{ op: "NONE", relation: "same", target: 1 }]);

  it("trusts a provisional memory that a proven session teaches again", () => {
    expect(patchOf(plan([incoming("A")], [provisional({})], [seen]), oldPort().id)).toMatchObject({ status: "active" });
  });

  it("trusts one that a second origin of another kind supports, in another session", () => {
    const again = incoming("A", {}, { status: "provisional" });
    expect(patchOf(plan([again], [provisional({ source: "tool_verified" })], [seen]), oldPort().id)?.status).toBe(
      "active",
    );
  });

  it("takes one person who says a thing twice for one origin", () => {
    const again = incoming("A", {}, { status: "provisional" });
    expect(
      patchOf(plan([again], [provisional({ source: "user_stated" })], [seen]), oldPort().id)?.status,
    ).toBeUndefined();
  });

  it("never trusts by repetition what came from outside", () => {
    const again = incoming("A", { trust: 1 }, { status: "provisional" });
    const outside = provisional({ trust: 1, source: "tool_verified" });
    expect(patchOf(plan([again], [outside], [seen]), oldPort().id)?.status).toBeUndefined();
  });
});
