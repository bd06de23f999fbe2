import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ModelFile } from "../../../src/models/minilm/model-file.ts";
import { Tokenizer } from "../../../src/models/minilm/tokenize.ts";
import { readReference } from "./reference.ts";

let file: ModelFile;
let tokenizer: Tokenizer;
beforeAll(() => {
  file = new ModelFile();
  tokenizer = new Tokenizer(file.readVocabulary(), file.vocabularySize);
});
afterAll(() => file.close());

describe("Tokenizer", () => {
  for (const { kind, text, ids } of readReference()) {
    it(`gives the reference tokenizer's ids for ${kind}: ${JSON.stringify(text.slice(0, 40))}`, () => {
      expect(tokenizer.encode(text, 256)).toEqual(ids);
    });
  }

  it("cuts to the limit and keeps the closing token", () => {
    const whole = tokenizer.encode("one two three four five six", 256);
    expect(tokenizer.encode("one two three four five six", 5)).toEqual([...whole.slice(0, 4), 102]);
    expect(tokenizer.encode("one", 2)).toEqual([101, 102]);
  });

  it("reads the name of a special token as text", () => {
    for (const text of ["[MASK]", "a [SEP] b", "[CLS][PAD]"]) {
      const inner = tokenizer.encode(text, 256).slice(1, -1);
      expect(inner.filter((id) => id < 104)).toEqual([]);
    }
  });

  it("takes any string, lone surrogates too, and stays within limit and vocabulary", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 200 }), fc.integer({ min: 2, max: 64 }), (text, limit) => {
        const ids = tokenizer.encode(`\ud800${text}`, limit);
        expect(ids.length).toBeLessThanOrEqual(limit);
        expect([ids[0], ids.at(-1)]).toEqual([101, 102]);
        expect(ids.every((id) => id >= 0 && id < 30_522)).toBe(true);
      }),
    );
  });

  it("treats a plain word alike wherever it stands, so plain and other texts take the same path", () => {
    const words = fc.array(fc.stringMatching(/^[A-Za-z0-9_.,()-]{1,12}$/), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(words, (parts) => {
        const plain = tokenizer.encode(parts.join(" "), 4000);
        const marked = tokenizer.encode(`${parts.join(" ")} 中`, 4000);
        expect(marked.slice(0, plain.length - 1)).toEqual(plain.slice(0, -1));
      }),
    );
  });
});
