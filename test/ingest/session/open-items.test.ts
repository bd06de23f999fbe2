import { describe, expect, it } from "vitest";
import { readSession } from "../../../src/ingest/outcome/session-reading.ts";
import { openItemsOf } from "../../../src/ingest/session/open-items.ts";
import { buildSession, human, runs, says } from "../../support/build-session.ts";
import { CODING } from "../../support/coding-profile.ts";

const open = (drafts: Parameters<typeof buildSession>[0], label: Parameters<typeof openItemsOf>[1] = "failure") =>
  openItemsOf(readSession(buildSession(drafts), CODING), label);
const fails = (command: string, output: string) => runs(command, output, { status: "error", exitCode: 1 });

describe("openItemsOf", () => {
  it("takes the first line of words that a person wrote for the goal", () => {
    expect(open([human("/clear"), human("\nFix the refund retry\nand nothing else"), says("done")]).goal).toBe(
      "Fix the refund retry",
    );
    expect(open([human("ok"), says("…")]).goal).toBeNull();
  });

  it("keeps an error that nothing answered, normalised, and none that a later try of the same answered", () => {
    const session = [
      human("make the tests pass"),
      fails("npm test", "TypeError: cannot read rate of undefined at /src/a.ts:12"),
      runs("npm test", "ok, 3 passed"),
      fails("psql -f migrate.sql", 'ERROR: relation "ledger" does not exist'),
    ];
    expect(open(session).errors).toEqual(['error: relation "ledger" does not exist']);
    expect(open(session.slice(0, 2)).errors[0]).toMatch(/^typeerror: cannot read rate/);
  });

  it("leaves nothing open after a success", () => {
    const session = [human("try it out"), fails("grep -r ledger .", "grep: ledger: No such file or directory")];
    expect(open(session).errors).toHaveLength(1);
    expect(open(session, "success").errors).toEqual([]);
  });
});
