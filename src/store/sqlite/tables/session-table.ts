/** What sessions were shown, and what models have cost. */
import { type MemoryId, memoryId, type SessionId } from "../../../core/ids.ts";
import type { SessionTable, UsageEntry, UsageTotal } from "../../store.ts";
import { type Connection, integer, text } from "../connection.ts";

export class SqliteSessionTable implements SessionTable {
  readonly #db: Connection;

  constructor(db: Connection) {
    this.#db = db;
  }

  async markShown(session: SessionId, memories: readonly MemoryId[], at: Date): Promise<void> {
    if (memories.length === 0) return;
    this.#db.write([], () => {
      for (const memory of memories) {
        this.#db.run("INSERT INTO shown (session, memory, at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING", [
          session,
          memory,
          at.getTime(),
        ]);
      }
    });
  }

  async shown(session: SessionId): Promise<MemoryId[]> {
    const rows = this.#db.all("SELECT memory FROM shown WHERE session = ? ORDER BY at, memory", [session]);
    return rows.map((row) => memoryId(text(row, "memory")));
  }

  async usageSince(since: Date, until?: Date): Promise<UsageTotal> {
    const row =
      this.#db.get(
        `SELECT sum(calls) AS calls, sum(input_tokens) AS input, sum(output_tokens) AS output, total(cost) AS cost,
           count(*) - count(cost) AS unpriced FROM model_usage WHERE at >= ? AND at < ?`,
        [since.getTime(), until?.getTime() ?? Number.MAX_SAFE_INTEGER],
      ) ?? {};
    return {
      calls: integer(row, "calls"),
      inputTokens: integer(row, "input"),
      outputTokens: integer(row, "output"),
      cost: integer(row, "unpriced") > 0 ? null : Number(row.cost ?? 0),
    };
  }

  async addUsage({ at, run, session, model, calls, inputTokens, outputTokens, cost }: UsageEntry): Promise<void> {
    this.#db.write([], () => {
      this.#db.run(
        `INSERT INTO model_usage (at, run, session, model, calls, input_tokens, output_tokens, cost)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
        [at.getTime(), run, session, model, calls, inputTokens, outputTokens, cost],
      );
    });
  }
}
