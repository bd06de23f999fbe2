import { defineConfig } from "vitest/config";

/** Whole processes, some of them other people's: one file at a time, and patience. */
export default defineConfig({
  test: {
    include: ["test/e2e/**/*.test.ts"],
    testTimeout: 180_000,
    hookTimeout: 300_000,
    pool: "forks",
    fileParallelism: false,
  },
});
