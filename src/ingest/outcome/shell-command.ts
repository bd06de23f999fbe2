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

const HEREDOC = /<<-?\s*(['"]?)(\w+)\1[\s\S]*?^\s*\2\s*$/gm;
const NESTED = /^(?:\S*\/)?(?:ba|z|da|k)?sh\s+-\w*c\s+(["'])([\s\S]*)\1\s*$/;
/** What may stand before a program without changing whose status is returned. */
const WRAPPERS = [
  `[A-Za-z_]\\w*=(?:"[^"]*"|'[^']*'|\\S*)`,
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
const OPERATOR = /^(?:&&|\|\||\|&?|;|\n|&(?!>))/;

/** The steps of a command in order, those inside `sh -c "…"` included. */
export function shellSteps(command: string): ShellStep[] {
  const parts = split(command.replace(HEREDOC, "").replace(/\\\n/g, " "));
  return parts.flatMap(({ text, masked }) => {
    const program = text.replace(WRAPPER, "").trim();
    const nested = NESTED.exec(program)?.[2];
    if (nested !== undefined) return shellSteps(nested).map((step) => ({ ...step, masked: step.masked || masked }));
    const bare = program.replace(/"[^"]*"|'[^']*'/g, '""');
    return [{ text: program, bare, masked, prints: PRINTS.test(program) }];
  });
}

interface Part {
  readonly text: string;
  readonly masked: boolean;
}

function split(command: string): Part[] {
  const texts: string[] = [];
  const operators: string[] = [];
  let open = "";
  let quote: string | undefined;
  for (let at = 0; at < command.length; at += 1) {
    const character = command[at] ?? "";
    const operator =
      quote === undefined && !/\d?>$/.test(open) ? OPERATOR.exec(command.slice(at, at + 3))?.[0] : undefined;
    if (operator !== undefined) {
      texts.push(open.trim());
      operators.push(operator);
      open = "";
      at += operator.length - 1;
      continue;
    }
    if (character === "\\") {
      open += command.slice(at, at + 2);
      at += 1;
      continue;
    }
    quote = nextQuote(quote, character);
    open += character;
  }
  texts.push(open.trim());
  return texts
    .map((text, at) => ({ text, masked: isMasked(operators.slice(at), texts.slice(at + 1)) }))
    .filter(({ text }) => text !== "");
}

function nextQuote(quote: string | undefined, character: string): string | undefined {
  if (quote !== undefined) return character === quote ? undefined : quote;
  return character === '"' || character === "'" ? character : undefined;
}

/** After a step, only `&&` keeps its failure visible, and a line end with nothing behind it. */
function isMasked(operators: readonly string[], rest: readonly string[]): boolean {
  return operators.some((operator, at) => operator !== "&&" && rest.slice(at).some((text) => text !== ""));
}
