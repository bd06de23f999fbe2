/** Facets of the work at hand as queries, each with its weight and the words that name it as a reason. */
import type { WorkFacets } from "../../core/facets.ts";
import { cleanLine } from "../../text/clean.ts";
import { splitIdentifier } from "../../text/symbols.ts";

export interface FacetQuery {
  /** `branch`, `changed files`, … */
  readonly name: string;
  readonly text: string;
  readonly weight: number;
  /** `branch "refund-retry"` */
  readonly label: string;
}

/** How much each facet says about what will be done; retrieval.md gives them, the session-start eval may move them. */
const WEIGHTS = { branch: 1, files: 1, openItems: 0.8, commits: 0.7, identity: 0.4 } as const;
/** Branches that are named after their role, not after the work on them. */
const TRUNK = /^(?:main|master|trunk|dev|develop|development|staging|stable|head|release|production|prod|next)$/i;
/** `feature/`, `fix/`, `users/name/`: who and what kind, not what about. */
const BRANCH_PREFIX =
  /^(?:feature|feat|fix|bugfix|hotfix|chore|refactor|docs|test|wip|task|topic|user|users|dependabot)\//i;
const MAX_FILES = 12;
const MAX_COMMITS = 5;
const MAX_ITEMS = 4;
const LABEL_CHARACTERS = 40;
const TEXT_CHARACTERS = 600;

/** Heaviest first; facets without words are left out. */
export function facetQueries(facets: WorkFacets): FacetQuery[] {
  const queries = [
    branchQuery(facets.branch),
    filesQuery(facets.changedFiles.slice(0, MAX_FILES)),
    listQuery("open item", facets.openItems.slice(0, MAX_ITEMS), WEIGHTS.openItems),
    listQuery("commit", facets.commits.slice(0, MAX_COMMITS), WEIGHTS.commits),
    { name: "project", text: facets.identity.join(" "), weight: WEIGHTS.identity, label: "this project" },
    ...facets.others.map(({ name, text, weight }) => ({ name, text, weight, label: labelled(name, text) })),
  ];
  return queries
    .flatMap((query) => (query === undefined ? [] : [{ ...query, text: cleanLine(query.text, TEXT_CHARACTERS) }]))
    .filter(({ text }) => /\p{L}{2}|\p{N}/u.test(text))
    .sort((a, b) => b.weight - a.weight);
}

function branchQuery(branch: string | null): FacetQuery | undefined {
  if (branch === null || TRUNK.test(branch)) return undefined;
  const topic = branch.replace(BRANCH_PREFIX, "");
  return {
    name: "branch",
    text: splitIdentifier(topic).join(" "),
    weight: WEIGHTS.branch,
    label: labelled("branch", topic),
  };
}

/** Names as they are, for the symbol searcher, and their words, for the others. */
function filesQuery(files: readonly string[]): FacetQuery | undefined {
  const [first] = files;
  if (first === undefined) return undefined;
  const folders = files.map((file) => file.split("/").slice(0, -1).join("/"));
  const words = splitIdentifier([...new Set([...files.map(baseName), ...folders])].join(" "));
  return {
    name: "changed files",
    text: [...files, ...words].join(" "),
    weight: WEIGHTS.files,
    label: labelled(files.length === 1 ? "changed file" : "changed files", files.slice(0, 2).map(baseName).join(", ")),
  };
}

function listQuery(name: string, items: readonly string[], weight: number): FacetQuery | undefined {
  const [first] = items;
  return first === undefined
    ? undefined
    : { name: `${name}s`, text: items.join(". "), weight, label: labelled(name, first) };
}

function labelled(name: string, text: string): string {
  return `${name} "${cleanLine(text, LABEL_CHARACTERS).replaceAll('"', "'")}"`;
}

function baseName(path: string): string {
  return path.split("/").at(-1) ?? path;
}
