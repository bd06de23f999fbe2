/**
 * A small task with a correction in it, as the scripted models of agent and extractor play it. The nonce stands for
 * what only this session could know.
 */
import { join } from "node:path";
import type { ModelCall, Said, ScriptEntry, ToolCall } from "../../support/scripted-model/script.ts";

export interface SampleTask {
  readonly cwd: string;
  readonly nonce: string;
}

const ROUNDS_EACH_LINE = "export const total = (lines) => lines.reduce((sum, line) => sum + Math.round(line), 0);\n";
const ROUNDS_ONCE = "export const total = (lines) => Math.round(lines.reduce((sum, line) => sum + line, 0));\n";
const TEST = `import test from "node:test";
import assert from "node:assert/strict";
import { total } from "./total.mjs";
test("rounds once", () => assert.equal(total([0.4, 0.4, 0.4]), 1));
`;

/** What the user types, in order. */
export function userPrompts({ nonce }: SampleTask): string[] {
  return [
    "Write total.mjs, which adds the lines of an invoice and rounds to whole cents.",
    `No, that's wrong: the ${nonce} ledger compares totals, so round once at the end, never per line.`,
    "Perfect, thanks. That works.",
  ];
}

/** The agent: builds it wrongly, is corrected, repairs it, and runs the test. */
export function agentScript(task: SampleTask): ScriptEntry[] {
  const write = (file: string, content: string): ToolCall => ({
    name: "Write",
    input: { file_path: join(task.cwd, file), content },
  });
  const runTest: ToolCall = {
    name: "Bash",
    input: { command: "node --test total.test.mjs", description: "Run the test" },
  };
  const steps: Said[] = [
    {
      text: "I write it with its test.",
      toolCalls: [write("total.mjs", ROUNDS_EACH_LINE), write("total.test.mjs", TEST)],
    },
    { text: "Each line is rounded before the sum." },
    { text: "Understood: I round the sum.", toolCalls: [write("total.mjs", ROUNDS_ONCE)] },
    { text: "Now the test.", toolCalls: [runTest] },
    { text: "It rounds once at the end; the test passes." },
    { text: "You're welcome." },
  ];
  return steps.map((said) => ({ match: { protocol: "anthropic", when: isMainLoop }, reply: said, times: 1 }));
}

/** The client's requests for titles and the like offer no tools; any answer does. */
export const sideRequests: ScriptEntry = {
  match: { protocol: "anthropic", when: (call) => call.stage === null && !isMainLoop(call) },
  reply: "ok",
};

export function isMainLoop(call: ModelCall): boolean {
  return call.stage === null && call.tools.length > 0;
}

/** The extractor: finds the correction in the request it gets and quotes from there, nowhere else. */
export function extractorScript({ nonce }: SampleTask): ScriptEntry[] {
  return [
    { match: { stage: "extract" }, reply: (call) => ({ facts: [factFrom(call, nonce)] }) },
    { match: { stage: "lifecycle" }, reply: { decisions: [], verdicts: [] } },
    { match: { stage: "judge" }, reply: { label: "unknown", confidence: 0, evidence: [], reason: "not needed" } },
  ];
}

function factFrom(call: ModelCall, nonce: string): Record<string, unknown> {
  const line = call.text.split("\n").find((text) => text.includes(nonce) && /\[t\d+ human/.test(text));
  const turn = Number(line?.match(/\[t(\d+) human/)?.[1] ?? -1);
  const quote = line?.match(/round once at the end, never per line/)?.[0] ?? "no such words in the request";
  return {
    type: "lesson",
    polarity: "do",
    title: `Totals of the ${nonce} ledger are rounded once, at the end`,
    content: `Invoice totals are compared by the ${nonce} ledger: round the sum once at the end, never per line.`,
    why: "The user corrected a version that rounded each line.",
    how_to_apply: "Add the unrounded lines first and round the sum.",
    when_to_use: [`adding invoice lines for the ${nonce} ledger`, "an invoice total is off by a cent"],
    when_not: null,
    applies_if: null,
    symbols: [nonce],
    scope: "project",
    source: "user_stated",
    confidence: 0.9,
    resolved_at: null,
    expires: null,
    evidence: [{ turn, quote }],
  };
}
