/** The modality guard of merging: a merged memory may not be surer, broader or milder than what it was made of. */
import { CONDITIONS, claimSets, HEDGES, matchesIn, PROHIBITIONS } from "./claims.ts";

const ABSOLUTE =
  /\b(?:always|never|must|every|all|any|only|required|mandatory|impossible|guaranteed|immer|toujours|siempre|sempre)\b/gi;
/** Conditions that narrow a claim in the same way stand for each other. */
const CONDITION_CLASSES: readonly (readonly [string, RegExp])[] = [
  ["condition", /\b(?:if|when|whenever|while|during|in case|provided|as long as|depending on|wenn|falls|si)\b/i],
  ["exception", /\b(?:unless|except|otherwise|outside|sauf)\b/i],
  ["restriction", /\b(?:only|nur|seulement|solo|sólo|apenas)\b/i],
  ["limit in time", /\buntil\b/i],
];

export interface MergeTexts {
  /** The memory whose text is replaced. */
  readonly target: string;
  /** The other texts that the merged one was made of. */
  readonly others: readonly string[];
  readonly merged: string;
}

/**
 * What a merge would lose of its target or say more strongly than any of its sources.
 *
 * @returns One phrase for each violation (`loses hedge`, `adds always`); empty when the merge is sound.
 */
export function modalityViolations({ target, others, merged }: MergeTexts): string[] {
  return [
    ...(has(target, HEDGES) && !has(merged, HEDGES) ? ["loses hedge"] : []),
    ...(has(target, PROHIBITIONS) && !has(merged, PROHIBITIONS) ? ["loses prohibition"] : []),
    ...lostNegation(target, merged),
    ...lostConditions(target, merged),
    ...lostVersions(target, merged),
    ...addedAbsolutes([target, ...others], merged),
  ];
}

function lostNegation(target: string, merged: string): string[] {
  return claimSets(target).negations.length > 0 && claimSets(merged).negations.length === 0 ? ["loses negation"] : [];
}

function lostConditions(target: string, merged: string): string[] {
  if (!has(target, CONDITIONS)) return [];
  return CONDITION_CLASSES.filter(([, pattern]) => pattern.test(target) && !pattern.test(merged)).map(
    ([name]) => `loses ${name}`,
  );
}

function lostVersions(target: string, merged: string): string[] {
  const kept = new Set(claimSets(merged).versions);
  return claimSets(target)
    .versions.filter((version) => !kept.has(version))
    .map((version) => `loses version ${version}`);
}

function addedAbsolutes(sources: readonly string[], merged: string): string[] {
  const said = new Set(sources.flatMap((source) => matchesIn(source, ABSOLUTE)));
  return [...new Set(matchesIn(merged, ABSOLUTE))].filter((word) => !said.has(word)).map((word) => `adds ${word}`);
}

function has(text: string, pattern: RegExp): boolean {
  return text.search(pattern) !== -1;
}
