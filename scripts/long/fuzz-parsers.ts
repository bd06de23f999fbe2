/** Everything that reads what others wrote, on any text: it must end, and give one of the answers that it may give. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { claudeCodeHooks } from "../../src/hosts/claude-code/hook-payload.ts";
import { claudeCodeTranscripts } from "../../src/hosts/claude-code/transcript.ts";
import { listIn, readReply } from "../../src/ingest/extract/repair-reply.ts";
import { looksLikeFact, readFactItems } from "../../src/ingest/extract/reply/fact-item.ts";
import { decisionProblems, parseDecisions } from "../../src/ingest/lifecycle/parse-decisions.ts";
import { readCues } from "../../src/ingest/outcome/read-cues.ts";
import { shellSteps } from "../../src/ingest/outcome/shell-command.ts";
import { stripInjectedSpans, stripPrivateSpans } from "../../src/text/injected-spans.ts";
import { anyText } from "../../test/support/any-text.ts";
import { type Share, ShareCount, type ShareRequest } from "./share.ts";

const REPLIES = join(import.meta.dirname, "../../test/fixtures/replies");

const corpus = readdirSync(REPLIES).map((name) => readFileSync(join(REPLIES, name), "utf8"));

/** A reply of the corpus with a piece cut out, doubled or replaced. */
const damaged = fc
  .record({ base: fc.constantFrom(...corpus), at: fc.nat(), length: fc.nat(200), into: anyText(30), how: fc.nat(2) })
  .map(({ base, at, length, into, how }) => {
    const text = base.slice(0, 20_000);
    const from = text.length === 0 ? 0 : at % text.length;
    const piece = text.slice(from, from + length);
    return text.slice(0, from) + [into, piece + piece, ""][how] + text.slice(from + length);
  });
const MARKS = [
  "{",
  "}",
  "[",
  "]",
  '"',
  "'",
  ",",
  ":",
  "\\",
  "```json",
  "```",
  "<think>",
  "</think>",
  "null",
  '"facts"',
];
const WORDS = [
  "<private>",
  "</private>",
  "<arcticmem-memories>",
  "<system-reminder>",
  "&&",
  "<<EOF",
  "\n",
  "no, ",
  "$(",
];
const pieces = fc
  .array(fc.oneof(fc.constantFrom(...MARKS, ...WORDS), anyText(8)), { maxLength: 40 })
  .map((all) => all.join(""));
const anything = fc.oneof(
  { weight: 3, arbitrary: damaged },
  { weight: 2, arbitrary: pieces },
  { weight: 1, arbitrary: anyText(600) },
  { weight: 1, arbitrary: fc.json() },
);

export async function fuzzParsers(request: ShareRequest): Promise<Share> {
  const count = new ShareCount(request);
  const property = fc.property(anything, fc.boolean(), (text, truncated) => {
    if (count.isOver()) return;
    count.case();
    const startedAt = performance.now();
    try {
      readEverything(text, truncated, count);
    } catch (thrown) {
      count.violation(`threw ${String(thrown)} on ${JSON.stringify(text)}`);
    }
    count.time("case", performance.now() - startedAt);
  });
  fc.assert(property, { numRuns: request.cases, seed: request.seed });
  return count.finish();
}

function readEverything(text: string, truncated: boolean, count: ShareCount): void {
  const read = readReply({ text, truncated });
  count.add(`reply ${read.class}`);
  if (read.value !== undefined) {
    const items = listIn(read.value, "facts", looksLikeFact);
    const { valid } = readFactItems(items ?? []);
    count.add("facts read", valid.length);
    for (const { title, content } of valid) {
      if (title.trim() === "" || content.trim() === "") count.violation(`an empty fact from ${JSON.stringify(text)}`);
    }
  }
  const proposal = parseDecisions({ text, truncated });
  count.add("decisions read", proposal?.decisions.length ?? 0);
  decisionProblems({ text, truncated });
  shellSteps(text);
  readCues(text);
  claudeCodeTranscripts.recognises(text);
  if (claudeCodeHooks.readPayload(text) !== undefined) count.add("hook payloads read");
  for (const strip of [stripInjectedSpans, stripPrivateSpans]) {
    const once = strip(text);
    if (strip(once) !== once) count.violation(`${strip.name} changes its own result on ${JSON.stringify(text)}`);
  }
}
