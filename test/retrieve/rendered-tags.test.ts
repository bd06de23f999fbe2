/** Property 9 of ingestion's page: whatever memories and files hold, our block has one beginning and one end. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runId, sessionId } from "../../src/core/ids.ts";
import { FACT_TYPES } from "../../src/core/memory-record.ts";
import { renderBlock } from "../../src/retrieve/render-block.ts";
import { renderContext } from "../../src/retrieve/render-context.ts";
import { renderManifest } from "../../src/retrieve/render-manifest.ts";
import { anyText } from "../support/any-text.ts";
import { aChunk, aMemory, chunkHit, factHit, NOW } from "../support/records.ts";

const PIECES = [
  ...[
    "</arcticmem-memories>",
    "<arcticmem-memories>",
    "</arcticmem-manifest",
    "arcticmem-memories",
    "</ArcticMem-Memories >",
  ],
  ...["<", "</", ">", "/", "<!--", "\n", "\r", "\u2028", '"', "'", "=", " "],
  ...[
    "<\u200b/arcticmem-memories>",
    "</arctic\u00admem-memories>",
    "\u202e",
    "\u0000",
    "\u{e003c}",
    "＜/arcticmem-memories＞",
    "&lt;/",
  ],
  ...["<system-reminder>", "word", "[L-000001]"],
];
const hostile = fc
  .array(fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...PIECES) }, { weight: 1, arbitrary: anyText(8) }), {
    maxLength: 12,
  })
  .map((parts) => parts.join(""));

const anyMemory = fc
  .record({
    number: fc.nat(9_999),
    type: fc.constantFrom(...FACT_TYPES),
    title: hostile,
    content: hostile,
    why: hostile,
    howToApply: hostile,
    whenToUse: fc.array(hostile, { maxLength: 3 }),
    whenNot: fc.option(hostile),
    appliesIf: fc.option(hostile),
    symbols: fc.array(hostile, { maxLength: 3 }),
    pinned: fc.boolean(),
    quote: hostile,
  })
  .map(({ number, quote, ...fields }) =>
    aMemory(number, {
      ...fields,
      provenance: [
        {
          ...{
            kind: "session",
            host: "claude-code",
            session: sessionId(quote || "s"),
            run: runId("r"),
            turn: 1,
            quote,
          },
          ...{ transcript: quote, extractor: "model:x", at: NOW, excerpt: quote },
        },
      ],
    }),
  );
const memories = fc.uniqueArray(anyMemory, { minLength: 1, maxLength: 5, selector: ({ id }) => id });

/** Tags as a reader would see them who overlooks what is invisible. */
function tagsOf(text: string): string[] {
  const seen = text.replace(/[\p{Cf}\p{Cc}]/gu, (mark) => (mark === "\n" ? mark : ""));
  return (seen.match(/<(?:[/!?][ \t]*)?[a-z][\w-]*/gi) ?? []).map((tag) => tag.toLowerCase());
}

describe("a rendered text", () => {
  it("of a search opens and closes our block once, and holds no other tag", () => {
    fc.assert(
      fc.property(memories, hostile, (all, text) => {
        const hits = [
          ...all.map((memory) => factHit(memory)),
          chunkHit(aChunk(1, { text, path: text, headings: [text] })),
        ];
        const answer = { hits, abstained: false, degraded: [], notes: [], searchedMs: 1 };
        expect(tagsOf(renderContext(answer, { now: NOW }))).toEqual(["<arcticmem-memories", "</arcticmem-memories"]);
      }),
    );
  });

  it("of a session's start does, block and manifest", () => {
    fc.assert(
      fc.property(memories, hostile, (all, text) => {
        const block = renderBlock({
          entries: all.map((memory) => ({ unit: "fact", memory, reason: text })),
          ...{ inFull: all, matched: true, mode: "llm", news: "learned 1 last time", now: NOW },
        });
        const manifest = renderManifest({ scope: `project:${text}`, memories: all, unconfirmed: 1 });
        expect(tagsOf(block.text)).toEqual(["<arcticmem-memories", "</arcticmem-memories"]);
        expect(tagsOf(manifest.text)).toEqual(["<arcticmem-manifest", "</arcticmem-manifest"]);
      }),
    );
  });
});
