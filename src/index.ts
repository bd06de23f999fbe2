/**
 * The library: what a program may build on. Everything else is internal; `internals.ts` is for measuring, without promise.
 */
export { type Config, DEFAULT_CONFIG } from "./config/config.ts";
export { ArcticMemError, type ErrorCode, ModelError } from "./core/errors.ts";
export type { MemoryId, ProjectId, RunId, SessionId } from "./core/ids.ts";
export type {
  AddResult,
  EraseSelection,
  Freshness,
  IngestOptions,
  ListRequest,
  Memory,
  MemoryView,
  NewNote,
  NoteEdit,
  ProjectView,
  SearchRequest,
  SessionStart,
  SessionStartContext,
  SpoolEntry,
  WhyReport,
  WorkReport,
} from "./core/memory.ts";
export {
  type Fact,
  type FactBody,
  type FactType,
  handleOf,
  type MemoryRecord,
  type MemoryStatus,
  type Provenance,
  type Scope,
} from "./core/memory-record.ts";
export type { SearchAnswer, SearchHit } from "./core/query.ts";
export type { IndexReport, IngestReport, RunRecord, StatusReport } from "./core/report.ts";
export { type OpenMemoryOptions, openMemory } from "./memory.ts";
export type { Embedder } from "./models/embedder.ts";
export type { LanguageModel } from "./models/language-model.ts";
