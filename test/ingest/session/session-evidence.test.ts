import { describe, expect, it } from "vitest";
import { sha256 } from "../../../src/core/hash.ts";
import { runId } from "../../../src/core/ids.ts";
import type { Session } from "../../../src/core/session.ts";
import { citationsOf, eventTime, provenanceOf } from "../../../src/ingest/session/session-evidence.ts";
import { buildSession, human, runs, says } from "../../support/build-session.ts";
import { aFact } from "../../support/lifecycle-input.ts";

const ROOT = "/home/ana/work/tidewatch";
const context = (session: Session) => ({
  ...{ session, run: runId("r"), transcript: "/t.jsonl", extractor: "model:m", root: ROOT },
});

function editOf(path: string, written: string) {
  const args = JSON.stringify({ file_path: path, old_string: "x", new_string: written });
  return [
    { kind: "tool_call" as const, text: "", origin: "model" as const, trust: 2 as const, tool: { name: "Edit", args } },
  ];
}

describe("provenanceOf", () => {
  const session = buildSession([human("one"), says("two"), human("three ".repeat(400)), runs("ls", "four")]);

  it("keeps the cited turn and its neighbours, so that evidence can be opened without the transcript", () => {
    const [source] = provenanceOf(aFact({ evidence: [{ turn: 1, quote: "two" }] }), context(session));
    expect(source).toMatchObject({ turn: 1, quote: "two", at: session.turns[1]?.at, extractor: "model:m" });
    expect(source?.excerpt).toMatch(/^\[t0 human\] one\n\[t1 assistant\] two\n\[t2 human\] three/);
    expect(source?.excerpt).toContain("[…]");
  });

  it("has one entry for each quote, three at most, and dates the fact by the latest", () => {
    const evidence = [0, 1, 2, 3].map((turn) => ({ turn, quote: "q" }));
    expect(provenanceOf(aFact({ evidence }), context(session))).toHaveLength(3);
    expect(eventTime(aFact({ evidence }), session)).toEqual(session.turns[3]?.at);
    expect(eventTime(aFact({ evidence: [] }), session)).toEqual(session.endedAt);
  });
});

describe("citationsOf", () => {
  it("cites files that the fact names, relative to the project", () => {
    const fact = aFact({ content: `Keys are made in ${ROOT}/packages/importer/src/window.ts and nowhere else.` });
    expect(citationsOf(fact, context(buildSession([human("x")])))).toEqual([
      { path: "packages/importer/src/window.ts", symbol: null, lineHash: null },
    ]);
  });

  it("cites the line of a file changed near the evidence in which one of its names stands", () => {
    const line = "  const key = epochMinute(reading.at);";
    const session = buildSession([human("do it"), editOf(`${ROOT}/src/window.ts`, `// keys\n${line}`)]);
    const fact = aFact({
      content: "Readings are keyed by epochMinute.",
      symbols: ["epochMinute"],
      evidence: [{ turn: 0, quote: "do it" }],
    });
    expect(citationsOf(fact, context(session))).toEqual([
      { path: "src/window.ts", symbol: "epochMinute", lineHash: sha256("const key = epochMinute(reading.at);") },
    ]);
  });

  it("cites no file that has nothing to do with the fact, none outside the project, none far from the evidence", () => {
    const evidence = [{ turn: 0, quote: "do it" }];
    const fact = aFact({ content: "Readings are keyed by epochMinute.", symbols: ["epochMinute"], evidence });
    const cited = (...drafts: Parameters<typeof buildSession>[0]) =>
      citationsOf(fact, context(buildSession([human("do it"), ...drafts])));
    expect(cited(editOf("src/other.ts", "const nothing = 1;"))).toEqual([]);
    expect(cited(editOf("/etc/hosts/epoch.ts", "epochMinute()"))).toEqual([]);
    expect(cited(editOf("~/notes/epoch.ts", "epochMinute()"))).toEqual([]);
    const far = Array.from({ length: 6 }, () => says("…"));
    expect(cited(...far, editOf("src/window.ts", "epochMinute()"))).toEqual([]);
  });
});
