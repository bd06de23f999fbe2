/** `arcticmem search`: what the memory and the project's files say about something. */
import { Command } from "commander";
import { given } from "../../core/given.ts";
import { type FactType, handleOf, type MemoryStatus } from "../../core/memory-record.ts";
import type { SearchAnswer, SearchHit, UnitKind } from "../../core/query.ts";
import type { CliContext } from "../context.ts";
import { type JsonOption, tell, writeJson, writeLines } from "../output.ts";
import { factTypes, memoryStatuses, moment, oneOf, upTo } from "../parse-options.ts";
import { explanationLines, hitLines, memoryJson, renderOptions } from "../render-memory.ts";

interface SearchOptions extends JsonOption {
  readonly limit: number;
  readonly type?: readonly FactType[];
  readonly status?: readonly MemoryStatus[];
  readonly only?: UnitKind;
  readonly asOf?: Date;
  readonly explain?: boolean;
}

/** As many as search gives. */
const MOST_RESULTS = 50;
const UNITS = { facts: "fact", files: "chunk" } as const satisfies Record<string, UnitKind>;

export function searchCommand(context: CliContext): Command {
  return new Command("search")
    .summary("find memories and file passages by meaning, words or symbol")
    .argument("<query...>", "what to look for, in plain words")
    .option("-n, --limit <count>", "most results to show, up to 50", upTo(MOST_RESULTS), 10)
    .option("--type <types>", "only these: lesson, context, preference, pointer", factTypes)
    .option("--status <statuses>", "these instead of the live ones", memoryStatuses)
    .option("--only <facts|files>", "memories only, or files only", (text) => UNITS[oneOf(["facts", "files"], text)])
    .option("--as-of <moment>", "what was known then", moment(context.now))
    .option("--explain", "how each result came to its place, and what was cut by which step")
    .option("--json", "print one JSON object per line")
    .action(async (words: string[], options: SearchOptions) => {
      await using memory = await context.openMemory();
      const answer = await memory.search({
        text: words.join(" "),
        limit: options.limit,
        signal: context.signal,
        ...given({ types: options.type, statuses: options.status, asOf: options.asOf, explain: options.explain }),
        ...(options.only === undefined ? {} : { units: [options.only] }),
      });
      if (options.json === true) for (const hit of answer.hits) writeJson(context, hitJson(hit));
      else writeAnswer(context, answer);
      tellAbout(context, answer);
      for (const left of await memory.project.leftBehind()) tell(context, `note: ${left}`);
    });
}

function writeAnswer(context: CliContext, answer: SearchAnswer): void {
  const options = renderOptions(context);
  const blocks = answer.hits.map((hit) => [...hitLines(hit, options), ...explanationLines(hit, options.paint), ""]);
  writeLines(context, blocks.flat().slice(0, -1));
}

function tellAbout(context: CliContext, answer: SearchAnswer): void {
  if (answer.hits.length === 0) tell(context, nothing(answer));
  for (const hit of answer.nearest ?? []) tell(context, `nearest: ${nameOf(hit)}`);
  for (const note of answer.notes) tell(context, `note: ${note}`);
  for (const part of answer.degraded) tell(context, `degraded: ${part}`);
  const { thresholds = {}, cut = [] } = answer.explanation ?? {};
  for (const { hit, reason } of cut) tell(context, `cut: ${nameOf(hit)}: ${reason}`);
  const limits = Object.entries(thresholds).map(([name, value]) => `${name} ${value}`);
  if (limits.length > 0) tell(context, `thresholds: ${limits.join(", ")}`);
}

function nothing({ abstained, unanswered }: SearchAnswer): string {
  if (!abstained) return "Nothing found.";
  return unanswered === undefined ? "Nothing near enough." : `Nothing that answers this for certain: ${unanswered}.`;
}

function nameOf(hit: SearchHit): string {
  return hit.unit === "fact"
    ? `[${handleOf(hit.memory)}] ${hit.memory.title}`
    : `${hit.chunk.path}:${hit.chunk.startLine}`;
}

function hitJson(hit: SearchHit): Record<string, unknown> {
  const { score, explanation } = hit;
  const rest = explanation === undefined ? { score } : { score, explanation };
  return hit.unit === "fact"
    ? { unit: "fact", ...rest, ...memoryJson(hit.memory) }
    : { unit: "chunk", ...rest, ...hit.chunk };
}
