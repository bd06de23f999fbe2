/** The few lines of YAML that rule files begin with: what they are about and when their tool loads them. */

/** Top-level keys in lower case; a list's items are joined by commas. */
export type FrontMatter = Readonly<Record<string, string>>;

/** More than this is no front matter but a document that begins with a rule. */
const MAX_LINES = 60;

/** How many lines it takes, the two marks included; 0 where there is none. */
export function frontMatterEnd(lines: readonly string[]): number {
  if (lines[0]?.trimEnd() !== "---") return 0;
  return lines.findIndex((line, at) => at > 0 && /^(?:---|\.\.\.)\s*$/.test(line)) + 1;
}

/** Reads what rule files use of YAML: keys with plain, quoted, bracketed or listed values. Total on any text. */
export function readFrontMatter(text: string): FrontMatter {
  const lines = text.replace(/^\ufeff/, "").split(/\r\n|\n|\r/, MAX_LINES + 1);
  const values: Record<string, string> = {};
  let key = "";
  for (const line of lines.slice(1, Math.max(1, frontMatterEnd(lines) - 1))) {
    const pair = /^([A-Za-z_][\w-]*)\s*:(?:\s+(.*))?$/.exec(line);
    const item = /^\s*-\s+(.*)$/.exec(line)?.[1];
    if (pair) {
      key = (pair[1] ?? "").toLowerCase();
      values[key] = plain(pair[2] ?? "");
    } else if (item !== undefined && key !== "") {
      values[key] = [values[key], plain(item)].filter(Boolean).join(",");
    }
  }
  return values;
}

/** Whether the tool that owns a rule loads it without being asked: always, or for files that match its patterns. */
export function isLoadedUnasked(values: FrontMatter): boolean {
  if (values.alwaysapply?.toLowerCase() === "true") return true;
  return ["globs", "paths", "applyto"].some((key) => (values[key] ?? "") !== "");
}

function plain(value: string): string {
  return value
    .trim()
    .replace(/\s+#.*$/, "")
    .replace(/^\[(.*)\]$/, "$1")
    .split(",")
    .map((part) => part.trim().replace(/^(["'])(.*)\1$/, "$2"))
    .filter(Boolean)
    .join(",");
}
