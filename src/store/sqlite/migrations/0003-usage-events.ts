/** How memories were used, and what agents and people said of that. A session that is not known is the empty text. */
import type { Migration } from "./migration.ts";

const SQL = `
CREATE TABLE usage_events (
  memory INTEGER NOT NULL REFERENCES memories (key) ON DELETE CASCADE,
  kind TEXT NOT NULL,
  session TEXT NOT NULL,
  who TEXT NOT NULL,
  host TEXT,
  at INTEGER NOT NULL,
  PRIMARY KEY (memory, kind, session, who)
) STRICT, WITHOUT ROWID;
CREATE INDEX usage_events_by_session ON usage_events (session, at);
`;

export const usageEvents: Migration = { name: "usage-events", sql: SQL };
