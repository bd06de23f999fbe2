/**
 * What can happen to a fact: the relation that a model or a rule sees between it and a memory, and the
 * change that the store is asked to make. Only `applyDecisions` turns the first into the second.
 */
import type { MemoryId } from "./ids.ts";
import type { FactBody, MemoryFlag, MemoryRecord, MemoryStatus, Provenance } from "./memory-record.ts";

export type Relation = "same" | "refines" | "contradicts" | "outdates" | "separate";

/** A change of one memory, checked against the version that the decision saw. The store applies all or none. */
export type MemoryChange =
  | { readonly kind: "add"; readonly memory: MemoryRecord }
  /** New text for a memory: the old one becomes a row of its history. */
  | (ChangeInPlace & { readonly kind: "revise"; readonly body: FactBody })
  /** New standing for a memory; its text stays. */
  | (ChangeInPlace & { readonly kind: "restate" });

interface ChangeInPlace {
  readonly id: MemoryId;
  readonly expectedVersion: number;
  /** `revision` of the record that the decision saw: also notices changes of standing. */
  readonly expectedRevision?: number;
  readonly patch: MemoryPatch;
  readonly provenance: readonly Provenance[];
}

/** A change against version and revision of the memory that was seen. Its text stays where no body is given. */
export function changeOf(
  { id, version, revision }: MemoryRecord,
  {
    patch,
    body,
    provenance = [],
  }: { readonly patch: MemoryPatch; readonly body?: FactBody; readonly provenance?: readonly Provenance[] },
): MemoryChange {
  const expected = { expectedVersion: version, ...(revision === undefined ? {} : { expectedRevision: revision }) };
  const change = { id, ...expected, patch, provenance };
  return body === undefined ? { kind: "restate", ...change } : { kind: "revise", body, ...change };
}

/** What besides its text can change of a memory. An absent key stays as it is. */
export interface MemoryPatch {
  readonly status?: MemoryStatus;
  readonly flags?: readonly MemoryFlag[];
  readonly pinned?: boolean;
  readonly humanEdited?: boolean;
  readonly source?: MemoryRecord["source"];
  readonly trust?: MemoryRecord["trust"];
  readonly confidence?: number;
  readonly seen?: number;
  readonly confirmedAt?: Date;
  readonly eventAt?: Date;
  readonly expiresAt?: Date | null;
  readonly supersededBy?: MemoryId | null;
  readonly tombstonedAt?: Date | null;
  readonly reason?: string | null;
  readonly conflictsWith?: readonly MemoryId[];
  readonly citations?: MemoryRecord["citations"];
  readonly scope?: MemoryRecord["scope"];
}

export type EventKind =
  | "added"
  | "updated"
  | "superseded"
  | "seen"
  | "disputed"
  | "forgotten"
  | "restored"
  | "edited"
  | "pinned"
  | "unpinned"
  | "confirmed"
  | "promoted"
  | "archived"
  | "flagged"
  | "judged";

/** Why a change was made: what `why` prints. */
export interface MemoryEvent {
  readonly memory: MemoryId;
  readonly kind: EventKind;
  readonly run: string | null;
  /** `pipeline`, `user`, `agent`, `dream`. */
  readonly actor: string;
  /** Guards and filters that took part, `guard:loss`, `R4`. */
  readonly rules: readonly string[];
  readonly reason: string | null;
  readonly at: Date;
}
