/**
 * A question that is answered with the vectors of one model. Between embedding a query and reading vectors another process
 * may finish a swap; an answer that saw both models is thrown away and the question asked again.
 */
import type { Embedder } from "../../models/embedder.ts";
import type { Workbench } from "../workbench.ts";

/** Swaps are rare: whoever meets more of them than this in one question is answered without vectors. */
const MOST_TRIES = 3;

/**
 * @param ask - Is given the model whose vectors serve; undefined where there is none. May be called again.
 */
export async function askInOneModel<Answer>(
  bench: Pick<Workbench, "store" | "serving">,
  ask: (embedder: Embedder | undefined) => Promise<Answer>,
): Promise<Answer> {
  const { index } = await bench.store();
  for (let tries = 1; tries <= MOST_TRIES; tries += 1) {
    const before = await index.activeFingerprint();
    const embedder = await bench.serving();
    const answer = await ask(embedder);
    const isOne = embedder === undefined || before === undefined || embedder.fingerprint === before;
    if (isOne && (await index.activeFingerprint()) === before) return answer;
  }
  return ask(undefined);
}
