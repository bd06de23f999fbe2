/**
 * A note taken by hand. What a person writes is trusted and no pipeline may change it. What an agent writes on a person's
 * behalf is provisional until the person's own words are found in the session: an agent can be told things.
 */
import { ArcticMemError } from "../core/errors.ts";
import { given } from "../core/given.ts";
import { memoryId, type ProjectId, sessionId } from "../core/ids.ts";
import type { MemoryEvent } from "../core/lifecycle.ts";
import type { AddResult, NewNote } from "../core/memory.ts";
import {
  type FactBody,
  type FactType,
  isLive,
  type MemoryRecord,
  type Provenance,
  type Scope,
} from "../core/memory-record.ts";
import { cleanLine, cutAt } from "../text/clean.ts";
import { contentHash } from "../text/content-hash.ts";
import type { Redactor } from "../text/redact.ts";
import { symbolsOf } from "../text/situations.ts";
import { ACTORS, changeMemory, type KeepDeps } from "./change-memory.ts";
import { MAX_TITLE_CHARACTERS, noteLines, noteText, noteTitle } from "./note-text.ts";

export interface AddNoteDeps extends KeepDeps {
  readonly redactor: Redactor;
  /** Name and version as stored with every memory. */
  readonly profile: string;
}

const QUOTE_CHARACTERS = 160;

/** How far each is believed. */
const STANDINGS = {
  person: { status: "active", humanEdited: true, source: "user_stated", trust: 3, confidence: 1 },
  agent: { status: "provisional", humanEdited: false, source: "agent_inferred", trust: 1, confidence: 0.5 },
} as const satisfies Record<NewNote["by"], Partial<MemoryRecord>>;

/**
 * @param note - `standing.supersededBy` is a whole id here.
 * @throws {ArcticMemError} `INPUT_INVALID` for an empty or oversized text; `PROTECTED` where an agent adds what the user
 *   has forgotten or erased.
 */
export async function addNote(deps: AddNoteDeps, note: NewNote, project: ProjectId): Promise<AddResult> {
  const body = await bodyFrom(deps.redactor, note);
  const scope: Scope = note.scope === "user" ? { kind: "user" } : { kind: "project", project };
  const provenance = await provenanceFrom(deps, note);
  const same = await deps.store.memories.findByContent(scope, contentHash(body));
  const live = same.find((memory) => memory.type === body.type && isLive(memory));
  if (live !== undefined && isLive(standingOf(note)))
    return { memory: await seenAgain(deps, live, { note, provenance }), added: false };
  if (note.by === "agent") await refuseForgotten(deps, same, { project, hash: contentHash(body) });
  const memory = recordFrom(deps, note, { body, scope, provenance, id: await deps.store.memories.newId() });
  const event: MemoryEvent = {
    memory: memory.id,
    kind: "added",
    run: null,
    actor: ACTORS[note.by],
    rules: [],
    reason: note.by === "person" ? "written by hand" : null,
    at: deps.now(),
  };
  const result = await deps.store.memories.apply([{ kind: "add", memory }], [event]);
  if (result.applied) return { memory: (await deps.store.memories.get(memory.id)) ?? memory, added: true };
  return addNote(deps, note, project); // another process has just added the same
}

/** A person's word confirms what was provisional; an agent's only adds that it was said. */
async function seenAgain(
  deps: AddNoteDeps,
  memory: MemoryRecord,
  { note, provenance }: { readonly note: NewNote; readonly provenance: Provenance },
): Promise<MemoryRecord> {
  const known = memory.provenance.some(
    (source) => source.kind === provenance.kind && source.session === provenance.session,
  );
  if (note.by === "agent" && known) return memory;
  return changeMemory(deps, memory.id, ({ seen }) => ({
    patch:
      note.by === "agent"
        ? { seen: seen + 1 }
        : { seen: seen + 1, status: "active", source: "user_stated", trust: 3, confirmedAt: deps.now() },
    provenance: [provenance],
    kind: note.by === "agent" ? "seen" : "confirmed",
    actor: ACTORS[note.by],
  }));
}

async function refuseForgotten(
  { store }: AddNoteDeps,
  same: readonly MemoryRecord[],
  { project, hash }: { readonly project: ProjectId; readonly hash: string },
): Promise<void> {
  const isForgotten = same.some(({ status }) => status === "forgotten");
  if (!isForgotten && (await store.memories.findTombstone(project, hash)) === undefined) return;
  throw new ArcticMemError("PROTECTED", "The user had this forgotten.", {
    hint: "Ask the user to add it by hand: `arcticmem add`.",
  });
}

async function bodyFrom(redactor: Redactor, note: NewNote): Promise<FactBody> {
  const content = await noteText(redactor, note.text, { name: "text", isBrought: note.standing !== undefined });
  const type = note.type ?? typeOf(content);
  const title = await noteTitle(redactor, note.title ?? titleFrom(content));
  const text = `${title}\n${content}`;
  const symbols = note.symbols === undefined ? symbolsOf(text) : await noteLines(redactor, note.symbols);
  const whenToUse = note.whenToUse === undefined ? [] : await noteLines(redactor, note.whenToUse);
  return {
    type,
    polarity: polarityOf(content, type),
    title,
    content,
    why: note.why === undefined ? WHY[note.by] : await noteText(redactor, note.why, "reason"),
    howToApply: note.howToApply === undefined ? HOW[type] : await noteText(redactor, note.howToApply, "guidance"),
    whenToUse,
    whenNot: null,
    appliesIf: null,
    symbols,
  };
}

const WHY: Readonly<Record<NewNote["by"], string>> = {
  person: "The user wrote it down.",
  agent: "The user asked the agent to keep it.",
};
const HOW: Readonly<Record<FactType, string>> = {
  lesson: "Start from this instead of finding it out again.",
  context: "Take it as given; when the code says otherwise, say so and ask.",
  preference: "Do it this way without being told again.",
  pointer: "Look there for it.",
};

function typeOf(text: string): FactType {
  if (/https?:\/\//.test(text)) return "pointer";
  const wish = /\b(?:prefer|always|never|please|I (?:like|want))\b|^(?:use|write|run|keep|put|avoid|don't|do not)\b/i;
  return wish.test(text) ? "preference" : "context";
}

function polarityOf(text: string, type: FactType): FactBody["polarity"] {
  if (type === "pointer") return "fact";
  if (/^(?:never|don't|do not|avoid|stop)\b/i.test(text)) return "avoid";
  return type === "context" ? "fact" : "do";
}

/** The first sentence. */
export function titleFrom(content: string): string {
  const [line = content] = content.split("\n");
  const sentence = /^.{12,}?[.!?](?=\s|$)/.exec(line)?.[0] ?? line;
  return cleanLine(sentence.replace(/[.\s]+$/, ""), MAX_TITLE_CHARACTERS);
}

/** How far a note is believed and whether it still holds; of an agent's, nothing but the former can be said. */
function standingOf(
  note: NewNote,
): Pick<MemoryRecord, keyof (typeof STANDINGS)["person"] | "pinned" | "supersededBy"> & { readonly at?: Date } {
  const believed = { ...STANDINGS[note.by], pinned: false, supersededBy: null };
  if (note.standing === undefined || note.by === "agent") return believed;
  const { status = "active", supersededBy, pinned = false, at } = note.standing;
  const next =
    supersededBy === undefined ? {} : ({ status: "superseded", supersededBy: memoryId(supersededBy) } as const);
  return { ...believed, status, pinned, ...next, ...given({ at }) };
}

async function provenanceFrom({ redactor, now }: AddNoteDeps, note: NewNote): Promise<Provenance> {
  const quote = note.quote === undefined ? null : await redactor.redact(cutAt(cleanLine(note.quote), QUOTE_CHARACTERS));
  return {
    kind: ACTORS[note.by],
    host: note.host ?? null,
    session: note.session === undefined ? null : sessionId(note.session),
    run: null,
    turn: null,
    quote: quote === "" ? null : quote,
    transcript: null,
    extractor: note.by,
    at: standingOf(note).at ?? now(),
    excerpt: null,
  };
}

interface NewRecord {
  readonly id: MemoryRecord["id"];
  readonly body: FactBody;
  readonly scope: Scope;
  readonly provenance: Provenance;
}

function recordFrom(
  { now, profile }: AddNoteDeps,
  note: NewNote,
  { id, body, scope, provenance }: NewRecord,
): MemoryRecord {
  const { at = now(), ...standing } = standingOf(note);
  return {
    ...body,
    ...standing,
    id,
    scope,
    flags: [],
    version: 1,
    seen: 1,
    createdAt: at,
    updatedAt: at,
    confirmedAt: at,
    eventAt: at,
    expiresAt: null,
    tombstonedAt: null,
    reason: null,
    conflictsWith: [],
    provenance: [provenance],
    citations: [],
    profile,
  };
}
