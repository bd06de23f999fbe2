/**
 * Collects what a run wants to change, one change for each memory, whatever the order in which facts speak of it: the
 * store compares versions, and two changes of one memory in one run would race each other.
 */
import type { MemoryId, RunId } from "../../../core/ids.ts";
import {
  changeOf,
  type EventKind,
  type MemoryChange,
  type MemoryEvent,
  type MemoryPatch,
} from "../../../core/lifecycle.ts";
import type { FactBody, MemoryFlag, MemoryRecord, Provenance } from "../../../core/memory-record.ts";
import type { IncomingFact } from "../decision.ts";

export interface AdditionDraft {
  status: MemoryRecord["status"];
  supersededBy: MemoryId | null;
  reason: string | null;
  readonly flags: Set<MemoryFlag>;
  readonly conflictsWith: Set<MemoryId>;
  readonly incoming: IncomingFact;
}

interface TargetDraft {
  readonly memory: MemoryRecord;
  body?: FactBody;
  patch: MemoryPatch;
  readonly provenance: Provenance[];
  readonly facts: Set<string>;
}

export interface DraftContext {
  readonly run: RunId;
  readonly now: Date;
  readonly profile: string;
}

export interface EventNote {
  readonly memory: MemoryId;
  readonly kind: EventKind;
  readonly rules?: readonly string[];
  readonly reason?: string | null;
}

export class ChangeDraft {
  readonly #context: DraftContext;
  readonly #additions = new Map<string, AdditionDraft>();
  readonly #targets = new Map<MemoryId, TargetDraft>();
  readonly #events: MemoryEvent[] = [];

  constructor(context: DraftContext) {
    this.#context = context;
  }

  add(incoming: IncomingFact): AdditionDraft {
    const draft: AdditionDraft = {
      incoming,
      status: incoming.status,
      supersededBy: null,
      reason: null,
      flags: new Set(incoming.flags),
      conflictsWith: new Set(),
    };
    this.#additions.set(incoming.handle, draft);
    return draft;
  }

  /** The draft of the memory that the fact becomes, if it becomes one of its own. */
  additionOf({ handle }: IncomingFact): AdditionDraft | undefined {
    return this.#additions.get(handle);
  }

  /** Later keys of `patch` win; provenance is gathered. */
  patch(memory: MemoryRecord, fact: IncomingFact, change: TargetChange): void {
    const target: TargetDraft = this.#targets.get(memory.id) ?? {
      memory,
      patch: {},
      provenance: [],
      facts: new Set<string>(),
    };
    if (change.body !== undefined) target.body = change.body;
    target.patch = { ...target.patch, ...change.patch };
    for (const entry of change.provenance ?? []) if (!target.provenance.includes(entry)) target.provenance.push(entry);
    target.facts.add(fact.handle);
    this.#targets.set(memory.id, target);
  }

  /** What the memory would be after what was drafted so far. */
  current(memory: MemoryRecord): MemoryRecord {
    return { ...memory, ...this.#targets.get(memory.id)?.patch };
  }

  note({ memory, kind, rules = [], reason = null }: EventNote): void {
    const { run, now } = this.#context;
    this.#events.push({ memory, kind, run, actor: "pipeline", rules, reason, at: now });
  }

  /** Additions in the order of their handles, then changes in the order of ids: the same plan for any order of input. */
  finish(): {
    readonly changes: MemoryChange[];
    readonly events: MemoryEvent[];
    readonly factsByTarget: ReadonlyMap<MemoryId, readonly string[]>;
    readonly factByAddition: ReadonlyMap<number, string>;
  } {
    const additions = [...this.#additions.values()].sort((a, b) => compare(a.incoming.handle, b.incoming.handle));
    const targets = [...this.#targets.values()].sort((a, b) => compare(a.memory.id, b.memory.id));
    return {
      changes: [
        ...additions.map((draft): MemoryChange => ({ kind: "add", memory: recordOf(draft, this.#context) })),
        ...targets.map(({ memory, ...change }) => changeOf(memory, change)),
      ],
      events: [...this.#events],
      factsByTarget: new Map(targets.map(({ memory, facts }) => [memory.id, [...facts].sort()])),
      factByAddition: new Map(additions.map(({ incoming }, at) => [at, incoming.handle])),
    };
  }
}

interface TargetChange {
  readonly body?: FactBody;
  readonly patch: MemoryPatch;
  readonly provenance?: readonly Provenance[];
}

function recordOf(draft: AdditionDraft, { now, profile }: DraftContext): MemoryRecord {
  const { fact, id, scope, eventAt, provenance, citations } = draft.incoming;
  const { scope: _proposed, resolvedAt: _resolved, expires, evidence: _evidence, ...body } = fact;
  return {
    ...body,
    id,
    scope,
    status: draft.status,
    flags: [...draft.flags].sort(),
    pinned: false,
    humanEdited: false,
    version: 1,
    seen: 1,
    createdAt: now,
    updatedAt: now,
    confirmedAt: eventAt,
    eventAt,
    expiresAt: expires,
    supersededBy: draft.supersededBy,
    tombstonedAt: draft.supersededBy === null ? null : now,
    reason: draft.reason,
    conflictsWith: [...draft.conflictsWith].sort(),
    provenance,
    citations,
    profile,
  };
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
