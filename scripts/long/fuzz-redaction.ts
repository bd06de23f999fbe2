/** Secrets of every sample kind amid any text: none stays, and redacting again changes nothing. */
import fc from "fast-check";
import { createRedactor, redactPatterns } from "../../src/text/redact.ts";
import { anyText } from "../../test/support/any-text.ts";
import { SECRET_SAMPLES } from "../../test/support/secret-samples.ts";
import { type Share, ShareCount, type ShareRequest } from "./share.ts";

const sample = fc.constantFrom(...SECRET_SAMPLES);
const between = fc.constantFrom("\n", "\n\n", "\n// ", "\n- ", "\n\t");
const parts = fc.array(fc.tuple(anyText(60), between, sample, between), { minLength: 1, maxLength: 4 });

export async function fuzzRedaction(request: ShareRequest): Promise<Share> {
  const count = new ShareCount(request);
  const property = fc.asyncProperty(parts, anyText(60), async (all, end) => {
    if (count.isOver()) return;
    count.case();
    const text = all.map(([noise, before, { text: secret }, after]) => noise + before + secret + after).join("") + end;
    const startedAt = performance.now();
    try {
      const redacted = await createRedactor().redact(text);
      count.time("case", performance.now() - startedAt);
      for (const [, , { name, secrets }] of all) {
        count.add("secrets");
        if (secrets.some((secret) => redacted.includes(secret)))
          count.violation(`${name} stays in ${JSON.stringify(text)}`);
      }
      const again = await createRedactor().redact(redacted);
      if (again !== redacted) count.violation(`changes its own result on ${JSON.stringify(text)}`);
      if (redactPatterns(redacted) !== redacted) count.violation(`patterns find more in ${JSON.stringify(text)}`);
    } catch (thrown) {
      count.violation(`threw ${String(thrown)} on ${JSON.stringify(text)}`);
    }
  });
  await fc.assert(property, { numRuns: request.cases, seed: request.seed });
  return count.finish();
}
