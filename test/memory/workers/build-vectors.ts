/** A process of its own that makes the vectors which the config asks for, as a worker would; killed by its test. */
import { openMemory } from "../../../src/memory.ts";

const [cwd = ""] = process.argv.slice(2);
await using memory = await openMemory({ cwd });
const embedded = await memory.models.build();
process.stdout.write(String(embedded));
