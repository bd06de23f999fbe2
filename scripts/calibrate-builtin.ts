/** Measures what the cosines of the built-in model mean and writes it as data: nobody has to calibrate by default. */
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { MiniLmEmbedder } from "../src/models/minilm/minilm-embedder.ts";
import { calibrateEmbedder } from "../src/retrieve/calibrate/calibrate-embedder.ts";
import { PAIRS_FOLDER, readPairs } from "../src/retrieve/calibrate/pairs.ts";
import { settingsFor } from "../src/retrieve/settings.ts";

const TARGET = fileURLToPath(new URL("../src/retrieve/calibrate/builtin-calibration.ts", import.meta.url));

const embedder = new MiniLmEmbedder();
const { centring } = settingsFor(embedder.fingerprint);
const { calibration, ...report } = await calibrateEmbedder(embedder, await readPairs(PAIRS_FOLDER), { centring });
await embedder.close();

const fields = Object.entries(calibration.cosines).map(([name, cosine]) => `    ${name}: ${cosine},`);
writeFileSync(
  TARGET,
  `/** What the cosines of the built-in model mean. Written by \`npm run calibrate:builtin\` from the pairs in the assets. */
import type { Calibration } from "../../core/calibration.ts";

export const BUILTIN_CALIBRATION: Calibration = {
  fingerprint: ${JSON.stringify(calibration.fingerprint)},
  pairs: ${JSON.stringify(calibration.pairs)},
  cosines: {
${fields.join("\n")}
  },
};
`,
);
process.stdout.write(`${JSON.stringify(report)}\n`);
