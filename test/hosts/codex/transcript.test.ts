import { appendFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Session, Turn } from "../../../src/core/session.ts";
import { claudeCodeTranscripts } from "../../../src/hosts/claude-code/transcript.ts";
import { codexTranscripts } from "../../../src/hosts/codex/transcript.ts";
import { geminiTranscripts } from "../../../src/hosts/gemini/transcript.ts";
import { writeLines } from "../../support/claude-records.ts";

const FIXTURES = join(import.meta.dirname, "../../fixtures/sessions");
const fixture = (name: string): string => join(FIXTURES, `${name}.jsonl`);
const golden = (name: string): string => join(FIXTURES, "golden", name, "session.jsonl");
const read = (path: string): Promise<Session> => codexTranscripts.read(path);
const human = ({ turns }: Session): string[] => turns.filter(({ kind }) => kind === "human").map(({ text }) => text);
const result = ({ turns }: Session, callId: string): Turn | undefined =>
  turns.find(({ kind, tool }) => kind === "tool_result" && tool?.callId === callId);
const message = (role: string, text: string): Record<string, unknown> => ({
  timestamp: "2026-04-02T10:00:00.000Z",
  type: "response_item",
  payload: { type: "message", role, content: [{ type: role === "assistant" ? "output_text" : "input_text", text }] },
});
const meta = (payload: object = {}): Record<string, unknown> => ({
  timestamp: "2026-04-02T10:00:00.000Z",
  type: "session_meta",
  payload: { id: "m1", cwd: "/home/lena/src/orchard", ...payload },
});

describe("reading a rollout", () => {
  it("tells whose it is, where and on which branch", async () => {
    const session = await read(fixture("codex-current"));
    expect(session).toMatchObject({
      id: "019d1f00-0000-7000-8000-00000000a001",
      host: "codex",
      project: { cwd: "/home/lena/src/orchard", branch: "prune" },
    });
    expect(session.turns.map(({ index }) => index)).toEqual(session.turns.map((_, index) => index));
  });

  it("takes for human only what was typed: no instructions, environment, hooks or notices", async () => {
    expect(human(await read(fixture("codex-current")))).toEqual(["Why does the pruning job skip row 12?"]);
  });

  it("reads each text once, though it stands in two streams", async () => {
    const said = (await read(fixture("codex-current"))).turns.filter(({ text }) => text.includes("is skipped because"));
    expect(said.map(({ kind }) => kind)).toEqual(["assistant"]);
  });

  it("tells of commands how they ended, without the frame around their output", async () => {
    const session = await read(fixture("codex-current"));
    expect(result(session, "c1")).toMatchObject({
      text: "",
      tool: { name: "exec_command", status: "error", exitCode: 1 },
    });
    expect(result(session, "c2")).toMatchObject({ text: "waiting", tool: { status: "unknown" } });
    expect(session.turns.find(({ tool }) => tool?.callId === "c1")?.tool?.args).toBe("rg -n 'row 12' src");
  });

  it("keeps what the user refused", async () => {
    expect(result(await read(fixture("codex-current")), "c3")?.tool?.status).toBe("denied");
  });

  it("trusts what came from outside less, and the model's words after it", async () => {
    const { turns } = await read(fixture("codex-current"));
    const web = turns.find(({ kind, tool }) => kind === "tool_result" && tool?.name === "web_search");
    expect(web).toMatchObject({ origin: "tool_external", trust: 1 });
    expect(turns.find(({ kind }) => kind === "assistant")?.trust).toBe(1);
    expect(turns.find(({ tool, kind }) => kind === "tool_result" && tool?.name === "mcp__forum__read")?.trust).toBe(1);
  });

  it("leaves our own tools' answers out", async () => {
    const { turns } = await read(fixture("codex-current"));
    expect(turns.some(({ text }) => text.includes("kept in UTC"))).toBe(false);
  });

  it("keeps patches, commands that the user ran, and compactions as what they are", async () => {
    const { turns } = await read(fixture("codex-current"));
    expect(turns.find(({ tool }) => tool?.name === "apply_patch")?.text).toContain("*** Update File: src/prune.ts");
    expect(turns.find(({ tool }) => tool?.args === "git checkout src")?.origin).toBe("human");
    expect(turns.find(({ text }) => text.startsWith("So far:"))).toMatchObject({ kind: "event", origin: "model" });
  });

  it("says that the user ended it", async () => {
    const session = await read(fixture("codex-current"));
    expect(session.endedBy).toBe("user");
    expect(session.turns.filter(({ text }) => text === "[interrupted by the user]")).toHaveLength(1);
  });

  it("counts what carries no turn", async () => {
    const { ignored } = (await read(fixture("codex-current"))).report;
    expect(ignored).toMatchObject({ reasoning: 1, world_state: 1, "event/token_count": 1, session_meta: 1 });
  });
});

describe("rollouts of other ages", () => {
  it("reads events where there are no items", async () => {
    const session = await read(fixture("codex-events"));
    expect(session.turns.map(({ kind }) => kind)).toEqual([
      "event",
      "tool_call",
      "tool_result",
      "tool_call",
      "tool_result",
      "tool_call",
      "tool_result",
      "assistant",
      "event",
    ]);
    expect(result(session, "e1")).toMatchObject({
      text: "rg: src: No such file",
      tool: { status: "error", exitCode: 2 },
    });
    expect(result(session, "e2")).toMatchObject({ text: "Rows rest.", origin: "tool_external" });
    expect(session.endedBy).toBe("api_error");
  });

  it("takes a sub-agent's task for the model's words", async () => {
    const session = await read(fixture("codex-events"));
    expect(session).toMatchObject({ isSubagent: true, parentId: "0198aaaa-0000-7000-8000-00000000b001" });
    expect(human(session)).toEqual([]);
  });

  it("reads the oldest form, without envelope, and what was typed in an editor", async () => {
    const session = await read(fixture("codex-legacy"));
    expect(session.id).toBe("5973b6c0-94b8-487b-a530-2aeb6098ae0e");
    expect(human(session)).toEqual(["Which row is the oldest?"]);
    expect(result(session, "l1")).toMatchObject({ text: "row,planted", tool: { name: "local_shell", exitCode: 0 } });
  });

  it("reads a fork's replayed history once", async () => {
    const said = human(await read(golden("porter-codex-fork")));
    expect(said).toHaveLength(4);
    expect(new Set(said).size).toBe(4);
  });

  it("hears a person who says the same thing twice, also after a resume", async () => {
    const lines = [
      meta(),
      message("user", "Go on."),
      message("assistant", "Done."),
      message("user", "What else?"),
      ...["a", "b", "c", "d"].map((text) => message("assistant", text)),
      message("user", "Yes."),
      meta(),
      message("user", "Yes."),
    ];
    expect(human(await read(writeLines(lines)))).toEqual(["Go on.", "What else?", "Yes.", "Yes."]);
  });

  it("leaves out what a fork inherited, where the file says so", async () => {
    const inherited = { ...message("user", "The parent's wish."), ordinal: 1 };
    const own = { ...message("user", "My own wish."), ordinal: 9 };
    const lines = [{ ...meta({ forked_from_id: "p", forked_from_ordinal_exclusive: 5 }), ordinal: 0 }, inherited, own];
    expect(human(await read(writeLines(lines)))).toEqual(["My own wish."]);
  });
});

describe("recognising rollouts", () => {
  const head = (path: string): string => readFileSync(path, "utf8").slice(0, 65_536);

  it.each(["codex-current", "codex-events", "codex-legacy"])("%s is Codex's and nobody else's", (name) => {
    expect(codexTranscripts.recognises(head(fixture(name)))).toBe(true);
    expect(claudeCodeTranscripts.recognises(head(fixture(name)))).toBe(false);
    expect(geminiTranscripts.recognises(head(fixture(name)))).toBe(false);
  });

  it("knows it by a first line that is longer than the head", () => {
    const line = JSON.stringify({
      timestamp: "2026-04-02T10:00:00Z",
      type: "session_meta",
      payload: { text: "x".repeat(9_999) },
    });
    expect(codexTranscripts.recognises(line.slice(0, 500))).toBe(true);
  });

  it("does not take other hosts' files", () => {
    for (const name of ["claude-code-correction", "gemini-current"]) {
      expect(codexTranscripts.recognises(head(fixture(name)))).toBe(false);
    }
  });
});

describe("damaged rollouts", () => {
  it("are refused where nothing in them is a rollout's", async () => {
    await expect(read(writeLines([{ hello: 1 }, { world: 2 }]))).rejects.toMatchObject({ code: "FORMAT_UNKNOWN" });
    await expect(read("/nowhere/at/all.jsonl")).rejects.toMatchObject({ code: "FILE_NOT_FOUND" });
  });

  it("are read up to a last line that is still being written", async () => {
    const path = writeLines([meta(), message("user", "Hello there.")]);
    appendFileSync(path, '{"timestamp":"2026-04-02T10:00:0');
    expect(human(await read(path))).toEqual(["Hello there."]);
  });

  it("never make the reader throw anything but its own errors", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.jsonValue(), { maxLength: 6 }),
        fc.constantFrom("response_item", "event_msg"),
        async (values, type) => {
          const kinds = [
            "message",
            "function_call",
            "function_call_output",
            "user_message",
            "exec_command_end",
            "item_completed",
          ];
          const lines = values.map((value, at) => {
            const more =
              typeof value === "object" && value !== null && !Array.isArray(value)
                ? value
                : { content: value, output: value };
            return { type, payload: { ...more, type: kinds[at] } };
          });
          const session = await read(writeLines([meta(), ...lines]));
          expect(session.turns.every(({ text }) => typeof text === "string")).toBe(true);
        },
      ),
      { numRuns: 60 },
    );
  });
});
