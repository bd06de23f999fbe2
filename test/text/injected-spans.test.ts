import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  containsSentinel,
  MANIFEST_TAG,
  MEMORIES_TAG,
  privateContents,
  SENTINEL,
  stripInjectedSpans,
  stripPrivateSpans,
} from "../../src/text/injected-spans.ts";

describe("stripInjectedSpans", () => {
  it.each([
    ["our titles", `a\n<${MEMORIES_TAG} as_of="x">\n- [L-1] t\n</${MEMORIES_TAG}>\nb`, "a\n\nb"],
    ["our manifest", `<${MANIFEST_TAG} count="1">\nt\n</${MANIFEST_TAG}>\nb`, "b"],
    ["a cut block of ours", `<${MEMORIES_TAG} as_of="x">\n- [L-1] t\n\nb`, "b"],
    ["harness reminders", "<system-reminder>\nread this\n</system-reminder>\nfix it", "fix it"],
    ["nested reminders", "<system-reminder>a<system-reminder>b</system-reminder>c</system-reminder>fix", "fix"],
    ["other hosts' reminders", "<system_reminder>x</system_reminder><hook_context>y</hook_context>fix", "fix"],
    ["hook context as text", "SessionStart hook additional context: x\ny\n\nfix it", "fix it"],
    ["the environment of Codex", "<environment_context><cwd>/x</cwd></environment_context>fix", "fix"],
    [
      "instructions of Codex",
      "# AGENTS.md instructions for /x\n\n<INSTRUCTIONS>\nUse tabs\n</INSTRUCTIONS>\nfix",
      "fix",
    ],
    ["local command output", "<local-command-stdout>5 files</local-command-stdout>", ""],
  ])("takes out %s", (_, text, left) => {
    expect(stripInjectedSpans(text)).toBe(left);
  });

  it("keeps what was typed behind a slash command", () => {
    const text = "<command-name>/fix</command-name><command-args>the clock</command-args>";
    expect(stripInjectedSpans(text)).toBe("the clock");
  });

  it("keeps a sentence that speaks about a tag", () => {
    const text = "Why is a `<system-reminder>` in my prompt?";
    expect(stripInjectedSpans(text)).toBe(text);
  });

  it("gives back a text with nothing injected as it is", () => {
    expect(stripInjectedSpans("  a < b  \n")).toBe("  a < b  \n");
  });

  it("takes time in proportion to the text, however tags are nested", () => {
    const evil = "<skill>".repeat(20_000);
    expect(stripInjectedSpans(evil)).toBe(evil);
  });

  it("changes nothing the second time", () => {
    const pieces = [
      "<system-reminder>",
      "</system-reminder>",
      `<${MEMORIES_TAG} x>`,
      `</${MEMORIES_TAG}>`,
      "\n\n",
      "a",
      "`",
      "<private>",
      "</private>",
    ];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 12 }), (parts) => {
        const once = stripInjectedSpans(parts.join(""));
        expect(stripInjectedSpans(once)).toBe(once);
      }),
    );
  });
});

describe("stripPrivateSpans", () => {
  it("removes the span and nothing beside it", () => {
    expect(stripPrivateSpans("keep <private>door code 4711</private> out")).toBe("keep out");
  });

  it("lets an unclosed span reach to the end", () => {
    expect(stripPrivateSpans("keep\n<PRIVATE>door code\n4711")).toBe("keep");
  });

  it("tells what stood in the spans", () => {
    expect(privateContents("a <private>one</private> <private>two")).toEqual(["one", "two"]);
  });
});

describe("containsSentinel", () => {
  it("recognises a prompt of ours", () => {
    expect(containsSentinel(`${SENTINEL}\nYou write notes`)).toBe(true);
    expect(containsSentinel("You write notes")).toBe(false);
  });
});
