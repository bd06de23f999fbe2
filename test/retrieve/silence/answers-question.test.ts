import { describe, expect, it } from "vitest";
import { queryTerms } from "../../../src/retrieve/query/query-terms.ts";
import type { RankedHit } from "../../../src/retrieve/rank/rank-units.ts";
import { type Asked, clearShare, whyNoAnswer } from "../../../src/retrieve/silence/answers-question.ts";
import { aMemory } from "../../support/records.ts";

const test = { standing: 0.2, doubtful: 0.5, remainder: 0.3, sure: 0.7, kin: 0.4, clear: 0.6, clearShare: 0.65 };

interface Found {
  readonly title: string;
  readonly likeness: number;
  readonly coverage?: number;
}

let next = 0;

function fact({ title, likeness, coverage = 0.3 }: Found): Extract<RankedHit, { unit: "fact" }> {
  next++;
  const explanation = { arms: [], fused: likeness, adjustments: {}, survivedBy: ["meaning"] };
  const hit = { unit: "fact", memory: aMemory(next, { title, content: title }), key: next, score: likeness } as const;
  return { ...hit, explanation, follows: true, reserved: false, likeness, coverage };
}

/** Words are alike that share a line. */
const KINDS = ["radar pressure float ultrasonic", "vans supplier"].map((line) => line.split(" "));

function vectorOf(text: string): Float32Array {
  const words = text.split(" ");
  return new Float32Array(KINDS.map((line) => (line.some((word) => words.includes(word)) ? 1 : 0)));
}

function asked(text: string, deps: Partial<Asked["deps"]> = {}): Asked {
  const embed = async (part: string): Promise<Float32Array> => vectorOf(part);
  return { terms: queryTerms(text), test, deps: { embed, vectorsOf: async () => [], ...deps } };
}

const siblings = [
  fact({ title: "Poll interval of radar gauges is five minutes", likeness: 0.6 }),
  fact({ title: "Poll interval of pressure gauges is ten minutes", likeness: 0.58 }),
];

describe("whyNoAnswer", () => {
  it("sees that the notes are of other things of the kind that is asked for", async () => {
    expect(await whyNoAnswer(siblings, asked("poll interval of ultrasonic gauges"))).toBe(
      'the notes are of "radar" and "pressure", not of "ultrasonic"',
    );
  });

  it("knows it by its place in the sentence, and elsewhere by its meaning", async () => {
    const none = (): Promise<never> => Promise.reject(new Error("asked"));
    expect(await whyNoAnswer(siblings, asked("poll interval of laser gauges", { embed: none }))).toMatch(
      /not of "laser"$/,
    );
    expect(await whyNoAnswer(siblings, asked("interval of gauges, ultrasonic ones"))).toMatch(/not of "ultrasonic"$/);
    expect(await whyNoAnswer(siblings, asked("poll interval of both, laser too"))).toBeUndefined();
  });

  it("misses the amount that a question asks for, and is not strict with one that asks for several things", async () => {
    const note = [fact({ title: "Stoves are sold by Ofenkorn", likeness: 0.6 })];
    expect(await whyNoAnswer(note, asked("What does a stove cost?"))).toBe(
      "the nearest note holds no such thing as a price",
    );
    expect(await whyNoAnswer(siblings, asked("compare all poll intervals of laser gauges"))).toBeUndefined();
  });

  it("lets a note answer that has the thing, or where the unknown word names nothing of the kind", async () => {
    const [radar, pressure] = siblings;
    if (radar === undefined || pressure === undefined) throw new Error("two siblings");
    expect(
      await whyNoAnswer([{ ...radar, coverage: 0.6 }, pressure], asked("interval of radar gauges")),
    ).toBeUndefined();
    expect(await whyNoAnswer(siblings, asked("usual poll interval of gauges"))).toBeUndefined();
  });

  it("does not take what replaced or contradicts a note for another of its kind", async () => {
    const [radar, pressure] = siblings;
    if (radar === undefined || pressure === undefined) throw new Error("two siblings");
    const tied = { ...pressure, memory: { ...pressure.memory, supersededBy: radar.memory.id } };
    expect(await whyNoAnswer([radar, tied], asked("poll interval of ultrasonic gauges"))).toBeUndefined();
    const contradicts = { ...pressure, memory: { ...pressure.memory, conflictsWith: [radar.memory.id] } };
    expect(await whyNoAnswer([radar, contradicts], asked("poll interval of ultrasonic gauges"))).toBeUndefined();
  });

  it("finds none where several are equally near to a question that asks for one thing", async () => {
    const alike = Array.from({ length: 10 }, (_, at) => fact({ title: `Note ${at} on vans`, likeness: 0.4 }));
    expect(await whyNoAnswer(alike, asked("Which supplier leases the vans?"))).toMatch(/none stands out/);
    expect(await whyNoAnswer(alike, asked("leasing vans in the depot"))).toBeUndefined();
  });

  it("looks in doubt at what the question asks beyond the shared words", async () => {
    const doubtful = [0.5, 0.35, 0.3, 0.25].map((likeness) => fact({ title: "Vans run at 60 %", likeness }));
    const question = "Which supplier leases the vans?";
    const far = async (): Promise<Float32Array[]> => [vectorOf("radar")];
    expect(await whyNoAnswer(doubtful, asked(question, { vectorsOf: far }))).toBe(
      'the nearest note says nothing of "supplier leases"',
    );
    const near = async (): Promise<Float32Array[]> => [vectorOf("vans")];
    expect(await whyNoAnswer(doubtful, asked(question, { vectorsOf: near }))).toBeUndefined();
    expect(await whyNoAnswer(doubtful, asked(question, { vectorsOf: async () => [] }))).toBeUndefined();
    const sure = doubtful.map((hit, at) => (at === 0 ? { ...hit, likeness: 0.75, coverage: 0 } : hit));
    expect(await whyNoAnswer(sure, asked(question, { vectorsOf: far }))).toBeUndefined();
  });

  it("says nothing of nothing, and fails as its model fails", async () => {
    expect(await whyNoAnswer([], asked("Which supplier?"))).toBeUndefined();
    const embed = (): Promise<never> => Promise.reject(new Error("down"));
    await expect(whyNoAnswer(siblings, asked("interval of gauges, ultrasonic ones", { embed }))).rejects.toThrow(
      "down",
    );
  });
});

describe("clearShare", () => {
  it("cuts closer behind a fact that stands far ahead of a question for one thing", () => {
    const ahead = [0.9, 0.3, 0.3].map((likeness) => fact({ title: "Vans", likeness }));
    expect(clearShare(ahead, asked("Which vans?"))).toBe(test.clearShare);
    expect(clearShare(ahead, asked("all vans"))).toBe(0);
    expect(clearShare(ahead.slice(1), asked("Which vans?"))).toBe(0);
  });
});
