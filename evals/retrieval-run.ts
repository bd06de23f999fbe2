/** The process that measures: `evals/retrieval.ts` starts it. */
import { runRetrieval } from "./systems/run-retrieval.ts";

process.exitCode = await runRetrieval(process.argv.slice(2), {
  print: (text) => console.log(text),
  tell: (line) => process.stderr.write(`${line}\n`),
});
