/** A person changes a memory's text, pins it, or vouches for it. From then on it is theirs. */
import { ArcticMemError } from "../core/errors.ts";
import type { NoteEdit } from "../core/memory.ts";
import { bodyOf, type FactBody, isLive, type MemoryRecord } from "../core/memory-record.ts";
import type { Redactor } from "../text/redact.ts";
import { symbolsOf } from "../text/situations.ts";
import { titleFrom } from "./add-note.ts";
import { changeMemory, type KeepDeps } from "./change-memory.ts";
import { noteLines, noteText, noteTitle } from "./note-text.ts";

/**
 * The older text stays in the history. What a person has edited is trusted, and no pipeline changes it again.
 *
 * @throws {ArcticMemError} `INPUT_INVALID` for an empty edit or text, or when another memory says the same.
 */
export async function editMemory(
  deps: KeepDeps & { readonly redactor: Redactor },
  memory: MemoryRecord,
  edit: NoteEdit,
): Promise<MemoryRecord> {
  const changed = await cleanEdit(deps.redactor, edit);
  if (Object.keys(changed).length === 0) {
    throw new ArcticMemError("INPUT_INVALID", "Nothing to change was given.", {
      hint: "Name a field, such as --title.",
    });
  }
  const all = { ...(await deriveAnew(deps.redactor, memory, changed)), ...changed };
  return changeMemory(deps, memory.id, (current) => ({
    body: { ...bodyOf(current), ...all },
    patch: {
      humanEdited: true,
      source: "user_stated",
      trust: 3,
      confirmedAt: deps.now(),
      ...(isLive(current) ? { status: "active" as const } : {}),
    },
    kind: "edited",
    actor: "user",
    reason: Object.keys(all).join(", "),
  }));
}

/** A title and symbols that were taken from the old content would go on saying what it said. */
async function deriveAnew(
  redactor: Redactor,
  { title, content, symbols }: MemoryRecord,
  changed: Partial<FactBody>,
): Promise<Partial<FactBody>> {
  if (changed.content === undefined) return {};
  const titleOf = (text: string): Promise<string> => noteTitle(redactor, titleFrom(text));
  const isTitleDerived = changed.title === undefined && title === (await titleOf(content));
  const newTitle = isTitleDerived ? await titleOf(changed.content) : (changed.title ?? title);
  const derived = symbolsOf(`${title}\n${content}`);
  const areSymbolsDerived = symbols.length === derived.length && symbols.every((symbol, at) => symbol === derived[at]);
  return {
    ...(isTitleDerived ? { title: newTitle } : {}),
    ...(areSymbolsDerived ? { symbols: symbolsOf(`${newTitle}\n${changed.content}`) } : {}),
  };
}

async function cleanEdit(redactor: Redactor, edit: NoteEdit): Promise<Partial<FactBody>> {
  const { title, content, why, howToApply, whenToUse, whenNot, symbols } = edit;
  return {
    ...(title === undefined ? {} : { title: await noteTitle(redactor, title) }),
    ...(content === undefined ? {} : { content: await noteText(redactor, content, "content") }),
    ...(why === undefined ? {} : { why: await noteText(redactor, why, "reason") }),
    ...(howToApply === undefined ? {} : { howToApply: await noteText(redactor, howToApply, "guidance") }),
    ...(whenToUse === undefined ? {} : { whenToUse: await noteLines(redactor, whenToUse) }),
    ...(whenNot === undefined ? {} : { whenNot: whenNot === null ? null : await noteText(redactor, whenNot, "limit") }),
    ...(symbols === undefined ? {} : { symbols: await noteLines(redactor, symbols) }),
  };
}

/** A pinned memory is shown first and never changed by a pipeline. */
export function pinMemory(deps: KeepDeps, memory: MemoryRecord, pinned: boolean): Promise<MemoryRecord> {
  return changeMemory(deps, memory.id, (current) =>
    current.pinned === pinned ? undefined : { patch: { pinned }, kind: pinned ? "pinned" : "unpinned", actor: "user" },
  );
}

/**
 * The user's word makes a provisional or disputed memory trusted.
 *
 * @throws {ArcticMemError} `INPUT_INVALID` for one that was forgotten, archived or superseded.
 */
export function confirmMemory(deps: KeepDeps, memory: MemoryRecord): Promise<MemoryRecord> {
  return changeMemory(deps, memory.id, (current) => {
    if (!isLive(current)) {
      const message = `The memory is ${current.status}; only what is in use can be confirmed.`;
      throw new ArcticMemError("INPUT_INVALID", message, { hint: "Restore it first: `arcticmem restore`." });
    }
    return {
      patch: {
        status: "active",
        source: current.source === "user_stated" ? "user_stated" : "user_confirmed",
        trust: 3,
        confirmedAt: deps.now(),
        flags: current.flags.filter((flag) => flag !== "stale_suspect"),
        reason: null,
      },
      kind: "confirmed",
      actor: "user",
    };
  });
}
