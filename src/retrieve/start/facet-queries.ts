/** Facets of the work at hand as queries, each with its weight and the words that name it as a reason. */
import type { DatedLine, WorkFacets } from "../../core/facets.ts";
import { cleanLine } from "../../text/clean.ts";
import { splitIdentifier } from "../../text/symbols.ts";
import { type Period, readPeriods } from "./read-periods.ts";

export interface FacetQuery {
  /** `branch`, `changed files`, … */
  readonly name: string;
  readonly text: string;
  readonly weight: number;
  /** `branch "refund-retry"` */
  readonly label: string;
  /** Dates that it speaks of: what was learned then is nearer. */
  readonly periods?: readonly Period[];
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
    openItemsQuery(facets),
    commitsQuery(facets),
    { name: "project", text: facets.identity.join(" "), weight: WEIGHTS.identity, label: "this project" },
    ...facets.others.map(({ name, text, weight, file }) => ({
      name,
      text,
      weight,
      label: file === "" ? `the ${name}` : labelled(name, file),
    })),
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

/** An error's text comes from tools: it is searched with, and not shown. */
function openItemsQuery({ openItems, lastRelease }: WorkFacets): FacetQuery | undefined {
  const lines = openItems.slice(0, MAX_ITEMS);
  return lines.length === 0
    ? undefined
    : { ...linesQuery(lines, lastRelease), name: "open items", weight: WEIGHTS.openItems, label: "the last session" };
}

function commitsQuery({ commits, lastRelease }: WorkFacets): FacetQuery | undefined {
  const lines = commits.slice(0, MAX_COMMITS);
  const [first] = lines;
  return first === undefined
    ? undefined
    : {
        ...linesQuery(lines, lastRelease),
        name: "commits",
        weight: WEIGHTS.commits,
        label: labelled("commit", first.text),
      };
}

function linesQuery(lines: readonly DatedLine[], lastRelease: Date | undefined): Pick<FacetQuery, "text" | "periods"> {
  const periods = lines.flatMap(({ text, at }) => readPeriods(text, { at, lastRelease }));
  return { text: lines.map(({ text }) => text).join(". "), ...(periods.length === 0 ? {} : { periods }) };
}

function labelled(name: string, text: string): string {
  return `${name} "${cleanLine(text, LABEL_CHARACTERS).replaceAll('"', "'")}"`;
}

function baseName(path: string): string {
  return path.split("/").at(-1) ?? path;
}
