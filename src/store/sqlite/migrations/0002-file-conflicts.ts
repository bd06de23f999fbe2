/**
 * What rules files and memories disagree on, derived from both: a row holds as long as both sides read as they did when it
 * was found. The other tables say which texts were looked at, so that each is looked at once.
 */
import type { Migration } from "./migration.ts";

const SQL = `
CREATE TABLE file_conflicts (
  memory INTEGER NOT NULL REFERENCES memories (key) ON DELETE CASCADE,
  chunk INTEGER NOT NULL REFERENCES chunks (key) ON DELETE CASCADE,
  version INTEGER NOT NULL,
  content_hash TEXT NOT NULL,
  kind TEXT NOT NULL,
  line INTEGER NOT NULL,
  file_says TEXT NOT NULL,
  memory_says TEXT NOT NULL,
  PRIMARY KEY (memory, chunk)
) STRICT, WITHOUT ROWID;
CREATE INDEX file_conflicts_by_chunk ON file_conflicts (chunk);

CREATE TABLE checked_memories (
  memory INTEGER NOT NULL REFERENCES memories (key) ON DELETE CASCADE,
  project TEXT NOT NULL,
  stamp TEXT NOT NULL,
  PRIMARY KEY (memory, project)
) STRICT, WITHOUT ROWID;

CREATE TABLE checked_chunks (
  chunk INTEGER PRIMARY KEY REFERENCES chunks (key) ON DELETE CASCADE,
  stamp TEXT NOT NULL
) STRICT;
`;

export const fileConflicts: Migration = { name: "file-conflicts", sql: SQL };
