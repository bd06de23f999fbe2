import { describe, expect, it } from "vitest";
import { missingAmount } from "../../../src/retrieve/silence/asked-amount.ts";

describe("missingAmount", () => {
  it.each([
    ["How many tills are there at each counter?", "Index builds stop the counters", "a number"],
    ["What does a ticket for a child cost?", "Tickets are sold by Seatwren", "a price"],
    ["Price per call of the Cartovia API?", "Rate limit of the Cartovia API is 300 requests a minute", "a price"],
    ["In which year did the dome open?", "The dome has 12 projectors", "a year"],
    ["What is the phone number of the desk?", "The desk opens at nine", "a number to call"],
    ["What is the phone number of Maren Dufour?", "Maren Dufour owns headcast since 2031-02-11", "a number to call"],
    ["What is the email address of the desk?", "The desk opens at nine", "an address with @"],
  ])("misses in the note what is asked for: %s", (question, note, expected) => {
    expect(missingAmount(question, note)).toBe(expected);
  });

  it.each([
    ["How many reminders do children get?", "Children are reminded twice"],
    ["What does an island cost extra?", "Surcharge for islands is 4.90 euros"],
    ["In which year did the dome open?", "The dome opened in 2019"],
    ["What is the phone number of the desk?", "Call +41 81 555 01 02"],
    ["chart of how many people stand in line", "The cockpit is a page"],
    ["Who services the projectors?", "Lumark does"],
    ["How do we normalise a phone number?", "Numbers are kept in E.164 by libphonenumber"],
    ["Where is the email address validated?", "E-mail addresses are validated in contact.ts by zod"],
    ["How many retries are allowed?", "A job is tried a few times, then parked"],
    ["How many days is a session kept?", "Sessions are kept for fourteen days"],
    ["How many minutes until a token expires?", "Tokens expire after an hour"],
    ["How many times a month are tokens released?", "Design tokens are released weekly"],
    ["How many workers run?", "Ninety workers run at night"],
    ["What does a failed deploy cost us?", "A failed deploy blocks the line for an hour"],
    ["Price of the Cartovia plan", "Cartovia is billed 40 SEK a call"],
    ["Since which year is it on?", "It has been on since '19"],
  ])("may be answered: %s", (question, note) => {
    expect(missingAmount(question, note)).toBeUndefined();
  });
});
