/**
 * Reads a shell command as far as it must be known whether its exit status speaks for the program that matters: what was
 * run, what was merely printed, and whose status the shell returned.
 */

export interface ShellStep {
  /** Without variables set for it and without wrappers, so that it begins with the program that matters. */
  readonly text: string;
  /** The same without the contents of quotation marks. */
  readonly bare: string;
  /** The shell's status says nothing about this step: piped, `|| true`, or followed by another command. */
  readonly masked: boolean;
  /** It prints what it was told to print. */
  readonly prints: boolean;
}

const HEREDOC = /(?<!<)<<-?[^\S\n]*(['"]?)(\w+)\1/g;
const HEREDOC_END = /^[^\S\n]*(\w+)[^\S\n]*$/gm;
const NESTED = /^(?:\S*\/)?(?:ba|z|da|k)?sh\s+-\w*c\s+(["'])([\s\S]*)\1\s*$/;
/** What may stand before a program without changing whose status is returned. */
const WRAPPERS = [
  `[A-Za-z_]\\w*=(?:"[^"]*"|'[^']*'|\\$\\([^()]*\\)|[^\\s"'$]|\\$(?!\\())*`,
  "(?:sudo|time|nohup|command|exec|env|rtk)(?:\\s+-\\S+)*",
  "(?:timeout|gtimeout)\\s+(?:-\\S+\\s+)*\\S+",
  "nice(?:\\s+-n\\s*\\S+)?|stdbuf\\s+\\S+|xvfb-run(?:\\s+-\\S+)*",
  "(?:npx|bunx|pnpx|uvx)(?:\\s+-\\S+)*|(?:pnpm|yarn|npm)\\s+(?:exec|dlx)(?:\\s+-\\S+)*(?:\\s+--)?",
  "(?:poetry|uv|pipenv|pdm|hatch|rye|mise|direnv|bundle|nix\\s+develop)\\s+(?:-\\S+\\s+)*(?:run|exec|-c)(?:\\s+-\\S+)*(?:\\s+\\.|\\s+--)?",
  "(?:docker|podman)(?:\\s+compose|-compose)?\\s+(?:exec|run)(?:\\s+-\\S+)*\\s+\\S+",
  "dotenv(?:\\s+-\\S+)*(?:\\s+--)?|cross-env",
];
const WRAPPER = new RegExp(`^(?:(?:${WRAPPERS.join("|")})\\s+)+`);
const PRINTS =
  /^(?:\S*\/)?(?:echo|printf|cat|bat|tee|true|false|:|yes|head|tail|grep|rg|ag|less|more|type|which|man|ls|find|sed|awk|jq)\b/;
const OPERATOR_STARTS = "&|;\n";
const OPERATOR = /^(?:&&|\|\||\|&?|;|\n|&(?!>))/;

/** A program stands behind no more than this of variables and wrappers. */
const MAX_WRAPPERS = 2_000;
/** How deep `sh -c` within `sh -c` is looked into. */
const MAX_NESTING = 4;

/** The steps of a command in order, those inside `sh -c "…"` included. In time linear in its length. */
export function shellSteps(command: string): ShellStep[] {
  return stepsOf(command, MAX_NESTING);
}

function stepsOf(command: string, nesting: number): ShellStep[] {
  const parts = split(withoutHeredocs(command).replace(/\\\n/g, " "));
  return parts.flatMap(({ text, masked }) => {
    const wrappers = WRAPPER.exec(text.slice(0, MAX_WRAPPERS))?.[0].length ?? 0;
    const program = text.slice(wrappers).trim();
    const nested = nesting === 0 ? undefined : NESTED.exec(program)?.[2];
    if (nested !== undefined) {
      return stepsOf(nested, nesting - 1).map((step) => ({ ...step, masked: step.masked || masked }));
    }
    const bare = program.replace(/"[^"]*"|'[^']*'/g, '""');
    return [{ text: program, bare, masked, prints: PRINTS.test(program) }];
  });
}

/** What stands between `<<WORD` and the line that is WORD is data. One that never ends is left as it is. */
function withoutHeredocs(command: string): string {
  if (!command.includes("<<")) return command;
  const ends = heredocEnds(command);
  let kept = "";
  let from = 0;
  for (const { index, 0: opening, 2: word = "" } of command.matchAll(HEREDOC)) {
    if (index < from) continue;
    const after = index + opening.length;
    const waiting = ends.get(word);
    while (waiting?.[0] !== undefined && waiting[0].start < after) waiting.shift();
    const end = waiting?.[0]?.end;
    if (end === undefined) continue;
    kept += command.slice(from, index);
    from = end;
  }
  return kept + command.slice(from);
}

interface LineRange {
  readonly start: number;
  readonly end: number;
}

/** Lines of one word, by that word, in order. */
function heredocEnds(command: string): ReadonlyMap<string, LineRange[]> {
  const ends = new Map<string, LineRange[]>();
  for (const { index, 0: line, 1: word = "" } of command.matchAll(HEREDOC_END)) {
    const known = ends.get(word);
    const range = { start: index, end: index + line.length };
    if (known === undefined) ends.set(word, [range]);
    else known.push(range);
  }
  return ends;
}

interface Part {
  readonly text: string;
  readonly masked: boolean;
}

function split(command: string): Part[] {
  const texts: string[] = [];
  const operators: string[] = [];
  let from = 0;
  let quote: string | undefined;
  for (let at = 0; at < command.length; at += 1) {
    const character = command[at] ?? "";
    const isRedirected = at > from && command[at - 1] === ">";
    const operator =
      quote === undefined && OPERATOR_STARTS.includes(character) && !isRedirected
        ? OPERATOR.exec(command.slice(at, at + 3))?.[0]
        : undefined;
    if (operator !== undefined) {
      texts.push(command.slice(from, at).trim());
      operators.push(operator);
      at += operator.length - 1;
      from = at + 1;
    } else if (character === "\\") at += 1;
    else quote = nextQuote(quote, character);
  }
  texts.push(command.slice(from).trim());
  const masked = maskedSteps(texts, operators);
  return texts.map((text, at) => ({ text, masked: masked[at] === true })).filter(({ text }) => text !== "");
}

function nextQuote(quote: string | undefined, character: string): string | undefined {
  if (quote !== undefined) return character === quote ? undefined : quote;
  return character === '"' || character === "'" ? character : undefined;
}

/** After a step, only `&&` keeps its failure visible, and a line end with nothing behind it. */
function maskedSteps(texts: readonly string[], operators: readonly string[]): boolean[] {
  const masked = texts.map(() => false);
  let isFollowed = false;
  for (let at = operators.length - 1; at >= 0; at -= 1) {
    isFollowed ||= texts[at + 1] !== "";
    masked[at] = masked[at + 1] === true || (operators[at] !== "&&" && isFollowed);
  }
  return masked;
}
