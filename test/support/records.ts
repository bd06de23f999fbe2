/** Whole records from the few fields that a test is about. */
import type { Chunk } from "../../src/core/chunk.ts";
import { chunkId, memoryId, projectId } from "../../src/core/ids.ts";
import type { MemoryRecord } from "../../src/core/memory-record.ts";
import type { SearchHit } from "../../src/core/query.ts";

export const PROJECT = projectId("git:example.com/acme/billing");
export const NOW = new Date("2026-03-02T12:00:00Z");

const DAY_MS = 86_400_000;

export function daysAgo(days: number): Date {
  return new Date(NOW.getTime() - days * DAY_MS);
}

/** `number` makes the id: memories of one number are one memory. */
export function aMemory(number: number, fields: Partial<MemoryRecord> = {}): MemoryRecord {
  const at = daysAgo(0);
  return {
    id: memoryId(`${String(number).padStart(6, "0")}zzzzzz`),
    type: "lesson",
    polarity: "do",
    title: `Title ${number}`,
    content: `Content of number ${number}`,
    why: "",
    howToApply: "",
    whenToUse: [],
    whenNot: null,
    appliesIf: null,
    symbols: [],
    scope: { kind: "project", project: PROJECT },
    status: "active",
    flags: [],
    pinned: false,
    humanEdited: false,
    source: "agent_inferred",
    trust: 2,
    confidence: 0.8,
    version: 1,
    seen: 1,
    createdAt: at,
    updatedAt: at,
    confirmedAt: at,
    eventAt: at,
    expiresAt: null,
    supersededBy: null,
    tombstonedAt: null,
    reason: null,
    conflictsWith: [],
    provenance: [],
    citations: [],
    profile: "coding",
    ...fields,
  };
}

export function aChunk(number: number, fields: Partial<Chunk> = {}): Chunk {
  return {
    id: chunkId(`chunk-${number}`),
    project: PROJECT,
    path: "AGENTS.md",
    headings: ["Guide"],
    text: `Text of piece ${number}`,
    startLine: number * 10,
    endLine: number * 10 + 5,
    contentHash: `hash-${number}`,
    symbols: [],
    ...fields,
  };
}

export function factHit(memory: MemoryRecord, score = 1): SearchHit & { readonly unit: "fact" } {
  return { score, unit: "fact", memory };
}

export function chunkHit(chunk: Chunk, score = 1): SearchHit & { readonly unit: "chunk" } {
  return { score, unit: "chunk", chunk };
}
