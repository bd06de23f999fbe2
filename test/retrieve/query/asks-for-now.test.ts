import { describe, expect, it } from "vitest";
import { asksForNow, tellsOfChange } from "../../../src/retrieve/query/asks-for-now.ts";

describe("asksForNow", () => {
  it.each([
    "What database do we currently use?",
    "which bundler is used nowadays",
    "What replaced the cron jobs?",
    "latest naming rule for branches",
    "Welche Datenbank nutzen wir derzeit?",
    "现在用哪个数据库",
  ])("hears the present in %s", (question) => {
    expect(asksForNow(question)).toBe(true);
  });

  it.each(["What database do we use?", "how are currents measured", "known errors of the parser"])(
    "hears no present in %s",
    (question) => {
      expect(asksForNow(question)).toBe(false);
    },
  );
});

describe("tellsOfChange", () => {
  it.each([
    "We migrated from MySQL to PostgreSQL in June.",
    "Cron jobs were replaced by the scheduler.",
    "The gateway no longer checks tokens.",
    "Die Auslieferung wurde auf Container umgestellt.",
    "Die Auslieferung wurde früh auf Container umgestellt.",
    "migrando a otra base",
    "配置改用环境变量",
  ])("hears a change in %s", (text) => {
    expect(tellsOfChange(text)).toBe(true);
  });

  it.each([
    "PostgreSQL holds all relational data.",
    "Change the port in the settings file.",
    "Moved parts are greased.",
    "the emigration office, an amigrated word",
    "the émigrado of the café",
  ])("hears none in %s", (text) => {
    expect(tellsOfChange(text)).toBe(false);
  });
});
