import { describe, expect, it } from "vitest";
import { centredQuery } from "../../src/retrieve/vector-search.ts";

const place = { slot: "body", unit: "fact" } as const;
const common = (count: number) => ({ commonVector: async () => ({ mean: new Float32Array([0.4, 0]), count }) });
const query = { vector: new Float32Array([0.6, 0.8]), share: 0.5 };

describe("centredQuery", () => {
  it("takes off what all vectors of a large store have in common", async () => {
    const centred = await centredQuery(common(1_000_000), query, place);
    expect(centred[0]).toBeCloseTo(0.4, 3);
    expect(centred[1]).toBeCloseTo(0.8);
  });

  it("takes off hardly anything where there are few", async () => {
    expect((await centredQuery(common(1), query, place))[0]).toBeCloseTo(0.6, 2);
  });

  it("leaves the query alone where nothing is stored, the model is another, or nothing is to be taken off", async () => {
    expect(await centredQuery({ commonVector: async () => undefined }, query, place)).toBe(query.vector);
    const other = { commonVector: async () => ({ mean: new Float32Array(3), count: 9 }) };
    expect(await centredQuery(other, query, place)).toBe(query.vector);
    expect(await centredQuery(common(99), { ...query, share: 0 }, place)).toBe(query.vector);
  });
});
