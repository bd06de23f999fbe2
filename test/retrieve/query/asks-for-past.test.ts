import { describe, expect, it } from "vitest";
import { asksForPast } from "../../../src/retrieve/query/asks-for-past.ts";

describe("asksForPast", () => {
  it.each([
    "Which broker did we use before NATS?",
    "how were alarms sent before cell broadcast",
    "old topic name for shipment events",
    "what the front end used to have",
    "Welche Datenbank hatten wir früher?",
    "以前のデータベースは?",
  ])("hears the past in %s", (question) => {
    expect(asksForPast(question)).toBe(true);
  });

  it.each([
    "what must be checked before a deploy",
    "run the migrations before the tests",
    "tours take longer in streets with old houses",
    "settled_at is earlier than the bank statement",
    "which database do we use now",
  ])("hears no past in %s", (question) => {
    expect(asksForPast(question)).toBe(false);
  });
});
