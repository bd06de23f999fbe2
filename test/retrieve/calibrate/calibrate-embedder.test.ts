import { describe, expect, it } from "vitest";
import type { Embedder } from "../../../src/models/embedder.ts";
import { BUILTIN_CALIBRATION } from "../../../src/retrieve/calibrate/builtin-calibration.ts";
import { calibrateEmbedder } from "../../../src/retrieve/calibrate/calibrate-embedder.ts";
import { PAIRS_FOLDER, parsePairs, readPairs } from "../../../src/retrieve/calibrate/pairs.ts";
import { hashEmbedder } from "../../support/hash-embedder.ts";

const row = (item: object): string => JSON.stringify(item);
const LINES = [
  row({ kind: "paraphrase", a: "the ledger closes at night", b: "at night the ledger closes" }),
  row({ kind: "paraphrase", a: "refunds wait for the ledger", b: "refunds wait for the whole ledger" }),
  row({ kind: "near_miss", a: "the ledger closes at two", b: "the ledger closes at three" }),
  row({ kind: "unrelated", query: "colour of the map", memory: "the ledger closes at night" }),
  row({ kind: "answer", query: "when does the ledger close", memory: "the ledger closes at night" }),
].join("\n");
const PAIRS = parsePairs(LINES, "Write tests.\nUse good names.\n");

/** A model of two dimensions that sees only whether a text is about ledgers: all pairs but the unrelated ones are one. */
function topicEmbedder(): Embedder {
  return {
    fingerprint: "topic",
    dimensions: 2,
    maxTokens: 100,
    embed: async (texts) => texts.map((text) => new Float32Array(/ledger|refund/.test(text) ? [1, 0] : [0, 1])),
    close: async () => {},
  };
}

describe("calibrateEmbedder", () => {
  it("names the model and the pairs, and keeps every threshold between 0 and 1", async () => {
    const { calibration } = await calibrateEmbedder(hashEmbedder(), PAIRS, { centring: 0.5 });
    expect(calibration.pairs).toBe(PAIRS.hash);
    expect(calibration.fingerprint).toBe(hashEmbedder().fingerprint);
    for (const cosine of Object.values(calibration.cosines)) {
      expect(cosine).toBeGreaterThanOrEqual(0);
      expect(cosine).toBeLessThanOrEqual(1);
    }
  });

  it("shows what a model puts near and hides what it puts far", async () => {
    const { calibration, shownAnswers, hiddenUnrelated } = await calibrateEmbedder(topicEmbedder(), PAIRS, {
      centring: 0,
    });
    expect([shownAnswers, hiddenUnrelated]).toEqual([1, 1]);
    expect(calibration.cosines.shownByBody).toBeCloseTo(0.02);
  });

  it("takes no duplicate by its cosine alone where near-misses are as near and no guard parts them", async () => {
    const blind = parsePairs(
      `${LINES}\n${row({ kind: "near_miss", a: "the ledger is closed", b: "the ledger is closed by the night job of the bank" })}`,
      "Write tests.",
    );
    const { calibration, unguardedNearMisses } = await calibrateEmbedder(topicEmbedder(), blind, { centring: 0 });
    expect(unguardedNearMisses).toBe(1);
    expect(calibration.cosines.duplicate).toBe(1);
  });

  it("tells how far it is, and stops when asked", async () => {
    const seen: number[] = [];
    await calibrateEmbedder(hashEmbedder(), PAIRS, {
      centring: 0,
      onProgress: (done, total) => seen.push(done / total),
    });
    expect(seen.at(-1)).toBe(1);
    const signal = AbortSignal.abort(new Error("enough"));
    await expect(calibrateEmbedder(hashEmbedder(), PAIRS, { centring: 0, signal })).rejects.toThrow("enough");
  });
});

describe("the pairs", () => {
  it("come with the package, some hundred of each kind, and the built-in calibration was made of them", async () => {
    const pairs = await readPairs(PAIRS_FOLDER);
    expect(pairs.paraphrases.length).toBeGreaterThanOrEqual(100);
    expect(pairs.nearMisses.length).toBeGreaterThanOrEqual(100);
    expect(pairs.unrelated.length).toBeGreaterThanOrEqual(200);
    expect(BUILTIN_CALIBRATION.pairs).toBe(pairs.hash);
  });

  it("are refused where a kind is missing, or the folder is", async () => {
    expect(() => parsePairs(LINES, "")).toThrow("There are no generic");
    await expect(readPairs(new URL("file:///nowhere/"))).rejects.toMatchObject({ code: "FILE_UNREADABLE" });
  });
});
