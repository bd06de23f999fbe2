/**
 * What stands in a turn but was not said in it: our own memory blocks, reminders of the harness, bodies of instruction
 * files, wrappers of slash commands. All of it is taken out before anything is learned from the turn, so that a memory
 * is never learned from itself. `<private>` spans go with it.
 */

/** Tag of the block of relevant titles. */
export const MEMORIES_TAG = "arcticmem-memories";
/** Tag of the block that lists all trusted titles. */
export const MANIFEST_TAG = "arcticmem-manifest";
/** Stands in every prompt that we send to a model: a session that carries it is our own and is never ingested. */
export const SENTINEL = "ARCTICMEM-EXTRACTION-SESSION";

/** Harness tags whose whole content goes. */
const DROPPED_TAGS = [
  "system-reminder",
  "system_reminder",
  "hook_context",
  "session_context",
  "environment_context",
  "user_instructions",
  "INSTRUCTIONS",
  "permissions instructions",
  "collaboration_mode",
  "skills_instructions",
  "turn_aborted",
  "command-name",
  "command-message",
  "command-contents",
  "local-command-caveat",
  "local-command-stdout",
  "local-command-stderr",
  "bash-input",
  "bash-stdout",
  "bash-stderr",
  "user-prompt-submit-hook",
  "ide_opened_file",
  "ide_selection",
  "ide_diagnostics",
  "new-diagnostics",
  "task-notification",
  "teammate-message",
  "additional_data",
  "attached_files",
  "skill",
];
/** Wrappers around what a person typed: only the tags go. */
const UNWRAPPED_TAGS = ["command-args", "user_query"];
const OUR_TAG = "arcticmem-[a-z]+";

const TAG = new RegExp(`<(/?)(${[...DROPPED_TAGS, OUR_TAG].join("|")})((?:\\s[^<>]{0,400})?)>`, "g");
const UNWRAP = new RegExp(`</?(?:${UNWRAPPED_TAGS.join("|")})>`, "g");
/** Hook context that a host renders as plain text, up to the end of its paragraph. */
const HOOK_LINE = /^[A-Z][A-Za-z]{3,30}(?::\S{1,60})? hook (?:additional context|success|feedback):.*(?:\n(?!\n).*)*/gm;
const AGENTS_HEADER = /^# AGENTS\.md instructions(?: for [^\n]*)?\n*/gm;

const PRIVATE = /[ \t]*<\s*private\b[^<>]{0,100}>[\s\S]*?(?:<\s*\/\s*private\s*>[ \t]*|$)/gi;

interface Span {
  readonly start: number;
  readonly end: number;
}

/** Whether a text is, or quotes, a prompt of our own. */
export function containsSentinel(text: string): boolean {
  return text.includes(SENTINEL);
}

/**
 * Takes out everything that was injected and every `<private>` span.
 *
 * @returns `text` itself where there was nothing to take out; else what is left, trimmed.
 */
export function stripInjectedSpans(text: string): string {
  const open = stripPrivateSpans(text);
  if (!/[<]|hook |# AGENTS/.test(open)) return open;
  const stripped = removeSpans(open, injectedSpans(open))
    .replace(UNWRAP, "\n")
    .replace(HOOK_LINE, "")
    .replace(AGENTS_HEADER, "");
  return stripped === open ? open : tidy(stripped);
}

/** Removes `<private>…</private>`; one that is never closed reaches to the end of the text. */
export function stripPrivateSpans(text: string): string {
  if (!/<\s*private/i.test(text)) return text;
  return tidy(text.replace(PRIVATE, " "));
}

/** What stood inside `<private>` spans: so that a later turn that repeats it can be cleared of it. */
export function privateContents(text: string): string[] {
  if (!/<\s*private/i.test(text)) return [];
  return Array.from(text.matchAll(PRIVATE), (match) => match[0].replace(/<[^<>]*>/g, "").trim()).filter(
    (content) => content.length > 0,
  );
}

interface Tag extends Span {
  readonly name: string;
  readonly closes: boolean;
}

/**
 * Spans of injected tags, nested ones of one name taken as one. A tag of ours that was cut off before its end takes its
 * paragraph with it; a harness tag that is never closed is somebody writing about the tag. One pass over the tags.
 */
function injectedSpans(text: string): Span[] {
  const tags = Array.from(text.matchAll(TAG), ({ 0: whole, 1: slash, 2: name = "", index }): Tag => {
    return { name, closes: slash === "/", start: index, end: index + whole.length };
  });
  const lastClose = new Map(tags.filter((tag) => tag.closes).map((tag) => [tag.name, tag]));
  const spans: Span[] = [];
  let after = 0;
  for (const [at, tag] of tags.entries()) {
    if (tag.start < after) continue;
    const span = spanOf(tag, { text, rest: tags, at, lastClose: lastClose.get(tag.name) });
    if (span === undefined) continue;
    spans.push(span);
    after = span.end;
  }
  return spans;
}

interface TagContext {
  readonly text: string;
  readonly rest: readonly Tag[];
  readonly at: number;
  readonly lastClose: Tag | undefined;
}

function spanOf(tag: Tag, { text, rest, at, lastClose }: TagContext): Span | undefined {
  const ours = tag.name.startsWith("arcticmem-");
  if (tag.closes) return ours ? tag : undefined;
  if (!ours && text[tag.start - 1] === "`") return undefined;
  if (lastClose !== undefined && lastClose.start > tag.start) {
    return { start: tag.start, end: (matchingClose(tag, rest, at) ?? lastClose).end };
  }
  if (!ours) return undefined;
  const gap = text.indexOf("\n\n", tag.end);
  return { start: tag.start, end: gap === -1 ? text.length : gap };
}

function matchingClose(tag: Tag, tags: readonly Tag[], at: number): Tag | undefined {
  let depth = 0;
  for (let index = at; index < tags.length; index += 1) {
    const other = tags[index];
    if (other === undefined || other.name !== tag.name) continue;
    depth += other.closes ? -1 : 1;
    if (depth === 0) return other;
  }
  return undefined;
}

function removeSpans(text: string, spans: readonly Span[]): string {
  let result = "";
  let from = 0;
  for (const { start, end } of spans) {
    result += `${text.slice(from, start)}\n`;
    from = end;
  }
  return result + text.slice(from);
}

function tidy(text: string): string {
  return text
    .replace(/[ \t]+\n/g, "\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}
