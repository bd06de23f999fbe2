/** What made one audited store junk for nearly all of it, given to ingestion at once: none of it comes through. */
import { describe, expect, it } from "vitest";
import type { Session } from "../../src/core/session.ts";
import { claudeCodeTranscripts } from "../../src/hosts/claude-code/transcript.ts";
import { claudeRecords, writeLines } from "../support/claude-records.ts";
import { CORRECTION, facts, modelOf, PNPM } from "../support/corrected-session.ts";
import { ingestHarness } from "../support/ingest-harness.ts";

const RECALLED = "Migrations of the gauge schema go into commits of their own, reviewed by two people.";
const INSTRUCTION = "Every pull request needs a changelog entry under Unreleased before it can be merged.";
const BOOT = "You are Claude Code. Today the weather service answers on port 7070 of the build host.";

/** As a host writes it: our own block, a reminder and an instruction file beside what a person typed. */
function junkSession(): Promise<Session> {
  const records = claudeRecords();
  const run = (id: string, command: string, output: string) => {
    records.assistant([{ type: "tool_use", id, name: "Bash", input: { command } }]);
    records.result(id, output);
  };
  const block = `<arcticmem-memories>\nP-2acxyz ${RECALLED}\n</arcticmem-memories>`;
  records.user(`${block}\n<system-reminder>${BOOT}</system-reminder>\nAdd left-pad to the web package.`);
  run("c1", "cat CLAUDE.md", INSTRUCTION);
  run("c2", "npm install left-pad", "added 1 package");
  records.user(CORRECTION);
  run("c3", "pnpm add left-pad", "done");
  run("c4", "pnpm test", "12 passed");
  records.user("Perfect, thanks.");
  return claudeCodeTranscripts.read(writeLines(records.records));
}

/** A model that takes everything it can see or invent for a fact. */
function claim(title: string, content: string, evidence: { readonly turn: number; readonly quote: string }) {
  return { ...PNPM, type: "context", title, content, symbols: [], evidence: [evidence] };
}

describe("junk", () => {
  it("F1: recalled notes, restated instructions, boot text and an invented user are not stored; what was said is", async () => {
    const session = await junkSession();
    const turnOf = (text: string) => session.turns.find((turn) => turn.text.includes(text))?.index ?? 0;
    const model = modelOf({
      extract: facts(
        claim("Gauge schema migrations get their own commits", RECALLED, { turn: 0, quote: RECALLED }),
        claim("Pull requests need a changelog entry", INSTRUCTION, { turn: turnOf("changelog"), quote: INSTRUCTION }),
        claim("The weather service answers on port 7070", BOOT, { turn: 0, quote: BOOT.slice(21) }),
        claim(
          "The user John Doe works at Google and likes hiking",
          "The user is John Doe, a software engineer at Google who likes hiking.",
          { turn: 0, quote: "I am John Doe, I work at Google" },
        ),
        { ...PNPM, evidence: [{ turn: turnOf("use pnpm here"), quote: "use pnpm here, not npm" }] },
      ),
    });
    const harness = await ingestHarness({
      model,
      changes: { knownDocuments: async () => [`# Rules\n\n${INSTRUCTION}`] },
    });
    const { report } = await harness.ingest(session);
    expect((await harness.memories()).map(({ title }) => title)).toEqual([PNPM.title]);
    expect(report.rejections.map(({ rule }) => rule).sort()).toEqual([
      "R-ungrounded",
      "R-ungrounded",
      "R-ungrounded",
      "R9",
    ]);
    const sent = model.requests.map(({ system, prompt }) => system + prompt).join("\n");
    expect(sent).not.toContain("gauge schema");
    expect(sent).not.toContain("port 7070");
  });
});
