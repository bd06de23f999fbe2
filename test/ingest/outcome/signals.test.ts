import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import type { Profile } from "../../../src/core/profile.ts";
import type { Session } from "../../../src/core/session.ts";
import { judgeOutcome } from "../../../src/ingest/outcome/judge-outcome.ts";
import { buildSession, edits, happens, human, runs, says } from "../../support/build-session.ts";
import { cannedModel, stageDeps } from "../../support/stage-deps.ts";

/** As it comes with the package: its patterns and weights are what is tested here. */
const BUNDLED: Profile = parse(readFileSync("profiles/coding.yaml", "utf8"));

async function outcomeOf(session: Session, profile: Profile = BUNDLED) {
  return (await judgeOutcome({ now: () => new Date(0), profile }, { session })).outcome;
}

type Drafts = Parameters<typeof buildSession>[0];
const FAILED = { status: "error", exitCode: 1 } as const;
const red = (command: string, output: string) => runs(command, output, FAILED);
const start: Drafts = [human("Fix the importer."), edits("src/a.ts"), says("Changed.")]; // turns 0–3
const tasks = (...states: readonly string[]): Drafts[number] => {
  const args = JSON.stringify({ todos: states.map((status) => ({ content: "x", status })) });
  return [{ kind: "tool_call", text: "", origin: "model", trust: 2, tool: { name: "TodoWrite", args } }];
};

describe("the signals of a session", () => {
  it.each<readonly [string, readonly [number, number], Drafts]>([
    ["user_acceptance", [3, 4], [...start, human("Perfect, thanks!")]],
    ["verified", [3, 5], [...start, runs("npm test", "Tests 4 passed")]],
    ["committed", [3, 4], [...start, runs("git commit -am 'fix'")]],
    ["committed", [3, 4], [...start, runs("git push", "", { byUser: true })]],
    ["committed", [3, 4], [...start, runs("gh pr create --fill")]],
    ["last_tools_ok", [1, 5], [...start, runs("ls")]],
    ["user_moved_on", [1, 4], [...start, human("Now the exporter.")]],
    ["assistant_claims_done", [0, 3], [human("Fix it."), edits("src/a.ts"), says("Everything works now.")]],
    ["tasks_all_done", [0, 4], [...start, tasks("completed", "completed")]],
    ["printed_verdict", [0, 5], [...start, runs('echo "4 tests passed"', "4 tests passed")]],
    ["user_correction", [-3, 4], [...start, human("No, that is wrong.")]],
    ["user_gave_up", [-3, 4], [...start, human("Never mind, forget it.")]],
    ["verification_failing", [-3, 5], [...start, red("npm test", "Tests 2 failed")]],
    ["user_interrupt", [-3, 4], [...start, happens("[interrupted by the user]")]],
    ["user_denial", [-3, 5], [...start, runs("npm publish", "", { status: "denied" })]],
    ["user_revert", [-3, 4], [...start, runs("git checkout .", "", { byUser: true })]],
    ["assistant_gave_up", [-1, 4], [...start, says("I could not fix the second one.")]],
    ["question_unanswered", [-1, 4], [...start, says("Shall I also change b.ts?")]],
    ["little_happened", [-1, -1], [human("Hello."), says("Hello.")]],
  ])("hold %s with weight and turn %j", async (id, [weight, turn], drafts) => {
    const { signals } = await outcomeOf(buildSession(drafts));
    expect(signals).toContainEqual(expect.objectContaining({ id, weight, turn: turn === -1 ? null : turn }));
  });

  it.each(["api_error", "turn_cap", "crash"] as const)("hold that the host ended it: %s", async (endedBy) => {
    const { label, signals } = await outcomeOf(buildSession(start, { endedBy }));
    expect(signals).toContainEqual(expect.objectContaining({ id: `ended_by_${endedBy}`, weight: -3, turn: 3 }));
    expect(label).toBe("failure");
  });

  it("hold an error that came three times, unless the same kind of command then went well", async () => {
    const again = Array.from({ length: 3 }, () => red("make image", "Error: no space left on device"));
    const stuck = await outcomeOf(buildSession([...start, ...again, runs("ls")]));
    expect(stuck.signals).toContainEqual(expect.objectContaining({ id: "same_error_repeated", weight: -1, turn: 9 }));
    const solved = await outcomeOf(buildSession([...start, ...again, runs("make image")]));
    expect(solved.signals.map(({ id }) => id)).not.toContain("same_error_repeated");
  });

  it("count half where they lie before the last change", async () => {
    const late = [...start, human("Perfect, thanks!"), edits("src/b.ts")];
    const { signals, label } = await outcomeOf(buildSession(late));
    expect(signals).toContainEqual(expect.objectContaining({ id: "user_acceptance", weight: 1.5 }));
    expect(label).toBe("unknown");
  });

  it("count what the profile says", async () => {
    const weights = { ...BUNDLED.outcome.weights, committed: 1 };
    const profile = { ...BUNDLED, outcome: { ...BUNDLED.outcome, weights } };
    const session = buildSession([...start, runs("git commit -am 'fix'")]);
    expect((await outcomeOf(session, profile)).label).toBe("unknown");
    expect((await outcomeOf(session)).label).toBe("success");
  });

  it("decide nothing, and sway no judge, where they count nothing", async () => {
    const claims = [...start, tasks("completed"), runs('echo "4 tests passed"', "4 tests passed"), says("All done.")];
    const session = buildSession(claims);
    expect((await outcomeOf(session)).label).toBe("unknown");
    const model = cannedModel(["{}"]);
    await judgeOutcome(stageDeps(model), { session });
    expect(model.requests[0]?.prompt).not.toMatch(/claims_done|tasks_all_done|printed_verdict/);
  });

  it("do not take an open list of tasks for a finished one", async () => {
    const { signals } = await outcomeOf(buildSession([...start, tasks("completed"), tasks("completed", "pending")]));
    expect(signals.map(({ id }) => id)).not.toContain("tasks_all_done");
  });
});

describe("changes that the user threw away", () => {
  const commands = [
    "git checkout .",
    "git checkout -- src/a.ts",
    "git checkout src/a.ts",
    "git reset --hard",
    "git reset -q --hard HEAD~1",
    "git restore .",
    "git restore --source=HEAD~1 src",
    "git stash",
    "git stash -u",
    "git stash push -m wip",
    "git clean -fd",
    "git revert --no-edit HEAD",
    "cd src && git checkout .",
  ];

  it.each(commands)("are a failure when the user runs %s", async (command) => {
    const { label, evidence } = await outcomeOf(buildSession([...start, runs(command, "", { byUser: true })]));
    expect({ label, evidence }).toEqual({ label: "failure", evidence: "user" });
  });

  it.each([
    ["Revert that.", "git checkout ."],
    ["Throw it all away, I'll do it another way.", "git reset --hard"],
    ["Go back to the previous state please.", "git restore ."],
    ["stash everything", "git stash"],
    ["Mach das rückgängig.", "git checkout ."],
  ])("are a failure when the agent does it because the user said %j", async (words, command) => {
    const { signals, label } = await outcomeOf(buildSession([...start, human(words), runs(command)]));
    expect(signals).toContainEqual(expect.objectContaining({ id: "user_revert", weight: -3, turn: 5 }));
    expect(label).toBe("failure");
  });

  it("stay with what stood against them: tests that had passed make it partial", async () => {
    const { label } = await outcomeOf(
      buildSession([...start, runs("npm test", "Tests 4 passed"), runs("git checkout .", "", { byUser: true })]),
    );
    expect(label).toBe("partial");
  });

  it("are answered by work that is verified after them", async () => {
    const { label, signals } = await outcomeOf(
      buildSession([
        ...start,
        human("Revert that, use the parser instead."),
        runs("git checkout ."),
        edits("src/b.ts"),
        runs("npm test", "Tests 4 passed"),
      ]),
    );
    expect(signals).toContainEqual(expect.objectContaining({ id: "user_revert", resolved: true }));
    expect(label).toBe("success");
  });

  it.each<readonly [string, Drafts]>([
    ["the agent drops an attempt of its own", [...start, runs("git checkout ."), edits("src/b.ts")]],
    [
      "nothing had been changed",
      [human("Stash my changes first."), says("Yes."), runs("git stash"), edits("src/a.ts")],
    ],
    [
      "the stash is taken back",
      [...start, ...["git stash", "git pull", "git stash pop"].map((c) => runs(c, "", { byUser: true }))],
    ],
    ["a branch is changed", [...start, runs("git checkout main", "", { byUser: true })]],
    ["a branch is made", [...start, runs("git checkout -b feature/x.y", "", { byUser: true })]],
    ["only the index is reset", [...start, runs("git restore --staged src/a.ts", "", { byUser: true })]],
    ["a commit is taken back softly", [...start, runs("git reset --soft HEAD~1", "", { byUser: true })]],
    ["stashes are listed", [...start, runs("git stash list", "", { byUser: true })]],
    ["it failed", [...start, runs("git checkout .", "fatal: not a git repository", { ...FAILED, byUser: true })]],
    ["the user forbids it", [...start, human("Don't revert that."), runs("git checkout .")]],
  ])("are not seen where %s", async (_, drafts) => {
    const { signals } = await outcomeOf(buildSession(drafts));
    expect(signals.map(({ id }) => id)).not.toContain("user_revert");
  });

  it("leave a commit standing that lies before them", async () => {
    const work = [...start, runs("git commit -am 'fix'")];
    expect((await outcomeOf(buildSession([...work, runs("git stash")]))).label).toBe("success");
    expect((await outcomeOf(buildSession([...work, runs("git reset --hard HEAD~1")]))).label).not.toBe("success");
  });
});
