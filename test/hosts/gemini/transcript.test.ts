import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Session, Turn } from "../../../src/core/session.ts";
import { claudeCodeTranscripts } from "../../../src/hosts/claude-code/transcript.ts";
import { codexTranscripts } from "../../../src/hosts/codex/transcript.ts";
import { geminiTranscripts } from "../../../src/hosts/gemini/transcript.ts";
import { writeLines } from "../../support/claude-records.ts";

const FIXTURES = join(import.meta.dirname, "../../fixtures/sessions");
const CURRENT = join(FIXTURES, "gemini-current.jsonl");
const PATCHED = join(FIXTURES, "gemini-patched.jsonl");
const DOCUMENT = join(FIXTURES, "gemini-document.json");
const HEAD = { sessionId: "s1", projectHash: "00", startTime: "2026-04-02T10:00:00Z", kind: "main" };
const read = (path: string): Promise<Session> => geminiTranscripts.read(path);
const human = ({ turns }: Session): string[] => turns.filter(({ kind }) => kind === "human").map(({ text }) => text);
const result = ({ turns }: Session, callId: string): Turn | undefined =>
  turns.find(({ kind, tool }) => kind === "tool_result" && tool?.callId === callId);

describe("reading a chat", () => {
  it("takes for human only what was typed: no context of hooks or client, no files, no slash commands", async () => {
    expect(human(await read(CURRENT))).toEqual(["Why does row 12 rest? See @rows.csv"]);
  });

  it("reads the last writing of each message, at the place of its first", async () => {
    const said = (await read(CURRENT)).turns.filter(({ kind }) => kind === "assistant").map(({ text }) => text);
    expect(said).toEqual(["I look.", "Row 12 rests until May."]);
  });

  it("reads each tool's answer once, though it is written twice", async () => {
    const answers = (await read(CURRENT)).turns.filter(
      ({ tool, kind }) => kind === "tool_result" && tool?.callId === "t1",
    );
    expect(answers).toMatchObject([
      { text: "2 failed", tool: { name: "run_shell_command", status: "error", exitCode: 1 } },
    ]);
  });

  it("takes an answer from the user's message where the call was never finished", async () => {
    expect(result(await read(CURRENT), "t6")).toMatchObject({ text: "rows.csv", tool: { status: "ok", exitCode: 0 } });
  });

  it("keeps what the user refused", async () => {
    expect(result(await read(CURRENT), "t2")?.tool?.status).toBe("denied");
  });

  it("trusts what came from outside less and leaves our own tools' answers out", async () => {
    const session = await read(CURRENT);
    expect(result(session, "t3")).toMatchObject({ origin: "tool_external", trust: 1 });
    expect(result(session, "t4")).toBeUndefined();
  });

  it("forgets what was rewound", async () => {
    expect((await read(CURRENT)).turns.some(({ text }) => text.includes("wrong"))).toBe(false);
  });

  it("keeps commands that the user ran, and that the user cancelled", async () => {
    const session = await read(CURRENT);
    expect(session.turns.find(({ tool }) => tool?.args === "git checkout rows.csv")?.origin).toBe("human");
    expect(session.endedBy).toBe("user");
  });

  it("takes patches that replace all messages", async () => {
    const session = await read(PATCHED);
    expect(session.turns.map(({ text }) => text)).toEqual([
      "First, rewritten.",
      "Three, finished.",
      "[API Error: 429]",
    ]);
    expect(session.endedBy).toBe("api_error");
  });

  it("reads the older single document, and the older frame of a command's output", async () => {
    const session = await read(DOCUMENT);
    expect(human(session)).toEqual(["Is row 3 old?"]);
    expect(result(session, "t1")).toMatchObject({ text: "14 rows.csv", tool: { status: "ok", exitCode: 0 } });
  });

  it("learns the directory from the file beside the chats, as the chat holds only its hash", async () => {
    const path = writeLines(
      [HEAD, { id: "a", type: "user", content: "Hello there." }],
      "short-name/chats/session-1.jsonl",
    );
    const home = dirname(dirname(path));
    mkdirSync(home, { recursive: true });
    writeFileSync(join(home, ".project_root"), "/home/lena/src/orchard\n");
    expect((await read(path)).project).toEqual({ cwd: "/home/lena/src/orchard" });
    expect((await read(CURRENT)).project).toEqual({});
  });
});

describe("recognising chats", () => {
  it.each([CURRENT, PATCHED, DOCUMENT])("%s is Gemini's and nobody else's", (path) => {
    const head = readFileSync(path, "utf8").slice(0, 65_536);
    expect(geminiTranscripts.recognises(head)).toBe(true);
    expect(claudeCodeTranscripts.recognises(head)).toBe(false);
    expect(codexTranscripts.recognises(head)).toBe(false);
  });

  it("does not take other hosts' files", () => {
    const head = readFileSync(join(FIXTURES, "claude-code-correction.jsonl"), "utf8");
    expect(geminiTranscripts.recognises(head)).toBe(false);
  });
});

describe("damaged chats", () => {
  it("are refused where they name no session", async () => {
    await expect(read(writeLines([{ id: "a", type: "user", content: "x" }]))).rejects.toMatchObject({
      code: "FORMAT_UNKNOWN",
    });
    await expect(read("/nowhere/at/all.jsonl")).rejects.toMatchObject({ code: "FILE_NOT_FOUND" });
  });

  it("never make the reader throw anything but its own errors", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.jsonValue(), { maxLength: 6 }), async (values) => {
        const types = ["user", "gemini", "info", "error"];
        const lines = values.map((value, at) => ({
          id: `m${at % 4}`,
          type: types[at % 4],
          content: value,
          toolCalls: [value],
        }));
        const session = await read(writeLines([HEAD, ...lines, { $set: { messages: values } }]));
        expect(session.turns.every(({ text }) => typeof text === "string")).toBe(true);
      }),
      { numRuns: 60 },
    );
  });
});
