/**
 * The first shape of a store. Canonical tables hold what cannot be made again; derived ones hold what
 * `rebuildDerived` and the embedding pass make of them.
 */
import type { Migration } from "./migration.ts";

const CANONICAL = `
CREATE TABLE projects (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  remote TEXT,
  root TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE project_aliases (
  alias TEXT PRIMARY KEY,
  project TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE memories (
  key INTEGER PRIMARY KEY AUTOINCREMENT,
  scope TEXT NOT NULL,
  status TEXT NOT NULL,
  type TEXT NOT NULL,
  pinned INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  tombstoned_at INTEGER,
  id TEXT NOT NULL UNIQUE,
  version INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  content_hash TEXT NOT NULL,
  polarity TEXT NOT NULL,
  title TEXT NOT NULL,
  flags TEXT NOT NULL,
  human_edited INTEGER NOT NULL,
  source TEXT NOT NULL,
  trust INTEGER NOT NULL,
  confidence REAL NOT NULL,
  seen INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  confirmed_at INTEGER NOT NULL,
  event_at INTEGER NOT NULL,
  expires_at INTEGER,
  superseded_by TEXT,
  reason TEXT,
  conflicts_with TEXT NOT NULL,
  profile TEXT NOT NULL,
  symbols TEXT NOT NULL,
  when_to_use TEXT NOT NULL,
  when_not TEXT,
  applies_if TEXT,
  content TEXT NOT NULL,
  why TEXT NOT NULL,
  how_to_apply TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX memories_one_live_text ON memories (scope, type, content_hash)
  WHERE status IN ('active', 'provisional', 'disputed');
CREATE INDEX memories_by_content ON memories (content_hash, scope);
CREATE INDEX memories_by_gate ON memories (scope, status, type, key);

CREATE TABLE memory_versions (
  memory INTEGER NOT NULL REFERENCES memories (key) ON DELETE CASCADE,
  revision INTEGER NOT NULL,
  status TEXT NOT NULL,
  until INTEGER NOT NULL,
  run TEXT,
  snapshot TEXT NOT NULL,
  PRIMARY KEY (memory, revision)
) STRICT, WITHOUT ROWID;

CREATE TABLE memory_sources (
  memory INTEGER NOT NULL REFERENCES memories (key) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  kind TEXT NOT NULL,
  host TEXT,
  session TEXT,
  run TEXT,
  turn INTEGER,
  quote TEXT,
  transcript TEXT,
  extractor TEXT NOT NULL,
  at INTEGER NOT NULL,
  excerpt TEXT,
  PRIMARY KEY (memory, position)
) STRICT, WITHOUT ROWID;
CREATE INDEX memory_sources_by_session ON memory_sources (session) WHERE session IS NOT NULL;
CREATE INDEX memory_sources_by_run ON memory_sources (run) WHERE run IS NOT NULL;

CREATE TABLE citations (
  memory INTEGER NOT NULL REFERENCES memories (key) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  path TEXT NOT NULL,
  symbol TEXT,
  line_hash TEXT,
  PRIMARY KEY (memory, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE memory_events (
  key INTEGER PRIMARY KEY,
  memory TEXT NOT NULL,
  kind TEXT NOT NULL,
  run TEXT,
  actor TEXT NOT NULL,
  rules TEXT NOT NULL,
  reason TEXT,
  before_hash TEXT,
  after_hash TEXT,
  at INTEGER NOT NULL
) STRICT;
CREATE INDEX memory_events_by_memory ON memory_events (memory);
CREATE INDEX memory_events_by_run ON memory_events (run) WHERE run IS NOT NULL;

CREATE TABLE erased (
  content_hash TEXT PRIMARY KEY,
  erased_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE ingest_runs (
  id TEXT PRIMARY KEY,
  host TEXT NOT NULL,
  session TEXT NOT NULL,
  digest TEXT NOT NULL,
  profile TEXT NOT NULL,
  extractor TEXT NOT NULL,
  project TEXT,
  transcript TEXT NOT NULL,
  status TEXT NOT NULL,
  final INTEGER NOT NULL,
  attempts INTEGER NOT NULL,
  max_attempts INTEGER NOT NULL,
  owner TEXT,
  lease_until INTEGER,
  not_before INTEGER,
  watermark INTEGER NOT NULL,
  report TEXT,
  error TEXT,
  updated_at INTEGER NOT NULL,
  UNIQUE (host, session, digest, profile, extractor)
) STRICT, WITHOUT ROWID;
CREATE INDEX ingest_runs_by_status ON ingest_runs (status, updated_at);

CREATE TABLE source_files (
  project TEXT NOT NULL,
  path TEXT NOT NULL,
  content_hash TEXT NOT NULL,
  bytes INTEGER NOT NULL,
  modified_at REAL NOT NULL,
  loaded_by TEXT NOT NULL,
  PRIMARY KEY (project, path)
) STRICT, WITHOUT ROWID;

CREATE TABLE chunks (
  key INTEGER PRIMARY KEY AUTOINCREMENT,
  project TEXT NOT NULL,
  path TEXT NOT NULL,
  position INTEGER NOT NULL,
  id TEXT NOT NULL,
  start_line INTEGER NOT NULL,
  end_line INTEGER NOT NULL,
  content_hash TEXT NOT NULL,
  headings TEXT NOT NULL,
  symbols TEXT NOT NULL,
  text TEXT NOT NULL
) STRICT;
CREATE INDEX chunks_by_file ON chunks (project, path, position);

CREATE TABLE settings (
  key TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE shown (
  session TEXT NOT NULL,
  memory TEXT NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (session, memory)
) STRICT, WITHOUT ROWID;

CREATE TABLE model_usage (
  key INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  run TEXT,
  session TEXT,
  model TEXT NOT NULL,
  calls INTEGER NOT NULL,
  input_tokens INTEGER NOT NULL,
  output_tokens INTEGER NOT NULL,
  cost REAL
) STRICT;
CREATE INDEX model_usage_by_time ON model_usage (at);
`;

/** Words come in split and folded by `src/text/words.ts`, so the simplest tokenizer serves both engines alike. */
const WORDS = "tokenize = 'ascii', content = '', contentless_delete = 1";
const TRIGRAMS = "tokenize = 'trigram', content = '', contentless_delete = 1";

const DERIVED = `
CREATE VIRTUAL TABLE fact_words USING fts5 (title, when_to_use, symbols, content, how_to_apply, why, ${WORDS});
CREATE VIRTUAL TABLE chunk_words USING fts5 (headings, symbols, content, ${WORDS});
CREATE VIRTUAL TABLE fact_trigrams USING fts5 (content, ${TRIGRAMS});
CREATE VIRTUAL TABLE chunk_trigrams USING fts5 (content, ${TRIGRAMS});
CREATE VIRTUAL TABLE fact_terms USING fts5vocab (fact_words, instance);
CREATE VIRTUAL TABLE chunk_terms USING fts5vocab (chunk_words, instance);

CREATE TABLE symbols (
  unit INTEGER NOT NULL,
  form TEXT NOT NULL,
  key INTEGER NOT NULL,
  PRIMARY KEY (unit, form, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX symbols_by_key ON symbols (unit, key);

CREATE TABLE unit_lengths (
  unit INTEGER NOT NULL,
  key INTEGER NOT NULL,
  words INTEGER NOT NULL,
  PRIMARY KEY (unit, key)
) STRICT, WITHOUT ROWID;

CREATE TABLE unit_texts (
  unit INTEGER NOT NULL,
  key INTEGER NOT NULL,
  slot INTEGER NOT NULL,
  text_hash TEXT NOT NULL,
  PRIMARY KEY (unit, key, slot, text_hash)
) STRICT, WITHOUT ROWID;

CREATE TABLE embedders (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  fingerprint TEXT NOT NULL UNIQUE,
  dimensions INTEGER NOT NULL,
  active INTEGER NOT NULL
) STRICT;

CREATE TABLE vector_blocks (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  embedder INTEGER NOT NULL REFERENCES embedders (id) ON DELETE CASCADE,
  unit INTEGER NOT NULL,
  slot INTEGER NOT NULL,
  change INTEGER NOT NULL,
  live INTEGER NOT NULL,
  keys BLOB NOT NULL,
  scales BLOB NOT NULL,
  codes BLOB NOT NULL
) STRICT;
CREATE INDEX vector_blocks_by_shelf ON vector_blocks (embedder, unit, slot, live);
CREATE INDEX vector_blocks_by_change ON vector_blocks (change);

CREATE TABLE vector_places (
  unit INTEGER NOT NULL,
  key INTEGER NOT NULL,
  slot INTEGER NOT NULL,
  text_hash TEXT NOT NULL,
  embedder INTEGER NOT NULL REFERENCES embedders (id) ON DELETE CASCADE,
  block INTEGER NOT NULL,
  place INTEGER NOT NULL,
  PRIMARY KEY (unit, key, slot, text_hash, embedder)
) STRICT, WITHOUT ROWID;
CREATE INDEX vector_places_by_text ON vector_places (embedder, text_hash);

CREATE TABLE change_stamps (
  name TEXT PRIMARY KEY,
  value INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
`;

export const firstTables: Migration = { name: "first-tables", sql: CANONICAL + DERIVED };
