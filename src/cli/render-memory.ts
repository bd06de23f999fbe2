/** Memories as people read them in a terminal, and as programs read them as JSON. */
import type { Chunk } from "../core/chunk.ts";
import { conflictSentence } from "../core/findings/file-conflict.ts";
import type { MemoryView } from "../core/memory.ts";
import { handleOf, type MemoryRecord, type Provenance } from "../core/memory-record.ts";
import type { SearchHit } from "../core/query.ts";
import { dayOf } from "../core/time/days.ts";
import type { CliContext } from "./context.ts";
import { ageOf, columns, type JsonOption, type Paint, paintFor, writeJson, writeLines } from "./output.ts";

export interface RenderOptions {
  readonly paint: Paint;
  readonly now: Date;
}

/** A record with its handle in front: what `--json` prints of a memory. */
export function memoryJson(memory: MemoryRecord): { readonly handle: string } & MemoryRecord {
  return { handle: handleOf(memory), ...memory };
}

/** One line a memory: handle, type, standing, age, title. */
export function memoryLines(memories: readonly MemoryRecord[], { paint, now }: RenderOptions): string[] {
  return columns(
    memories.map((memory) => [
      paint.bold(handleOf(memory)),
      memory.type,
      standingOf(memory, paint),
      paint.dim(ageOf(memory.confirmedAt, now)),
      memory.title,
    ]),
  );
}

/** The answer of a command that is about memories. */
export function writeMemories(context: CliContext, memories: readonly MemoryRecord[], { json }: JsonOption): void {
  if (json === true) for (const memory of memories) writeJson(context, memoryJson(memory));
  else writeLines(context, memoryLines(memories, renderOptions(context)));
}

/** How memories look where the answer goes. */
export function renderOptions(context: CliContext): RenderOptions {
  return { paint: paintFor(context, context.stdout), now: context.now() };
}

/** Everything that a person may want to know of one memory. */
export function viewLines(view: MemoryView, options: RenderOptions): string[] {
  const { memory } = view;
  const { paint } = options;
  return [
    `${paint.bold(handleOf(memory))}  ${paint.bold(memory.title)}`,
    paint.dim(`${factsOf(memory, options.now)} · ${view.freshness}`),
    "",
    ...bodyLines(memory, paint),
    ...sectionLines("evidence", memory.provenance.map(provenanceLine), paint),
    ...sectionLines("checks", view.checks, paint),
    ...(view.successor === null ? [] : sectionLines("replaced by", [titleLine(view.successor)], paint)),
    ...sectionLines("conflicts with", view.conflicts.map(titleLine), paint),
    ...sectionLines(
      "files say otherwise",
      view.fileConflicts.map((conflict) => conflictSentence(conflict, memory)),
      paint,
    ),
  ];
}

/** A hit with its body; a chunk with its place in the file. */
export function hitLines(hit: SearchHit, options: RenderOptions): string[] {
  if (hit.unit === "chunk") return chunkLines(hit.chunk, options.paint);
  const { memory } = hit;
  const quote = memory.provenance.find((entry) => entry.quote !== null);
  return [
    `${options.paint.bold(handleOf(memory))}  ${options.paint.bold(memory.title)}`,
    options.paint.dim(factsOf(memory, options.now)),
    ...bodyLines(memory, options.paint),
    ...(quote === undefined ? [] : [`  said: ${provenanceLine(quote)}`]),
  ];
}

/** How a hit came to its place, one line an arm. */
export function explanationLines(hit: SearchHit, paint: Paint): string[] {
  const explanation = hit.explanation;
  if (explanation === undefined) return [];
  const arms = explanation.arms.map(
    ({ arm, rank, score, weight }) => `${arm} #${rank} (${score.toFixed(3)} × ${weight})`,
  );
  const adjustments = Object.entries(explanation.adjustments).map(([name, factor]) => `${name} × ${factor.toFixed(2)}`);
  return [
    paint.dim(`  score ${hit.score.toFixed(4)} = ${explanation.fused.toFixed(4)} ${adjustments.join(" ")}`.trimEnd()),
    paint.dim(`  found by ${arms.join(", ")}; kept for ${explanation.survivedBy.join(", ")}`),
  ];
}

export function titleLine(memory: MemoryRecord): string {
  return `${handleOf(memory)}  ${memory.title}`;
}

function chunkLines(chunk: Chunk, paint: Paint): string[] {
  const place = `${chunk.path}:${chunk.startLine}-${chunk.endLine}`;
  return [
    paint.bold(place),
    ...(chunk.headings.length === 0 ? [] : [paint.dim(chunk.headings.join(" › "))]),
    ...indent(chunk.text),
  ];
}

function bodyLines(memory: MemoryRecord, paint: Paint): string[] {
  const optional: readonly (readonly [string, string | null])[] = [
    ["why", memory.why],
    ["how to apply", memory.howToApply],
    ["when not", memory.whenNot],
    ["applies if", memory.appliesIf],
    ["symbols", memory.symbols.join(", ")],
    ["reason", memory.reason],
  ];
  return [
    ...(memory.polarity === "avoid" ? [paint.yellow("  avoid:")] : []),
    ...indent(memory.content),
    ...memory.whenToUse.map((situation) => `  ${paint.dim("when:")} ${situation}`),
    ...optional.flatMap(([name, text]) => (text === null || text === "" ? [] : [`  ${paint.dim(`${name}:`)} ${text}`])),
  ];
}

function sectionLines(name: string, lines: readonly string[], paint: Paint): string[] {
  return lines.length === 0 ? [] : ["", paint.dim(name), ...lines.map((line) => `  ${line}`)];
}

function factsOf(memory: MemoryRecord, now: Date): string {
  const parts = [
    memory.type,
    memory.status,
    memory.scope.kind === "user" ? "all projects" : "this project",
    ageOf(memory.confirmedAt, now),
    memory.source.replaceAll("_", " "),
    `seen ${memory.seen}×`,
    `version ${memory.version}`,
  ];
  if (memory.pinned) parts.push("pinned");
  return parts.concat(memory.flags).join(" · ");
}

function standingOf(memory: MemoryRecord, paint: Paint): string {
  const marks = [...(memory.pinned ? ["pinned"] : []), ...(memory.status === "active" ? [] : [memory.status])];
  return marks.length === 0 ? paint.green("active") : paint.yellow(marks.join(" "));
}

function provenanceLine(entry: Provenance): string {
  const where = [entry.host, entry.session, entry.turn === null ? null : `turn ${entry.turn}`]
    .filter(Boolean)
    .join(" ");
  const quote = entry.quote === null ? "" : `“${entry.quote}” `;
  return `${quote}(${where === "" ? entry.kind : where}, ${dayOf(entry.at)}, ${entry.extractor})`;
}

function indent(text: string): string[] {
  return text.split("\n").map((line) => `  ${line}`);
}
