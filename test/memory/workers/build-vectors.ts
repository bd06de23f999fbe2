/** A process of its own that makes the vectors which the config asks for, or all anew; killed by its test. */
import { openMemory } from "../../../src/memory.ts";

const [cwd = "", how] = process.argv.slice(2);
await using memory = await openMemory({ cwd });
const embedded = how === "reindex" ? (await memory.reindex()).embedded : await memory.models.build();
process.stdout.write(String(embedded));
