/** `MemoryFilter` as SQL. */
import type { MemoryFilter } from "../../store.ts";
import { type Connection, listOf } from "../connection.ts";
import { allOf, type Condition, matching } from "./conditions.ts";
import { scopeText } from "./memory-rows.ts";
import { projectsInForce } from "./project-names.ts";

/** On `memories m`. */
export function memoryFilterSql(db: Connection, filter: MemoryFilter): ReturnType<typeof allOf> {
  return allOf([...scopeConditions(db, filter), ...otherConditions(filter)]);
}

/** Neither projects nor user given: everything. */
function scopeConditions(db: Connection, { projects, user }: MemoryFilter): Condition[] {
  if (projects === undefined && user !== true) return [];
  const scopes = [...projectsInForce(db, projects ?? []), ...(user === true ? [scopeText({ kind: "user" })] : [])];
  return [["m.scope IN (SELECT value FROM json_each(?))", listOf(scopes)]];
}

function otherConditions({ statuses, types, flags, pinned, session, run, since }: MemoryFilter): Condition[] {
  return [
    ...matching("m.status IN (SELECT value FROM json_each(?))", statuses && listOf(statuses)),
    ...matching("m.type IN (SELECT value FROM json_each(?))", types && listOf(types)),
    ...matching(
      "EXISTS (SELECT 1 FROM json_each(m.flags) f WHERE f.value IN (SELECT value FROM json_each(?)))",
      flags && listOf(flags),
    ),
    ...matching("m.pinned = ?", pinned === undefined ? undefined : Number(pinned)),
    ...matching("m.key IN (SELECT memory FROM memory_sources WHERE session = ?)", session),
    ...matching("m.key IN (SELECT memory FROM memory_sources WHERE run = ?)", run),
    ...matching("m.created_at >= ?", since?.getTime()),
  ];
}
