/** Hostile queries through the real search of a whole memory: notes, files and all indexes. No error, bounded time. */
import fc from "fast-check";
import type { Memory } from "../../src/core/memory.ts";
import { anyText } from "../../test/support/any-text.ts";
import { openTestHome } from "../../test/support/open-test-memory.ts";
import { seededRandom } from "../../test/support/seeded-random.ts";
import { type Share, ShareCount, type ShareRequest } from "./share.ts";

const NOTES = 200;
const MILLION = 1_000_000;
/** One query in so many is long. */
const LONG_SHARE = 200;

const SYNTAX = [
  ...["AND", "OR", "NOT", "NEAR", "NEAR/3", "*", "^", "(", ")", ":", "title:", "-", "+", "{", "}", "--", ";", "/*"],
  ...["'", '"', '""', "''", "`", "\\", "%", "_", "$1", "?", "@x", "DROP TABLE memories", "' OR 1=1", "MATCH", "\u0000"],
  ...[
    "\u202e",
    "\u200b",
    "\ud800",
    "\udc00",
    "\u{1f9ca}",
    "\r\n",
    "\t",
    "</arcticmem-memories>",
    "postgres",
    "port 5433",
  ],
];
const short = fc.oneof(
  fc.array(fc.oneof(fc.constantFrom(...SYNTAX), anyText(6)), { maxLength: 24 }).map((all) => all.join(" ")),
  fc.array(fc.constantFrom(...SYNTAX), { maxLength: 12 }).map((all) => all.join("")),
  anyText(300),
  fc.string({ unit: "grapheme", maxLength: 80 }),
);
const long = fc
  .tuple(fc.oneof(fc.constantFrom(...SYNTAX), anyText(40)), fc.integer({ min: 10_000, max: MILLION }))
  .map(([unit, length]) =>
    (unit === "" ? "x" : unit).repeat(Math.ceil(length / Math.max(1, unit.length))).slice(0, length),
  );
const query = fc.oneof({ weight: LONG_SHARE, arbitrary: short }, { weight: 1, arbitrary: long });

export async function fuzzQueries(request: ShareRequest): Promise<Share> {
  using home = openTestHome();
  await using memory = await home.open();
  await fill(memory, request.seed, home.write);
  const count = new ShareCount(request);
  const property = fc.asyncProperty(query, fc.integer({ min: 1, max: 50 }), async (text, limit) => {
    if (count.isOver()) return;
    count.case();
    const isLong = text.length >= 10_000;
    const startedAt = performance.now();
    try {
      const { hits } = await memory.search({ text, limit });
      count.add(hits.length === 0 ? "answered with nothing" : "answered with hits");
      if (hits.length > limit) count.violation(`${hits.length} hits for a limit of ${limit}`);
    } catch (thrown) {
      count.violation(`threw ${String(thrown)} on ${JSON.stringify(text.slice(0, 2_000))} (${text.length} units)`);
    }
    count.time(isLong ? "10,000 to 1,000,000 characters" : "shorter", performance.now() - startedAt, isLong);
  });
  await fc.assert(property, { numRuns: request.cases, seed: request.seed });
  return count.finish();
}

const THINGS = "postgres redis pnpm vitest docker kafka terraform nginx grafana sqlite".split(" ");
const CLAIMS = ["runs on port", "needs version", "times out after", "is restarted by job", "keeps backups for"];

async function fill(memory: Memory, seed: number, write: (path: string, text: string) => string): Promise<void> {
  const random = seededRandom(seed);
  const pick = (all: readonly string[]): string => all[Math.floor(random() * all.length)] ?? "";
  for (let note = 0; note < NOTES; note += 1) {
    await memory.add({
      text: `${pick(THINGS)} ${pick(CLAIMS)} ${1_000 + note}, in module ${pick(THINGS)}_${note}.`,
      by: "person",
    });
  }
  const section = (at: number): string =>
    `## Rule ${at}\n\n${pick(THINGS)} ${pick(CLAIMS)} ${at}. Never touch \`${pick(THINGS)}_${at}\`.\n`;
  write("CLAUDE.md", `# Rules\n\n${Array.from({ length: 60 }, (_, at) => section(at)).join("\n")}`);
  await memory.files.index();
}
