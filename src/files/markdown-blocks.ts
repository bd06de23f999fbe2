/**
 * Markdown as a row of blocks: headings, fences, lists, tables, paragraphs. Only what chunking needs to know, in one
 * pass over the lines; every line belongs to exactly one block or is blank.
 */

export interface Block {
  readonly kind: "heading" | "fence" | "list" | "text";
  /** Index of the first line and of the line after the last. */
  readonly start: number;
  readonly end: number;
  /** Of headings, 1 … 6. */
  readonly level: number;
  /** Of headings, without marks. */
  readonly title: string;
}

const ATX = /^ {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*$/;
const SETEXT = /^ {0,3}(=+|-+)[ \t]*$/;
const FENCE = /^[ \t>]*(`{3,}|~{3,})(.*)$/;
const LIST_ITEM = /^[ \t]*(?:[-*+]|\d{1,9}[.)])(?:[ \t]|$)/;

/** The blocks of a text given as lines. @param from - Lines before this one (front matter) are passed over. */
export function markdownBlocks(lines: readonly string[], from = 0): Block[] {
  const blocks: Block[] = [];
  let at = from;
  while (at < lines.length) {
    if (isBlank(lines[at])) {
      at++;
      continue;
    }
    const block = readBlock(lines, at);
    blocks.push(block);
    at = block.end;
  }
  return blocks;
}

/** Whether a line starts an item of a list. */
export function isListItem(line: string): boolean {
  return LIST_ITEM.test(line);
}

/** Whether a line holds white space at most. */
export function isBlank(line: string | undefined): boolean {
  return line === undefined || line.trim() === "";
}

function readBlock(lines: readonly string[], start: number): Block {
  const line = lines[start] ?? "";
  const heading = ATX.exec(line);
  if (heading) {
    return { kind: "heading", start, end: start + 1, level: heading[1]?.length ?? 1, title: titleOf(heading[2] ?? "") };
  }
  const fence = opensFence(line);
  if (fence !== undefined) return plain("fence", start, fenceEnd(lines, start, fence));
  if (isListItem(line)) return plain("list", start, listEnd(lines, start));
  return paragraph(lines, start);
}

function plain(kind: "fence" | "list" | "text", start: number, end: number): Block {
  return { kind, start, end, level: 0, title: "" };
}

/** A paragraph, table or quote: up to a blank line or another block; a heading where it is underlined. */
function paragraph(lines: readonly string[], start: number): Block {
  let end = start + 1;
  for (; end < lines.length && !isBlank(lines[end]); end++) {
    const line = lines[end] ?? "";
    const underline = SETEXT.exec(line)?.[1];
    if (underline !== undefined && end === start + 1 && !isTableRow(lines[start] ?? "")) {
      const level = underline.startsWith("=") ? 1 : 2;
      return { kind: "heading", start, end: end + 1, level, title: titleOf(lines[start] ?? "") };
    }
    if (ATX.test(line) || opensFence(line) !== undefined || isListItem(line)) break;
  }
  return plain("text", start, end);
}

function isTableRow(line: string): boolean {
  return line.includes("|");
}

/** A list with what is indented below its items; blank lines inside belong to it. */
function listEnd(lines: readonly string[], start: number): number {
  let end = start + 1;
  for (let at = start + 1; at < lines.length; at++) {
    const line = lines[at] ?? "";
    if (isBlank(line)) continue;
    const fence = opensFence(line);
    const isIndented = /^(?: {2,}|\t)/.test(line);
    const isLazy = at === end && !ATX.test(line) && fence === undefined;
    if (!isListItem(line) && !isIndented && !isLazy) break;
    if (fence !== undefined && isIndented) at = fenceEnd(lines, at, fence) - 1;
    end = at + 1;
  }
  return end;
}

/** The mark with which a line opens a fence. */
function opensFence(line: string): string | undefined {
  const [, mark, rest = ""] = FENCE.exec(line) ?? [];
  return mark?.startsWith("`") && rest.includes("`") ? undefined : mark;
}

/** The line after the fence's end; an unclosed one runs to the end of the text. */
function fenceEnd(lines: readonly string[], start: number, mark: string): number {
  for (let at = start + 1; at < lines.length; at++) {
    const [, closing = "", rest = ""] = FENCE.exec(lines[at] ?? "") ?? [];
    if (closing.startsWith(mark) && rest.trim() === "") return at + 1;
  }
  return lines.length;
}

const MAX_TITLE_CHARACTERS = 200;

function titleOf(text: string): string {
  return text
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/(\*\*|__|`)(.*?)\1/g, "$2")
    .replace(/<[^>]*>/g, "")
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, MAX_TITLE_CHARACTERS);
}
