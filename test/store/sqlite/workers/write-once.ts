/** A process of its own that opens a store, adds one memory, and says how that went as `ok` or an error's code and hint. */
import { messageOf } from "../../../../src/core/errors.ts";
import { openSqliteStore } from "../../../../src/store/sqlite/open-store.ts";
import { aMemory } from "../../../support/records.ts";

const [path = ""] = process.argv.slice(2);
try {
  const store = await openSqliteStore({ path, busyTimeoutMs: 200 });
  await store.memories.apply([{ kind: "add", memory: aMemory(1) }], []);
  await store.close();
  process.stdout.write("ok");
} catch (error) {
  const { code, hint } = error as { code?: string; hint?: string };
  process.stdout.write(JSON.stringify({ code, hint, message: messageOf(error) }));
}
