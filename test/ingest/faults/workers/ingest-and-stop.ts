/**
 * A process of its own that ingests a session and stops for good at a given point, to be killed there: `before-commit`
 * (everything is decided, nothing written), `in-commit` (written, the transaction still open), `after-commit` (the facts
 * stand, the run's end does not).
 */
import { writeSync } from "node:fs";
import { openSqliteStore } from "../../../../src/store/sqlite/open-store.ts";
import type { Store } from "../../../../src/store/store.ts";
import { corrected, facts, modelOf, PNPM } from "../../../support/corrected-session.ts";
import { ingestHarness } from "../../../support/ingest-harness.ts";

const [path = "", point = ""] = process.argv.slice(2);

/** Blocks the whole process, whatever it holds open. */
function stop(): never {
  writeSync(1, "stopped\n");
  for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}

/** The same list, of which the reader gets everything but the end. */
function endless<T>(items: readonly T[]): readonly T[] {
  return new Proxy(items, {
    get(target, key) {
      if (key !== Symbol.iterator) return Reflect.get(target, key, target) as unknown;
      return function* () {
        yield* target;
        stop();
      };
    },
  });
}

const store = await openSqliteStore({ path });
const apply: Store["memories"]["apply"] = async (changes, events) => {
  if (point === "before-commit") stop();
  const result = await store.memories.apply(changes, point === "in-commit" ? endless(events) : events);
  return point === "after-commit" ? stop() : result;
};
const memories = new Proxy(store.memories, {
  get(target, key) {
    if (key === "apply") return apply;
    const value: unknown = Reflect.get(target, key, target);
    return typeof value === "function" ? value.bind(target) : value;
  },
});
const harness = await ingestHarness({
  model: modelOf({ extract: facts(PNPM) }),
  store,
  changes: { store: { ...store, memories } as Store },
});
await harness.ingest(corrected());
