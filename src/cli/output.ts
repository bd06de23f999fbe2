/**
 * How answers look: JSON for programs, text with a little colour for people. Colour only on a terminal that wants it,
 * and no control character of a memory or file ever reaches one.
 */
import type { CliContext, CliOutput } from "./context.ts";

export interface JsonOption {
  readonly json?: boolean;
}

/** C0, DEL and C1 controls but tab and line feed: what could move a cursor or hide text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this removes
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/** What `Paint` writes. As a capture, so that splitting keeps it. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: an escape sequence starts with one
const OWN_COLOUR = /(\u001b\[\d{1,2}m)/;

/** The text without anything that a terminal would obey. */
export function printable(text: string): string {
  return text.replace(CONTROL, "");
}

/** One JSON object per line. */
export function writeJson(context: Pick<CliContext, "stdout">, value: unknown): void {
  context.stdout.write(`${JSON.stringify(value)}\n`);
}

/** Lines of the answer. */
export function writeLines(context: Pick<CliContext, "stdout">, lines: readonly string[]): void {
  if (lines.length > 0) context.stdout.write(`${lines.map(printableLine).join("\n")}\n`);
}

/** One line to the talk, whatever a memory or file put into it. */
export function tell(context: Pick<CliContext, "stderr">, line: string): void {
  context.stderr.write(`${printableLine(line)}\n`);
}

export interface Paint {
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly green: (text: string) => string;
  readonly yellow: (text: string) => string;
  readonly red: (text: string) => string;
}

/** SGR codes: on and off. */
const STYLES = { bold: [1, 22], dim: [2, 22], green: [32, 39], yellow: [33, 39], red: [31, 39] } as const;

/** Colours for a stream, or none: `NO_COLOR` and `TERM=dumb` are honoured, `FORCE_COLOR` overrules the terminal check. */
export function paintFor({ environment }: Pick<CliContext, "environment">, stream: CliOutput): Paint {
  const wanted = wantsColour(stream, environment.variables);
  const style =
    ([on, off]: readonly [number, number]) =>
    (text: string) =>
      wanted ? `\u001b[${on}m${text}\u001b[${off}m` : text;
  return {
    bold: style(STYLES.bold),
    dim: style(STYLES.dim),
    green: style(STYLES.green),
    yellow: style(STYLES.yellow),
    red: style(STYLES.red),
  };
}

function wantsColour(stream: CliOutput, variables: Readonly<Record<string, string | undefined>>): boolean {
  if ((variables.NO_COLOR ?? "") !== "") return false;
  const forced = variables.FORCE_COLOR;
  if (forced !== undefined) return forced !== "0" && forced !== "false";
  return stream.isTTY === true && variables.TERM !== "dumb";
}

/** Our own colour sequences stay, everything else that is not printable goes. */
/** A line without anything that a terminal would obey but our own colours. */
export function printableLine(line: string): string {
  return line
    .split(OWN_COLOUR)
    .map((part, index) => (index % 2 === 1 ? part : printable(part)))
    .join("");
}

/** Rows as columns, two spaces apart; the last column is not padded. Widths count code points. */
export function columns(rows: readonly (readonly string[])[]): string[] {
  const widths: number[] = [];
  for (const row of rows) {
    row.forEach((cell, index) => {
      widths[index] = Math.max(widths[index] ?? 0, visibleLength(cell));
    });
  }
  return rows.map((row) =>
    row
      .map((cell, index) =>
        index === row.length - 1 ? cell : cell + " ".repeat((widths[index] ?? 0) - visibleLength(cell)),
      )
      .join("  ")
      .trimEnd(),
  );
}

function visibleLength(text: string): number {
  return [
    ...text
      .split(OWN_COLOUR)
      .filter((_, index) => index % 2 === 0)
      .join(""),
  ].length;
}

/** `12d`, `3h`, `now`: how long ago, in the largest whole unit. */
export function ageOf(at: Date, now: Date): string {
  const minutes = Math.floor((now.getTime() - at.getTime()) / 60_000);
  if (minutes < 1) return "now";
  if (minutes < 60) return `${minutes}m`;
  if (minutes < 60 * 24) return `${Math.floor(minutes / 60)}h`;
  return `${Math.floor(minutes / (60 * 24))}d`;
}

/** `1 memory`, `3 memories`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** `1.2 MB`: bytes for people, in powers of 1,000. */
export function bytesText(bytes: number): string {
  const units = ["B", "kB", "MB", "GB"];
  let value = bytes;
  let unit = 0;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${unit === 0 ? value : value.toFixed(1)} ${units[unit]}`;
}
