/**
 * Cuts markdown into pieces that search can return: by heading, each with the titles that lead to it, no longer than an
 * embedding model reads at once. Fences, lists and tables stay whole where they fit, and are cut between lines where
 * they don't.
 */
import { frontMatterEnd } from "./front-matter.ts";
import { type Block, isBlank, isListItem, markdownBlocks } from "./markdown-blocks.ts";

export interface MarkdownPiece {
  /** Titles from the file's first heading down to this piece's own. */
  readonly headings: readonly string[];
  /** The lines from `startLine` to `endLine` as they stand; a part of one line where that line alone is too long. */
  readonly text: string;
  /** From 1, both included. */
  readonly startLine: number;
  readonly endLine: number;
}

/** Somewhat more than 256 word pieces of English, which small sentence models read at once. */
export const MAX_PIECE_CHARACTERS = 1_200;

/** Characters of unspaced scripts are about a token each, three times what a Latin letter is. */
const WIDE = /[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]/g;
const WIDE_WEIGHT = 3;

/**
 * The pieces of a text, in its order. Every line that is not blank is in exactly one piece, or in several that each hold
 * a part of it; blank lines are kept within a piece. Any text gives pieces, without error.
 *
 * @param maxCharacters - Most characters of a piece, where each of an unspaced script counts three.
 */
export function chunkMarkdown(text: string, maxCharacters: number = MAX_PIECE_CHARACTERS): MarkdownPiece[] {
  const lines = splitLines(text);
  const frontMatter = frontMatterEnd(lines);
  const sections = toSections(markdownBlocks(lines, frontMatter), frontMatter, lines);
  return sections.flatMap((section) => packSection(lines, section, maxCharacters));
}

/** The lines of a text without their ends. */
export function splitLines(text: string): string[] {
  return text.split(/\r\n|\n|\r/);
}

interface Section {
  readonly headings: readonly string[];
  /** Line ranges that should stay whole, without gaps but blank lines. */
  readonly spans: Span[];
}

interface Span {
  readonly start: number;
  readonly end: number;
  /** A heading, or front matter: says nothing alone. */
  readonly isLead?: boolean;
}

/** How far a piece may pass the limit so that its heading stays with what follows. */
const LEAD_ALLOWANCE = 1.25;

/**
 * One section per heading. A heading with nothing below it but another heading goes with that one, and front matter
 * with the first section: alone they would be found and say nothing.
 */
function toSections(blocks: readonly Block[], frontMatter: number, lines: readonly string[]): Section[] {
  const sections: Section[] = [];
  let titles: { readonly level: number; readonly title: string }[] = [];
  let open: Section = { headings: [], spans: frontMatter > 0 ? [{ start: 0, end: frontMatter, isLead: true }] : [] };
  let hasBody = false;
  for (const block of blocks) {
    if (block.kind === "heading") {
      titles = [...titles.filter(({ level }) => level < block.level), block];
      const headings = titles.map(({ title }) => title).filter((title) => title !== "");
      if (hasBody) sections.push(open);
      open = { headings, spans: hasBody ? [] : open.spans };
      hasBody = false;
    } else {
      hasBody = true;
    }
    open.spans.push({ start: block.start, end: block.end, isLead: block.kind === "heading" });
  }
  return open.spans.some((span) => !isBlankSpan(lines, span)) ? [...sections, open] : sections;
}

function isBlankSpan(lines: readonly string[], { start, end }: Span): boolean {
  return lines.slice(start, end).every(isBlank);
}

/** Fills pieces with whole spans as long as they fit. */
function packSection(lines: readonly string[], { headings, spans }: Section, max: number): MarkdownPiece[] {
  const pieces: MarkdownPiece[] = [];
  let open: Span | undefined;
  const flush = (): void => {
    if (open) pieces.push({ headings, text: textOf(lines, open), startLine: open.start + 1, endLine: open.end });
    open = undefined;
  };
  for (const span of spans.flatMap((whole) => splitSpan(lines, whole, max))) {
    const joined = { start: open?.start ?? span.start, end: span.end, isLead: span.isLead ?? false };
    const limit = open?.isLead ? max * LEAD_ALLOWANCE : max;
    if (fits(textOf(lines, joined), limit)) {
      open = joined;
      continue;
    }
    flush();
    if (fits(textOf(lines, span), max)) open = span;
    else
      pieces.push(...splitLine(lines[span.start] ?? "", max).map((text) => linePiece(headings, text, span.start + 1)));
  }
  flush();
  return pieces;
}

function linePiece(headings: readonly string[], text: string, line: number): MarkdownPiece {
  return { headings, text, startLine: line, endLine: line };
}

/** A span that is too long in parts: at blank lines and list items first, then between any two lines. */
function splitSpan(lines: readonly string[], span: Span, max: number): Span[] {
  if (fits(textOf(lines, span), max)) return [span];
  const parts = cutBefore(span, (at) => isBlank(lines[at - 1]) || isListItem(lines[at] ?? ""));
  return parts
    .filter((part) => !isBlankSpan(lines, part))
    .map((part) => trimSpan(lines, part))
    .flatMap((part) => (fits(textOf(lines, part), max) ? [part] : cutBefore(part, () => true)))
    .filter((part) => !isBlankSpan(lines, part));
}

function cutBefore({ start, end }: Span, isCut: (line: number) => boolean): Span[] {
  const parts: Span[] = [];
  let from = start;
  for (let at = start + 1; at < end; at++) {
    if (!isCut(at)) continue;
    parts.push({ start: from, end: at });
    from = at;
  }
  return [...parts, { start: from, end }];
}

function trimSpan(lines: readonly string[], { start, end }: Span): Span {
  let last = end;
  while (last > start + 1 && isBlank(lines[last - 1])) last--;
  return { start, end: last };
}

function textOf(lines: readonly string[], { start, end }: Span): string {
  return lines.slice(start, end).join("\n");
}

function fits(text: string, max: number): boolean {
  return text.length <= max && sizeOf(text) <= max;
}

function sizeOf(text: string): number {
  return text.length + (WIDE_WEIGHT - 1) * (text.match(WIDE)?.length ?? 0);
}

/** A line in parts: after the end of a sentence, else at a blank, else between two characters. */
function splitLine(line: string, max: number): string[] {
  const parts: string[] = [];
  let rest = line;
  while (!fits(rest, max)) {
    const room = fitting(rest, max);
    const window = rest.slice(0, room);
    const sentence = Math.max(
      ...[". ", "! ", "? ", "; ", "。", "！", "？"].map((mark) => window.lastIndexOf(mark) + mark.length),
    );
    const blank = window.lastIndexOf(" ") + 1;
    const cut = [sentence, blank].find((at) => at > room / 2) ?? room;
    parts.push(rest.slice(0, cut));
    rest = rest.slice(cut);
  }
  return [...parts, rest].filter((part) => part.trim() !== "");
}

/** How many characters of the text's start fit, at least one; never half of a pair. */
function fitting(text: string, max: number): number {
  let size = 0;
  let at = 0;
  for (const character of text) {
    size += sizeOf(character);
    if (size > max && at > 0) break;
    at += character.length;
  }
  return at;
}
