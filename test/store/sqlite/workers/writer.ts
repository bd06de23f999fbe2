/** A process of its own that adds memories one by one and says each number when its transaction is through. */
import { writeSync } from "node:fs";
import { openSqliteStore } from "../../../../src/store/sqlite/open-store.ts";
import { aMemory } from "../../../support/records.ts";

const [path = "", first = "0", count = "0"] = process.argv.slice(2);
const store = await openSqliteStore({ path, busyTimeoutMs: 30_000 });
for (let at = 0; at < Number(count); at += 1) {
  const number = Number(first) + at;
  const memory = aMemory(number, { content: `row ${number}`, provenance: [] });
  const result = await store.memories.apply([{ kind: "add", memory }], []);
  if (!result.applied) throw new Error(`row ${number} was not applied`);
  writeSync(1, `${number}\n`);
}
await store.close();
