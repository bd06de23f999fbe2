import { describe, expect, it } from "vitest";
import { inTime } from "../../../src/core/time/in-time.ts";

const late = (): string => "late";

describe("inTime", () => {
  it("gives the answer in time, and what stands in for it when it is late, whatever becomes of it later", async () => {
    expect(await inTime(Promise.resolve("in time"), 5_000, late)).toBe("in time");
    expect(await inTime(new Promise((resolve) => setTimeout(resolve, 200)), 1, late)).toBe("late");
    const failsLater = new Promise((_resolve, reject) => setTimeout(() => reject(new Error("failed")), 20));
    expect(await inTime(failsLater, 1, late)).toBe("late");
    await new Promise((resolve) => setTimeout(resolve, 40));
  });

  it("passes on a failure in time, and one that stands in", async () => {
    await expect(inTime(Promise.reject(new Error("early")), 1_000, late)).rejects.toThrow("early");
    const refuse = (): never => {
      throw new Error("too late");
    };
    await expect(inTime(new Promise(() => undefined), 1, refuse)).rejects.toThrow("too late");
  });
});
