/**
 * Which errors are worth a note: those that name something. What a runner says of every failure ("Found 1 error.",
 * "FAIL pkg [build failed]", "exit status 1") is met again tomorrow for another reason.
 */
import { isStopWord } from "../../../text/stop-words.ts";

/** What runners print of any failure. */
const VERDICT =
  /\bFAILED:|^\W*(?:FAIL(?:ED|URES?|ING)?|BROKEN)\b(?![:\]]*\s*(?:[A-Z]\w*(?:Error|Exception)\b|\S.*\b(?:cannot|could not|can't|no such|not found|denied|refused|required|unknown|invalid|missing)\b))|\bfound \d+ (?:errors?|problems?|issues?)\b|\b\d+ (?:tests? |specs? |examples? |suites? )?(?:failed|failing|failures?|errors?|problems?)\b|^make(?:\[\d+\])?: \*\*\*|\bexit(?:ed)?(?: with)?(?: code| status)? \d|\bELIFECYCLE\b|^npm (?:ERR!|error) (?:code|errno|path|command|lifecycle|Test failed|A complete log)|\b(?:build|compilation|tests?|command|lint(?:ing)?|process|task|job)(?: has| have)? failed\b/i;
/** A check that failed until the code was right has done its work, and teaches nothing. */
const ASSERTION = /\bassert|\bexpected\b|\bto (?:equal|be|have|match)\b|\bwant(?:ed)?\b.*\bgot\b|\bgot\b.*\bwant/i;
/** Words of which messages of all kinds are made. */
const COMMON = new Set(
  `abort aborted access actual address argument arguments attempt bad broken build call called cannot can't code command
  compilation compile complete could couldn't definition denied doesn't error errors exception execute exit exited exist
  exists expected export fail failed failing fails failure fatal file files found function import input internal invalid
  issue issues line lint load main message method missing module modules name named new null number object open operation
  output parse path problem problems process program property raise read reading reason refused request required resolve
  result run running script several show source stack status step stop string syntax system task test tests thrown timed
  timeout trace traceback type unable undefined unexpected unhandled unknown unresolved usage use used value values variable
  version warning warnings write wrong`
    .trim()
    .split(/\s+/),
);
const MIN_LETTERS = 3;

/** Whether a line names what went wrong, so that it would be known again, and is no check of the code under work. */
export function isTellingError(line: string): boolean {
  return !VERDICT.test(line) && !ASSERTION.test(line) && hasRareToken(line);
}

/** A code, a quoted or compound name, or a word that messages are not made of. */
function hasRareToken(line: string): boolean {
  const words = line.match(/[\p{L}\p{N}_@$][\p{L}\p{N}_@$./:-]*/gu) ?? [];
  return words.some((word) => {
    const bare = word.replace(/[./:-]+$/, "");
    const letters = bare.replace(/[^\p{L}]/gu, "");
    if (letters.length < MIN_LETTERS || /^[A-Z][a-z]+(?:Error|Exception)$/.test(bare)) return false;
    return !COMMON.has(bare.toLowerCase()) && !isStopWord(bare.toLowerCase());
  });
}

/** Files that say how a project is built and run: what is changed there is knowledge of the surroundings. */
const SURROUNDINGS =
  /(?:^|\/)(?:package(?:-lock)?\.json|tsconfig[\w.]*\.json|Dockerfile[\w.-]*|Makefile|CMakeLists\.txt|requirements[\w.-]*\.txt|setup\.(?:py|cfg)|go\.mod|build\.gradle(?:\.kts)?|pom\.xml|Gemfile|\.[\w-]+rc(?:\.\w+)?|\.env[\w.-]*|\.tool-versions|\.nvmrc|Kconfig|[\w.-]+\.config\.[cm]?[jt]s)$|\.(?:ya?ml|toml|ini|cfg|conf|properties|tf|nix|cmake)$/;

export function isSurroundings(path: string): boolean {
  return SURROUNDINGS.test(path);
}

/** What makes a run smaller: that the smaller one passes is no cure. */
const NARROWS =
  /(?:^|\s)(?:-t|-k|-g|-T|-run|-p|-w|-pl|--(?:run|filter|grep|only|tests?|spec|package|project|workspace|test(?:Name|Path)Pattern|ignore|exclude|skip|deselect))(?=[\s=]|$)|(?:^|\s)(?!-)\S*(?:[/\\]|\.(?:test|spec)\.|_test\.|::)\S*/;

/** @param bad - The command that failed. @param good - The one that passed. */
export function isNarrower(bad: string, good: string): boolean {
  const had = new Set(bad.split(/\s+/));
  const added = good.split(/\s+/).filter((word) => !had.has(word));
  return NARROWS.test(added.join(" "));
}
