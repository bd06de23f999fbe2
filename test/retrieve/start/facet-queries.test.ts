import { describe, expect, it } from "vitest";
import { NO_FACETS, type WorkFacets } from "../../../src/core/facets.ts";
import { facetQueries } from "../../../src/retrieve/start/facet-queries.ts";

const queries = (facets: Partial<WorkFacets>) => facetQueries({ ...NO_FACETS, ...facets });

describe("facetQueries", () => {
  it("asks nothing where nothing is known", () => {
    expect(queries({})).toEqual([]);
  });

  it.each(["main", "master", "dev", "HEAD", "release"])("asks nothing of a branch that is called %s", (branch) => {
    expect(queries({ branch })).toEqual([]);
  });

  it("reads a branch as words, without the prefix of its kind, and names it as a reason", () => {
    expect(queries({ branch: "fix/refundRetry-loop" })).toEqual([
      { name: "branch", text: "refund retry loop", weight: 1, label: 'branch "refundRetry-loop"' },
    ]);
  });

  it("asks for changed files by path and by the words of their names and folders", () => {
    const [query] = queries({ changedFiles: ["src/jobs/refund-job.ts"] });
    expect(query?.text).toBe("src/jobs/refund-job.ts refund job ts src jobs");
    expect(query?.label).toBe('changed file "refund-job.ts"');
  });

  it("puts what says most about the work first", () => {
    const names = queries({
      branch: "refunds",
      commits: ["Close the ledger first"],
      openItems: ["Totals are still doubled"],
      identity: ["acme/billing"],
      others: [{ name: "ticket", text: "refund missing", weight: 0.9 }],
    }).map(({ name }) => name);
    expect(names).toEqual(["branch", "ticket", "open items", "commits", "project"]);
  });

  it("bounds what a huge checkout asks", () => {
    const [query] = queries({ changedFiles: Array.from({ length: 5_000 }, (_, at) => `src/part-${at}/file-${at}.ts`) });
    expect(query?.text.length).toBeLessThanOrEqual(600);
  });
});
