/** Two real transcripts: flashing a board fails on Monday, and on Wednesday the same error is put right. */
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openTestHome } from "../support/open-test-memory.ts";
import { cannedModel } from "../support/stage-deps.ts";

const GOLDEN = join(import.meta.dirname, "../fixtures/sessions/golden");
const ERROR = "LIBUSB_ERROR_ACCESS [-3] while opening 0483:374e";

/** Warns of the error, citing the turn in which the prompt shows it. */
const model = cannedModel(({ stage, system, prompt }) => {
  if (stage !== "extract" || !system.includes("did not reach its goal")) return '{"facts":[],"decisions":[]}';
  const at = prompt.slice(0, prompt.indexOf(ERROR)).match(/\[t\d+ /g) ?? [];
  const warning = {
    ...{ type: "lesson", polarity: "avoid", scope: "project", source: "tool_verified", confidence: 0.8 },
    title: "Flashing the lift controller fails with LIBUSB_ERROR_ACCESS",
    content: "west flash and pyocd list found no debug probe: LIBUSB_ERROR_ACCESS while opening 0483:374e.",
    why: "unresolved",
    how_to_apply: "Look at the access to the probe before trying another runner.",
    when_to_use: ["flashing the lift controller with pyocd"],
    ...{ when_not: null, applies_if: null, symbols: ["LIBUSB_ERROR_ACCESS"], resolved_at: null, expires: null },
    evidence: [{ turn: Number(at.at(-1)?.slice(2)), quote: ERROR }],
  };
  return JSON.stringify({ facts: [warning] });
});

describe("a warning of a session that failed", () => {
  it("is found by who meets the error, is shown to nobody unasked, and gets its answer from the later success", async () => {
    using home = openTestHome();
    await using memory = await home.open({ languageModel: model });
    const start = async () => {
      const common = { session: "s", host: "claude-code", source: "startup", maxCharacters: 9_000 } as const;
      return (await memory.start({ ...common, deadlineAt: Date.now() + 60_000 })).shown;
    };
    const failed = await memory.ingest.session(join(GOLDEN, "porter-flash-failure/session.jsonl"));
    expect(failed.outcome?.label).toBe("failure");
    const [warning] = await memory.list({ statuses: ["provisional"] });
    expect(warning).toMatchObject({ polarity: "avoid", why: "unresolved" });
    expect(await start()).not.toContain(warning?.id);
    const { hits } = await memory.search({ text: "STLink: LIBUSB_ERROR_ACCESS [-3] while opening 0483:9999 [stlink]" });
    expect(hits).toMatchObject([{ memory: { id: warning?.id } }]);

    const solved = await memory.ingest.session(join(GOLDEN, "porter-flash-resolved/session.jsonl"));
    expect(solved.outcome?.label).toBe("success");
    const change = "a change of `scripts/udev/99-porter-probes.rules`";
    expect((await memory.get(warning?.id ?? "")).memory).toMatchObject({
      status: "active",
      why: `Put right later: ${change}; then \`west flash --runner pyocd\` succeeded.`,
    });
    expect(await start()).toContain(warning?.id);
  });
});
