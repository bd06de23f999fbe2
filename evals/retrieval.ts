/**
 * Retrieval quality on sets in the kit's format, beside baselines in the same run.
 *
 *   npm run eval:retrieval -- --data <folder> [--data …] [--set a,b] [--facts a,b] [--split dev|test] [--short]
 *     [--embedder minilm|none] [--fusion min-max|rrf] [--ablate]
 *     [--out <folder>] [--json <file>] [--results <file>] [--cache <folder>]
 *
 * Sets whose documents have a `status`, or that `--facts` names, come in through `memory.add`, others as pieces through the
 * file indexer; all are asked through `memory.search`. `--out` gets `<set>.run.jsonl` for the kit and `table.md`; `--json`
 * all figures; `--results` the report that is committed; `--cache` keeps vectors between runs. Nothing of the data is
 * copied anywhere else. `docs/evals.md` says what the tables mean.
 */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { builtCopy } from "./systems/built-copy.ts";

using copy = await builtCopy(join(import.meta.dirname, ".."));
const entry = join(copy.folder, "evals", "retrieval-run.js");
process.exitCode = spawnSync(process.execPath, [entry, ...process.argv.slice(2)], { stdio: "inherit" }).status ?? 1;
