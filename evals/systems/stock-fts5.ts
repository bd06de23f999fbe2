/** Full-text search as a few lines of SQL give it: default tokenizer, the query's words OR-ed, `ORDER BY rank`. */
import { openDriver } from "../../src/internals.ts";
import type { EvalSet } from "../datasets/eval-set.ts";
import { DEPTH, type System } from "./system.ts";

export async function stockFts5({ documents }: EvalSet): Promise<System> {
  const driver = await openDriver({ path: ":memory:" });
  driver.exec("CREATE VIRTUAL TABLE docs USING fts5 (id UNINDEXED, grp UNINDEXED, text)");
  const insert = driver.prepare("INSERT INTO docs (id, grp, text) VALUES (?, ?, ?)");
  driver.transaction(() => {
    for (const { id, group, text } of documents) insert.run([id, group, text.replaceAll("\u0000", " ")]);
  });
  const select = driver.prepare(
    `SELECT id FROM docs WHERE docs MATCH ? AND grp = ? AND id <> ? ORDER BY rank LIMIT ${DEPTH}`,
  );
  return {
    name: "stock FTS5",
    rank: async ({ text, group, exclude }) => {
      const words = [...new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])].slice(0, 200);
      if (words.length === 0) return [];
      const match = words.map((word) => `"${word}"`).join(" OR ");
      return select.all([match, group, exclude ?? ""]).map((row) => String(row.id));
    },
  };
}
