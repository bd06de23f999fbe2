/**
 * Reads a shell command as far as it must be known whether its exit status speaks for the program that matters: what was
 * run, what was merely printed, and whose status the shell returned.
 */

export interface ShellStep {
  /** Without variables set for it, wrappers, and the contents of quotation marks. */
  readonly text: string;
  /** The shell's status says nothing about this step: piped, `|| true`, or followed by another command. */
  readonly masked: boolean;
  /** It prints what it was told to print. */
  readonly prints: boolean;
}

const HEREDOC = /<<-?\s*(['"]?)(\w+)\1[\s\S]*?^\s*\2\s*$/gm;
const NESTED = /^(?:\S*\/)?(?:ba|z|da|k)?sh\s+-\w*c\s+(["'])([\s\S]*)\1\s*$/;
const WRAPPER =
  /^(?:(?:[A-Za-z_]\w*=(?:"[^"]*"|'[^']*'|\S*)|sudo|time|nohup|command|exec|env|stdbuf\s+\S+|timeout\s+(?:-\S+\s+)*\S+|xvfb-run(?:\s+-\S+)*|nice(?:\s+-n\s*\S+)?)\s+)+/;
const PRINTS =
  /^(?:\S*\/)?(?:echo|printf|cat|bat|tee|true|false|:|yes|head|tail|grep|rg|ag|less|more|type|which|man|ls|find|sed|awk|jq)\b/;
const OPERATOR = /^(?:&&|\|\||\|&?|;|\n|&(?!>))/;

/** The steps of a command in order, those inside `sh -c "…"` included. */
export function shellSteps(command: string): ShellStep[] {
  const parts = split(command.replace(HEREDOC, "").replace(/\\\n/g, " "));
  return parts.flatMap(({ text, masked }) => {
    const bare = text.replace(WRAPPER, "").trim();
    const nested = NESTED.exec(bare)?.[2];
    if (nested !== undefined) return shellSteps(nested).map((step) => ({ ...step, masked: step.masked || masked }));
    return [{ text: bare.replace(/"[^"]*"|'[^']*'/g, '""'), masked, prints: PRINTS.test(bare) }];
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
