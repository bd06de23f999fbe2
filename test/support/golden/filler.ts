/**
 * Work that teaches nothing, by the hundred thousand characters: what makes a long session long. Every line differs, so
 * that nothing folds, and none holds a word that a predicate of the golden set asks for.
 */
import { createHash } from "node:crypto";
import type { Step } from "./notation.ts";

const NAMES = [
  "alder",
  "birch",
  "cedar",
  "elm",
  "hazel",
  "juniper",
  "larch",
  "maple",
  "oak",
  "rowan",
  "spruce",
  "willow",
];
const PASTE = /\{\{paste (\d+)\}\}/g;
const STEP_CHARACTERS = 3_500;

/** Replaces every `filler` step by steps that read files, and every `{{paste N}}` by N characters of log. */
export function expandFiller(steps: readonly Step[], name: string): Step[] {
  return steps.flatMap((step, number) => {
    if (step.kind === "filler") return fillerSteps(Number(step.rest), `${name}/${number}`);
    return [
      { ...step, body: step.body.replace(PASTE, (_, size: string) => logText(Number(size), `${name}/${number}`)) },
    ];
  });
}

function fillerSteps(characters: number, seed: string): Step[] {
  const steps: Step[] = [];
  for (let made = 0, number = 0; made < characters; number += 1) {
    const body = logText(Math.min(STEP_CHARACTERS, characters - made), `${seed}/${number}`);
    made += body.length;
    if (number % 5 === 0)
      steps.push({ kind: "agent", rest: "", body: `Next listing, ${wordAt(seed, number)}.`, exitCode: 0 });
    steps.push({ kind: "read", rest: `listings/${wordAt(seed, number)}-${number}.txt`, body, exitCode: 0 });
  }
  return steps;
}

function logText(characters: number, seed: string): string {
  const lines: string[] = [];
  for (let size = 0, number = 0; size < characters; number += 1) {
    const hash = createHash("sha256").update(`${seed}/${number}`).digest("hex");
    const line = `${hash.slice(0, 8)} ${wordAt(hash, 1)} ${wordAt(hash, 2)} batch ${hash.slice(8, 12)} handled in ${number % 97} steps`;
    lines.push(line);
    size += line.length + 1;
  }
  return lines.join("\n").slice(0, characters);
}

function wordAt(seed: string, number: number): string {
  const hash = createHash("sha256").update(`${seed}#${number}`).digest();
  return NAMES[hash.readUInt16BE(0) % NAMES.length] ?? "oak";
}
