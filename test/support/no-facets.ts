/** Work of which nothing is known: what a test says of it stands out. */
import type { WorkFacets } from "../../src/core/facets.ts";

export const NO_FACETS: WorkFacets = {
  branch: null,
  changedFiles: [],
  commits: [],
  openItems: [],
  identity: [],
  others: [],
};
