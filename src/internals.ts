/**
 * What evals and benches measure beside the public doors: single parts, with settings that no door offers. No promise
 * is made about it, and nothing in the package imports it.
 */
export type { Chunk, SourceFile } from "./core/chunk.ts";
export { ModelError } from "./core/errors.ts";
export { given } from "./core/given.ts";
export { sha256 } from "./core/hash.ts";
export { chunkId, memoryId, type ProjectId, projectId } from "./core/ids.ts";
export type { FactType, MemoryRecord } from "./core/memory-record.ts";
export type { Arm, SearchAnswer, SearchHit, SearchQuery, UnitKind } from "./core/query.ts";
export type { IngestReport } from "./core/report.ts";
export type { Outcome, OutcomeLabel, Session } from "./core/session.ts";
export { VectorScanner } from "./kernel/vector-scanner.ts";
export { readTranscript } from "./memory/for-ingest/read-transcript.ts";
export { embedMissing, embedShaded } from "./memory/models/embed-missing.ts";
export { openMemory } from "./memory.ts";
export { createOpenAiCompatibleModel } from "./models/adapters/openai-compatible.ts";
export type { Embedder } from "./models/embedder.ts";
export type { LanguageModel, ModelReply, ModelRequest } from "./models/language-model.ts";
export { MiniLmEmbedder } from "./models/minilm/minilm-embedder.ts";
export type { FusionKind } from "./retrieve/fuse-rankings.ts";
export { wilsonLow } from "./retrieve/rank/adjust-scores.ts";
export { type SearchDeps, search } from "./retrieve/search.ts";
export { type RankStep, type RetrievalSettings, settingsFor, type UnitSettings } from "./retrieve/settings.ts";
export { textHash } from "./store/sqlite/derived/unit-index.ts";
export { SLOT_CODES, UNIT_CODES } from "./store/sqlite/derived/units.ts";
export { openDriver } from "./store/sqlite/open-driver.ts";
export { openSqliteStore } from "./store/sqlite/open-store.ts";
export type { MissingVector, NewVector, Store } from "./store/store.ts";
export { cleanLine } from "./text/clean.ts";
export type { StatedMemory } from "./text/conflicts/claim.ts";
export { type Contradiction, contradicts } from "./text/conflicts/contradicts.ts";
export { extractSymbols } from "./text/symbols.ts";
