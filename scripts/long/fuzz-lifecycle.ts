/** The safety property of the lifecycle, on real stores, for any bytes as a model's reply. */
import fc from "fast-check";
import { filledStore } from "../../test/support/filled-store.ts";
import {
  factsArb,
  memoriesArb,
  readReplyForCase,
  replyArb,
  runCase,
} from "../../test/support/lifecycle-arbitraries.ts";
import { type Share, ShareCount, type ShareRequest } from "./share.ts";

export async function fuzzLifecycle(request: ShareRequest): Promise<Share> {
  const count = new ShareCount(request);
  const property = fc.asyncProperty(memoriesArb, factsArb, replyArb, async (memories, facts, reply) => {
    if (count.isOver()) return;
    count.case();
    const startedAt = performance.now();
    const { proposal, census } = readReplyForCase(reply, facts, memories);
    for (const [name, holds] of Object.entries(census)) count.add(`reply ${name}`, Number(holds));
    count.add("reply carriesHandles and mutated", Number(census.carriesHandles && census.mutated));
    const store = await filledStore({ memories });
    try {
      const before = await store.memories.getMany(memories.map(({ id }) => id));
      const { plan, violations } = await runCase(store, { facts, before, proposal });
      for (const [guard, times] of Object.entries(plan.guards)) count.add(guard, times);
      for (const { applied } of plan.trail) count.add(`applied ${applied}`);
      for (const violation of violations) count.violation(`${violation}; reply ${JSON.stringify(reply)}`);
    } catch (thrown) {
      count.violation(`threw ${String(thrown)}; reply ${JSON.stringify(reply)}`);
    } finally {
      await store.close();
    }
    count.time("case", performance.now() - startedAt);
  });
  await fc.assert(property, { numRuns: request.cases, seed: request.seed });
  return count.finish();
}
