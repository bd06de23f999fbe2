/**
 * Runs the benches over the built package and prints one figure a line.
 *
 *   npm run bench -- [--json] [--only <name>] [--sizes 10000,100000,1000000] [--store <file>]
 *
 * `--sizes` are the vectors of the search bench; a million take ten minutes to build on a free machine, and `--store` keeps them.
 */
import { parseArgs } from "node:util";
import { encoderFigures } from "./encoder.ts";
import { type Figure, renderFigures } from "./figure.ts";
import { indexingFigures } from "./indexing.ts";
import { ingestFigures } from "./ingest.ts";
import { searchFigures } from "./search.ts";
import { serverFigures } from "./server.ts";
import { sessionStartFigures } from "./session-start.ts";

const { values } = parseArgs({
  options: {
    json: { type: "boolean", default: false },
    only: { type: "string" },
    sizes: { type: "string", default: "10000" },
    store: { type: "string" },
  },
});
const { only, json } = values;
const wantedSizes = values.sizes.split(",").map(Number);

/** A bench measures several figures at once; `--only` names a figure, or its bench. */
const BENCHES: readonly { readonly name: string; readonly figures: RegExp; readonly run: () => Promise<Figure[]> }[] = [
  { name: "session-start", figures: /^session-start-/, run: () => sessionStartFigures([10, 1_000, 10_000]) },
  { name: "search", figures: /^search-/, run: () => searchFigures({ sizes: wantedSizes, path: values.store }) },
  { name: "indexing", figures: /^index-/, run: indexingFigures },
  { name: "ingest", figures: /^ingest-/, run: ingestFigures },
  { name: "server", figures: /^mcp-/, run: serverFigures },
  { name: "encoder", figures: /^(?:encoder|scan)-/, run: encoderFigures },
];

const wanted = BENCHES.filter(({ name, figures }) => only === undefined || name === only || figures.test(only));
if (wanted.length === 0) {
  process.stderr.write(`no bench measures ${only}; there are: ${BENCHES.map(({ name }) => name).join(", ")}\n`);
  process.exitCode = 2;
}
for (const { name, run } of wanted) {
  process.stderr.write(`${name} …\n`);
  const figures = (await run()).filter((figure) => only === undefined || only === name || figure.name === only);
  process.stdout.write(renderFigures(figures, json));
}
