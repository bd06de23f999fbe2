import { describe, expect, it } from "vitest";
import { sessionId } from "../../../src/core/ids.ts";
import type { Session } from "../../../src/core/session.ts";
import { redactSession } from "../../../src/ingest/session/prepare-session.ts";
import { createRedactor } from "../../../src/text/redact.ts";
import { randomSecret } from "../../support/secret-samples.ts";

const token = `ghp_${randomSecret(36)}`;
const session: Session = {
  id: sessionId("s"),
  host: "claude-code",
  project: {},
  startedAt: new Date(0),
  endedAt: new Date(0),
  turns: [
    { index: 0, kind: "human", text: `use ${token}`, origin: "human", trust: 3 },
    {
      index: 1,
      kind: "tool_call",
      text: "x",
      origin: "model",
      trust: 2,
      tool: { name: "Bash", args: `echo ${token}` },
    },
    { index: 2, kind: "tool_result", text: "ok", origin: "tool_local", trust: 2, tool: { name: "Bash", status: "ok" } },
  ],
  digest: "d",
  report: { records: 3, unparsable: 0, truncated: 0, ignored: {} },
};

describe("redactSession", () => {
  it("redacts texts and arguments, and keeps everything else", async () => {
    const redacted = await redactSession(createRedactor(), session);
    expect(redacted.turns.map((turn) => turn.text)).toEqual(["use [REDACTED:github_token#1]", "x", "ok"]);
    expect(redacted.turns[1]?.tool).toEqual({ name: "Bash", args: "echo [REDACTED:github_token#1]" });
    expect(redacted.turns[2]).toEqual(session.turns[2]);
    expect(redacted.digest).toBe("d");
  });
});
