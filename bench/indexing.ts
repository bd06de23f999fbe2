/** How fast notes and files get into the index, the real model embedding. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openMemory } from "../src/index.ts";
import { type Figure, toFigure } from "./figure.ts";
import { makeSampleHome, seededRandom } from "./sample-store.ts";

const FILES = 20;
const SECTIONS = 8;
const WORDS = "sensor valve pump moisture season harvest ledger crop bed retry window schedule seed frost".split(" ");

export async function indexingFigures(): Promise<Figure[]> {
  using home = await makeSampleHome();
  const rules = join(home.project, ".claude", "rules");
  mkdirSync(rules, { recursive: true });
  const random = seededRandom(5);
  for (let file = 0; file < FILES; file += 1) writeFileSync(join(rules, `rule-${file}.md`), document(file, random));
  await using memory = await openMemory({
    cwd: home.project,
    environment: { platform: process.platform, variables: home.environment },
  });
  const started = performance.now();
  const { embedded } = await memory.files.index();
  const seconds = (performance.now() - started) / 1000;
  const again = performance.now();
  await memory.files.index();
  return [
    toFigure({ name: "index-passages", unit: "1/s", values: [embedded / seconds] }),
    toFigure({ name: "index-unchanged-workspace", unit: "ms", values: [performance.now() - again] }),
  ];
}

function document(number: number, random: () => number): string {
  const sentence = (): string =>
    `${Array.from({ length: 14 }, () => WORDS[Math.floor(random() * WORDS.length)]).join(" ")}.`;
  const section = (at: number): string => `## Part ${at}\n\n${Array.from({ length: 6 }, sentence).join(" ")}\n`;
  return `# Rules ${number}\n\n${Array.from({ length: SECTIONS }, (_, at) => section(at)).join("\n")}`;
}
