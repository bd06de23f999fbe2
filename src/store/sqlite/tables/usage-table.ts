/** What was opened, and which verdicts there are. */
import { HARMFUL, stands, type UsageEvent, type UsageKind, VERDICTS } from "../../../core/findings/feedback.ts";
import { memoryId, type SessionId, sessionId } from "../../../core/ids.ts";
import type { VerdictCounts } from "../../../core/memory-record.ts";
import type { UsageTable } from "../../store.ts";
import { type Connection, date, integer, listOf, optionalText, text } from "../connection.ts";
import type { SqlRow } from "../driver.ts";
import { allOf, matching } from "./conditions.ts";

const UNKNOWN_SESSION = "";
/** As lists in SQL. `irrelevant` counts for nothing. */
const COUNTED = sqlList(["helped", ...HARMFUL]);
const ALL_VERDICTS = sqlList(VERDICTS);

function sqlList(kinds: readonly UsageKind[]): string {
  return `(${kinds.map((kind) => `'${kind}'`).join(", ")})`;
}

export class SqliteUsageTable implements UsageTable {
  readonly #db: Connection;

  constructor(db: Connection) {
    this.#db = db;
  }

  async add(event: UsageEvent, { wait = true }: { readonly wait?: boolean } = {}): Promise<boolean> {
    const work = (): boolean => this.#add(event);
    return wait ? this.#db.write([], work) : this.#db.writeAtOnce(work);
  }

  #add(event: UsageEvent): boolean {
    const row = this.#db.get("SELECT key FROM memories WHERE id = ?", [event.memory]);
    if (row === undefined) return false;
    const key = integer(row, "key");
    const { kind, who, host, at } = event;
    const session = event.session ?? UNKNOWN_SESSION;
    if (VERDICTS.some((verdict) => verdict === kind) && !this.#makeRoom(key, { kind, who, session })) return false;
    this.#db.run(
      "INSERT OR REPLACE INTO usage_events (memory, kind, session, who, host, at) VALUES (?, ?, ?, ?, ?, ?)",
      [key, kind, session, who, host, at.getTime()],
    );
    return true;
  }

  /** Takes away the voice's earlier verdict. @returns False where that one stands. */
  #makeRoom(key: number, { kind, who, session }: Pick<UsageEvent, "kind" | "who"> & { session: string }): boolean {
    const voice = `memory = ? AND session = ? AND who = ? AND kind IN ${ALL_VERDICTS}`;
    const parameters = [key, session, who];
    const said = this.#db.get(`SELECT kind FROM usage_events WHERE ${voice}`, parameters);
    if (said === undefined) return true;
    if (stands(text(said, "kind") as UsageKind, { kind, who })) return false;
    this.#db.run(`DELETE FROM usage_events WHERE ${voice}`, parameters);
    return true;
  }

  async withdraw({ memory, who }: Parameters<UsageTable["withdraw"]>[0]): Promise<void> {
    const ofMemory = "memory = (SELECT key FROM memories WHERE id = ?)";
    await this.#db.write([], () =>
      this.#db.run(`DELETE FROM usage_events WHERE ${ofMemory} AND who = ? AND kind IN ${ALL_VERDICTS}`, [memory, who]),
    );
  }

  async list({ memory, session, since }: Parameters<UsageTable["list"]>[0]): Promise<UsageEvent[]> {
    const { where, parameters } = allOf([
      ...matching("m.id = ?", memory),
      ...matching("u.session = ?", session === null ? UNKNOWN_SESSION : session),
      ...matching("u.at >= ?", since?.getTime()),
    ]);
    const rows = this.#db.all(
      `SELECT u.*, m.id AS id FROM usage_events u JOIN memories m ON m.key = u.memory WHERE ${where}
       ORDER BY u.at, u.memory, u.kind`,
      parameters,
    );
    return rows.map(eventOf);
  }
}

function eventOf(row: SqlRow): UsageEvent {
  return {
    memory: memoryId(text(row, "id")),
    kind: text(row, "kind") as UsageKind,
    who: text(row, "who") as UsageEvent["who"],
    session: sessionOf(text(row, "session")),
    host: optionalText(row, "host"),
    at: date(row, "at"),
  };
}

function sessionOf(value: string): SessionId | null {
  return value === UNKNOWN_SESSION ? null : sessionId(value);
}

/** Of the memories of which anything was said. */
export function verdictsOf(db: Connection, keys: readonly number[]): ReadonlyMap<number, VerdictCounts> {
  const rows = db.all(
    `SELECT memory, sum(kind = 'helped') AS helped, sum(kind <> 'helped') AS harmed FROM usage_events
     WHERE memory IN (SELECT value FROM json_each(?)) AND kind IN ${COUNTED} GROUP BY memory`,
    [listOf(keys)],
  );
  return new Map(
    rows.map((row) => [integer(row, "memory"), { helped: integer(row, "helped"), harmed: integer(row, "harmed") }]),
  );
}
