/** `MemoryFilter` as SQL. */
import type { MemoryFilter } from "../../store.ts";
import { type Connection, listOf } from "../connection.ts";
import type { SqlValue } from "../driver.ts";
import { scopeText } from "./memory-rows.ts";
import { projectsInForce } from "./project-names.ts";

export interface MemoryFilterSql {
  /** On `memories m`. */
  readonly where: string;
  readonly parameters: readonly SqlValue[];
}

/** One condition with its parameter. */
type Condition = readonly [sql: string, parameter: SqlValue];

export function memoryFilterSql(db: Connection, filter: MemoryFilter): MemoryFilterSql {
  const conditions = [...scopeConditions(db, filter), ...otherConditions(filter)];
  return {
    where: conditions.length === 0 ? "1" : conditions.map(([sql]) => sql).join(" AND "),
    parameters: conditions.map(([, parameter]) => parameter),
  };
}

/** Neither projects nor user given: everything. */
function scopeConditions(db: Connection, { projects, user }: MemoryFilter): Condition[] {
  if (projects === undefined && user !== true) return [];
  const scopes = [...projectsInForce(db, projects ?? []), ...(user === true ? [scopeText({ kind: "user" })] : [])];
  return [["m.scope IN (SELECT value FROM json_each(?))", listOf(scopes)]];
}

function otherConditions({ statuses, types, flags, pinned, session, run, since }: MemoryFilter): Condition[] {
  const conditions: Condition[] = [];
  if (statuses !== undefined) conditions.push(["m.status IN (SELECT value FROM json_each(?))", listOf(statuses)]);
  if (types !== undefined) conditions.push(["m.type IN (SELECT value FROM json_each(?))", listOf(types)]);
  if (flags !== undefined) {
    conditions.push([
      "EXISTS (SELECT 1 FROM json_each(m.flags) f WHERE f.value IN (SELECT value FROM json_each(?)))",
      listOf(flags),
    ]);
  }
  if (pinned !== undefined) conditions.push(["m.pinned = ?", Number(pinned)]);
  if (session !== undefined)
    conditions.push([`m.key IN (SELECT memory FROM memory_sources WHERE session = ?)`, session]);
  if (run !== undefined) conditions.push(["m.key IN (SELECT memory FROM memory_sources WHERE run = ?)", run]);
  if (since !== undefined) conditions.push(["m.created_at >= ?", since.getTime()]);
  return conditions;
}
