import { describe, expect, it } from "vitest";
import { diversify } from "../../../src/retrieve/rank/diversify.ts";

const item = (name: string, score: number, ...vector: number[]) => ({ name, score, vector: new Float32Array(vector) });
const names = (items: readonly { readonly name: string }[]) => items.map(({ name }) => name);

describe("diversify", () => {
  it("takes something else before it takes the same again", () => {
    const items = [item("a", 1, 1, 0), item("a again", 0.95, 1, 0), item("b", 0.8, 0, 1)];
    expect(names(diversify(items, 2))).toEqual(["a", "b"]);
    expect(names(diversify(items, 3))).toEqual(["a", "b", "a again"]);
  });

  it("goes by score alone where vectors are missing", () => {
    const items = [1, 3, 2].map((score) => ({ name: `${score}`, score, vector: undefined }));
    expect(names(diversify(items, 3))).toEqual(["3", "2", "1"]);
  });

  it("takes nothing that is not accepted beside what was chosen", () => {
    const items = [item("a", 3, 1), item("b", 2, 1), item("c", 1, 1)];
    expect(names(diversify(items, 3, (_, chosen) => chosen.length < 1))).toEqual(["a"]);
  });
});
