import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decisionProblems, parseDecisions } from "../../../src/ingest/lifecycle/parse-decisions.ts";
import { anyText } from "../../support/any-text.ts";

const parse = (text: string, truncated = false) => parseDecisions({ text, truncated });
const decision = { fact: "A", relation: "outdates", op: "DELETE", target: 3, merged: null, quote: "q", reason: "r" };

describe("parseDecisions", () => {
  it("reads decisions and verdicts", () => {
    const reply = { decisions: [decision], verdicts: [{ fact: "A", candidate: 3, still_true: "no" }] };
    expect(parse(JSON.stringify(reply))).toEqual({
      decisions: [decision],
      verdicts: [{ fact: "A", candidate: 3, stillTrue: "no" }],
      dropped: 0,
    });
  });

  it.each([
    ["in a fence", `\`\`\`json\n${JSON.stringify({ decisions: [decision] })}\n\`\`\``],
    ["after prose and reasoning", `<think>hm {</think>Here it is: ${JSON.stringify({ decisions: [decision] })} Done.`],
    ["as a bare list", JSON.stringify([decision])],
    ["as a single decision", JSON.stringify(decision)],
    ["in a wrapper", JSON.stringify({ result: { decisions: [decision] } })],
    ["with a trailing comma", `{"decisions": [${JSON.stringify(decision)},]}`],
  ])("reads a reply %s", (_, text) => {
    expect(parse(text)?.decisions).toEqual([decision]);
  });

  it("understands handles written otherwise, and leaves nonsense for the guards", () => {
    const read = (fields: object) => parse(JSON.stringify({ decisions: [{ ...decision, ...fields }] }))?.decisions[0];
    expect(read({ fact: "Fact b" })?.fact).toBe("B");
    expect(read({ fact: "[C]" })?.fact).toBe("C");
    expect(read({ target: "3" })?.target).toBe(3);
    expect(read({ target: "three" })?.target).toBeNull();
    expect(read({ target: 1.5 })?.target).toBeNull();
    expect(read({ op: "merge" })?.op).toBe("UPDATE");
    expect(read({ relation: "nonsense" })?.relation).toBeNull();
  });

  it("leaves out and counts items that are no decisions, and the last one of a reply that was cut off", () => {
    expect(parse(JSON.stringify({ decisions: [decision, 7, { fact: "B" }] }))).toMatchObject({ dropped: 2 });
    const cut = JSON.stringify({ decisions: [decision, { ...decision, fact: "B" }] }).slice(0, -20);
    expect(parse(cut, true)?.decisions.map(({ fact }) => fact)).toEqual(["A"]);
  });

  it.each(["", "I can't help with that.", "Nothing to do.", "<html>502</html>", "42", '"ADD"', "{}"])(
    "F4: takes %j for no answer, which is not an empty one",
    (text) => {
      expect(parse(text)).toBeUndefined();
      expect(decisionProblems({ text, truncated: false }).length).toBeGreaterThan(0);
    },
  );

  it("never throws", () => {
    fc.assert(fc.property(fc.oneof(anyText(200), fc.json()), (text) => void parse(text)));
  });
});
