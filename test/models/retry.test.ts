import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ModelError } from "../../src/core/errors.ts";
import { parseRetryAfter, withRetries } from "../../src/models/retry.ts";

const policy = { attempts: 6, baseDelayMs: 100, maxDelayMs: 1_000 };

async function waitsOf(random: number, retryAfterMs?: number): Promise<number[]> {
  const waits: number[] = [];
  const details = retryAfterMs === undefined ? { retryable: true } : { retryable: true, retryAfterMs };
  const failing = withRetries(async () => Promise.reject(new ModelError("busy", details)), {
    policy,
    deps: { sleep: async (ms) => void waits.push(ms), random: () => random },
  });
  await expect(failing).rejects.toThrow("busy");
  return waits;
}

describe("withRetries", () => {
  it("waits a random share of a ceiling that doubles up to the longest wait", async () => {
    expect(await waitsOf(0.5)).toEqual([50, 100, 200, 400, 500]);
    expect(await waitsOf(0)).toEqual([0, 0, 0, 0, 0]);
  });

  it("never waits less than asked, nor at all when asked for too much", async () => {
    expect(await waitsOf(0.5, 300)).toEqual([300, 300, 300, 400, 500]);
    expect(await waitsOf(0.5, 1_001)).toEqual([]);
  });

  it("does not try again what will not succeed", async () => {
    let tries = 0;
    const attempt = async () => {
      tries += 1;
      throw new ModelError("no key", { retryable: false });
    };
    const deps = { sleep: async () => {}, random: () => 0 };
    await expect(withRetries(attempt, { policy, deps })).rejects.toThrow("no key");
    expect(tries).toBe(1);
  });
});

describe("parseRetryAfter", () => {
  const now = new Date("2026-01-01T00:00:00Z");

  it("reads seconds and dates", () => {
    expect(parseRetryAfter("2", now)).toBe(2_000);
    expect(parseRetryAfter("Thu, 01 Jan 2026 00:00:30 GMT", now)).toBe(30_000);
    expect(parseRetryAfter("Wed, 31 Dec 2025 23:00:00 GMT", now)).toBe(0);
    expect(parseRetryAfter("soon", now)).toBeUndefined();
    expect(parseRetryAfter(undefined, now)).toBeUndefined();
  });

  it("is total", () => {
    void fc.assert(
      fc.property(fc.string(), (header) => {
        const ms = parseRetryAfter(header, now);
        expect(ms === undefined || ms >= 0).toBe(true);
      }),
    );
  });
});
