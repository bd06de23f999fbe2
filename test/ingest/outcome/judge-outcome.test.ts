import { describe, expect, it } from "vitest";
import type { Session } from "../../../src/core/session.ts";
import { judgeOutcome } from "../../../src/ingest/outcome/judge-outcome.ts";
import { buildSession, edits, happens, human, runs, says } from "../../support/build-session.ts";
import { CODING } from "../../support/coding-profile.ts";
import { cannedModel, DOWN, stageDeps } from "../../support/stage-deps.ts";

const noJudge = { now: () => new Date(0), profile: CODING };

async function outcomeOf(session: Session) {
  return (await judgeOutcome(noJudge, { session })).outcome;
}

const PASSED = "Test Files 3 passed\nTests 41 passed";
const FAILED = "Tests 2 failed | 39 passed";

describe("judgeOutcome", () => {
  it("calls a session whose tests pass after the last change a success of the environment", async () => {
    const outcome = await outcomeOf(
      buildSession([human("Fix the importer."), edits("src/a.ts"), runs("npm test", PASSED), says("All done.")]),
    );
    expect(outcome).toMatchObject({ label: "success", evidence: "environment" });
    expect(outcome.signals).toContainEqual(expect.objectContaining({ id: "verified", turn: 4, weight: 3 }));
  });

  it("calls a correction that the agent then fixes and verifies a success, and records the correction as answered", async () => {
    const outcome = await outcomeOf(
      buildSession([
        human("Fix the importer."),
        edits("src/a.ts"),
        says("Done."),
        human("No, it still drops the readings."),
        edits("src/b.ts"),
        runs("npm test", PASSED),
        says("Now it holds."),
      ]),
    );
    expect(outcome.label).toBe("success");
    expect(outcome.signals).toContainEqual(
      expect.objectContaining({ id: "user_correction", turn: 4, resolved: true, evidence: "user" }),
    );
  });

  it("gives nothing for the agent's own claim of success", async () => {
    const claims = says("All tests pass and everything works perfectly. The task is complete.");
    const outcome = await outcomeOf(buildSession([human("Fix it."), edits("src/a.ts"), claims]));
    expect(outcome.label).toBe("unknown");
    expect(outcome.signals.every(({ weight }) => Math.abs(weight) < 3)).toBe(true);
  });

  it.each([
    ["echo", runs('echo "Tests 41 passed"')],
    ["printf after the real command", runs("npm test || true; printf 'Tests 41 passed'", "Tests 41 passed")],
    ["a here-document", runs("cat > log.txt <<'END'\nnpm test\nTests 41 passed\nEND", "Tests 41 passed")],
    [
      "a script that only echoes",
      runs("npm test", "> tidewatch@1.0.0 test\n> echo all 41 tests passed\n\n41 tests passed"),
    ],
    ["a commit message", runs('git log --grep "npm test"', "npm test: 41 passed")],
    ["no test at all", runs("npm test", "No tests found, exiting with code 0")],
  ])("does not take output that the session printed itself for a passed check: %s", async (_, drafts) => {
    const outcome = await outcomeOf(buildSession([human("Fix it."), edits("src/a.ts"), drafts, says("Done.")]));
    expect(outcome.signals.map(({ id }) => id)).not.toContain("verified");
    expect(outcome.label).not.toBe("success");
  });

  it("reads the verdict from the output where a pipe hides the status", async () => {
    const passed = await outcomeOf(
      buildSession([human("Fix."), edits("a.ts"), runs("npm test 2>&1 | tail -5", PASSED)]),
    );
    const failed = await outcomeOf(
      buildSession([human("Fix."), edits("a.ts"), runs("npm test 2>&1 | tail -5", FAILED)]),
    );
    expect([passed.label, failed.label]).toEqual(["success", "failure"]);
  });

  it("sees the check behind wrappers: directory, variables, sh -c", async () => {
    const command = 'cd packages/importer && CI=1 timeout 60 bash -lc "npx vitest run"';
    const outcome = await outcomeOf(buildSession([human("Fix."), edits("a.ts"), runs(command, PASSED)]));
    expect(outcome.label).toBe("success");
  });

  it("calls a failing last check a failure, whatever the agent says", async () => {
    const failing = runs("npm test", FAILED, { status: "error", exitCode: 1 });
    const outcome = await outcomeOf(buildSession([human("Fix."), edits("a.ts"), failing, says("It works now.")]));
    expect(outcome).toMatchObject({ label: "failure", evidence: "environment" });
  });

  it("does not let an early pass stand for what was changed after it", async () => {
    const outcome = await outcomeOf(
      buildSession([human("Fix."), runs("npm test", PASSED), edits("a.ts"), says("Done.")]),
    );
    expect(outcome.label).toBe("unknown");
  });

  it("takes a commit after the last change for success, unless it was reverted", async () => {
    const work = [human("Fix."), edits("a.ts"), runs("git add -A && git commit -m 'fix: window'", "1 file changed")];
    expect(await outcomeOf(buildSession(work))).toMatchObject({ label: "success", evidence: "git" });
    const reverted = await outcomeOf(buildSession([...work, runs("git revert --no-edit HEAD")]));
    expect(reverted.label).not.toBe("success");
  });

  it("hears acceptance in the user's last words", async () => {
    const outcome = await outcomeOf(
      buildSession([human("Fix."), edits("a.ts"), says("Done."), human("Perfect, thanks!")]),
    );
    expect(outcome).toMatchObject({ label: "success", evidence: "user" });
  });

  it.each([
    "Good, thank you.",
    "Works here too, great.",
    "Works on staging, merged.",
    "Good, that's exactly the form I want. Accepted.",
  ])("hears acceptance: %s", async (words) => {
    const outcome = await outcomeOf(buildSession([human("Fix."), edits("a.ts"), says("Done."), human(words)]));
    expect(outcome.signals.map(({ id }) => id)).toContain("user_acceptance");
  });

  it.each([
    "It is not accepted by the parser.",
    "Does it work here too?",
    "It works here, but not on staging.",
    "Good. That's exactly why it fails.",
  ])("does not hear acceptance: %s", async (words) => {
    const outcome = await outcomeOf(buildSession([human("Fix."), edits("a.ts"), says("Done."), human(words)]));
    expect(outcome.signals.map(({ id }) => id)).not.toContain("user_acceptance");
  });

  it.each([
    "Thanks, but it still fails with the same error.",
    "That doesn't look good.",
    "It is not working.",
    "No, that's not what I asked for.",
    "Please revert that.",
  ])("hears a complaint that nothing answers: %s", async (complaint) => {
    const outcome = await outcomeOf(buildSession([human("Fix."), edits("a.ts"), says("Done."), human(complaint)]));
    expect(outcome).toMatchObject({ label: "failure", evidence: "user" });
  });

  it.each([
    "```\nPerfect, it works now!\n```\nwhat does this log mean?",
    "> Perfect, it works\nwhere does this come from?",
    'The page says "it works", what is that?',
    "Once it works, add a changelog entry.",
    "Does it work now?",
  ])("does not take quoted, conditional or asked words for acceptance: %s", async (words) => {
    const outcome = await outcomeOf(
      buildSession([human("Fix."), edits("a.ts"), says("Done."), human(words), says("…")]),
    );
    expect(outcome.signals.map(({ id }) => id)).not.toContain("user_acceptance");
  });

  it("does not judge the first request, however it complains", async () => {
    const request = human("The build is broken again, it still fails. Fix it.");
    const outcome = await outcomeOf(buildSession([request, edits("a.ts"), runs("npm run build", "done in 3 s")]));
    expect(outcome.label).toBe("success");
    expect(outcome.signals.map(({ id }) => id)).not.toContain("user_correction");
  });

  it("counts an interrupt only when nothing succeeded after it", async () => {
    const interrupt = happens("[interrupted by the user]");
    const ended = await outcomeOf(buildSession([human("Fix."), edits("a.ts"), interrupt]));
    const went = await outcomeOf(
      buildSession([human("Fix."), interrupt, human("Use b."), edits("b.ts"), runs("npm test", PASSED)]),
    );
    expect([ended.label, went.label]).toEqual(["failure", "success"]);
  });

  it("sees that the user threw the changes away", async () => {
    const revert = runs("git checkout -- .", "", { byUser: true });
    const outcome = await outcomeOf(buildSession([human("Fix."), edits("a.ts"), says("Done."), revert]));
    expect(outcome.label).toBe("failure");
    expect(outcome.signals.map(({ id }) => id)).toContain("user_revert");
  });

  it("sees that the host ended the session", async () => {
    const session = buildSession([human("Fix."), edits("a.ts")], { endedBy: "api_error" });
    expect((await outcomeOf(session)).label).toBe("failure");
  });

  it("calls a session with hard evidence on both sides partial", async () => {
    const outcome = await outcomeOf(
      buildSession([
        human("Fix."),
        edits("a.ts"),
        runs("npm test", PASSED),
        says("Done."),
        human("No, this is wrong."),
      ]),
    );
    expect(outcome.label).toBe("partial");
  });

  it("hears German, too", async () => {
    const outcome = await outcomeOf(
      buildSession([
        human("Bitte beheben."),
        edits("a.ts"),
        says("Fertig."),
        human("Super, danke, jetzt funktioniert es."),
      ]),
    );
    expect(outcome.label).toBe("success");
    const no = await outcomeOf(
      buildSession([
        human("Bitte beheben."),
        edits("a.ts"),
        says("Fertig."),
        human("Das funktioniert immer noch nicht."),
      ]),
    );
    expect(no.label).toBe("failure");
  });

  it("believes the caller before everything else", async () => {
    const session = buildSession([human("Fix."), edits("a.ts"), runs("npm test", FAILED, { status: "error" })]);
    const { outcome } = await judgeOutcome(noJudge, { session, stated: "success" });
    expect(outcome).toMatchObject({ label: "success", evidence: "caller" });
  });
});

describe("the judge", () => {
  const open = buildSession([
    human("Explain the importer."),
    says("It reads gauges."),
    human("And the exporter?"),
    says("It writes."),
  ]);
  const answer = (label: string, more: object = {}) =>
    JSON.stringify({ evidence: [2], reason: "moved on", label, confidence: 0.9, ...more });

  it("is asked only where the signals leave it open", async () => {
    const model = cannedModel([answer("success")]);
    const closed = buildSession([human("Fix."), edits("a.ts"), runs("npm test", PASSED)]);
    await judgeOutcome(stageDeps(model), { session: closed });
    expect(model.requests).toHaveLength(0);
    const { outcome, report } = await judgeOutcome(stageDeps(model), { session: open });
    expect(outcome).toMatchObject({ label: "success", evidence: "judge", reason: "moved on" });
    expect(report.calls).toBe(1);
  });

  it.each([
    ["cites turns that do not exist", answer("success", { evidence: [99] })],
    ["is not sure", answer("success", { confidence: 0.4 })],
    ["names no label", answer("great")],
    ["apologises", "I'm sorry, I can't help with that."],
    ["prefers unknown", answer("unknown")],
  ])("changes nothing when it %s", async (_, reply) => {
    const { outcome } = await judgeOutcome(stageDeps(cannedModel([reply])), { session: open });
    expect(outcome.label).toBe("unknown");
  });

  it("changes nothing when the model is down", async () => {
    const { outcome, report } = await judgeOutcome(stageDeps(cannedModel([DOWN])), { session: open });
    expect(outcome.label).toBe("unknown");
    expect(report.notes.join()).toContain("the endpoint is down");
  });

  it("never lifts a session with a hard negative above partial, nor lowers one with a hard positive", async () => {
    const always = { ...CODING, outcome: { ...CODING.outcome, judge: "always" as const } };
    const judged = async (label: string, session: Session) =>
      (await judgeOutcome(stageDeps(cannedModel([answer(label, { evidence: [0] })]), { profile: always }), { session }))
        .outcome.label;
    const failed = buildSession([human("Fix."), edits("a.ts"), runs("npm test", FAILED, { status: "error" })]);
    const passed = buildSession([human("Fix."), edits("a.ts"), runs("npm test", PASSED)]);
    expect(await judged("success", failed)).toBe("partial");
    expect(await judged("failure", passed)).toBe("success");
  });
});
