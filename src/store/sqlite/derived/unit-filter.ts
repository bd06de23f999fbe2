/** Who may answer, as SQL: scope and status are applied before anything is ranked. */

import type { UnitFilter } from "../../store.ts";
import { listOf } from "../connection.ts";
import type { SqlValue } from "../driver.ts";
import { scopeText } from "../tables/memory-rows.ts";

export interface FilterSql {
  /** The table with the units, and its alias `u`. */
  readonly table: string;
  readonly where: string;
  readonly parameters: readonly SqlValue[];
}

/** @param filter - With ids of projects as they are now, not as they were before a merge. */
export function filterSql(filter: UnitFilter): FilterSql {
  return filter.unit === "fact" ? factFilter(filter) : chunkFilter(filter);
}

function chunkFilter(filter: UnitFilter): FilterSql {
  return {
    table: "chunks u",
    where: "u.project IN (SELECT value FROM json_each(?))",
    parameters: [listOf(filter.projects)],
  };
}

function factFilter(filter: UnitFilter): FilterSql {
  const scopes = [...filter.projects, ...(filter.user ? [scopeText({ kind: "user" })] : [])];
  const conditions = ["u.scope IN (SELECT value FROM json_each(?))"];
  const parameters: SqlValue[] = [listOf(scopes)];
  if (filter.asOf === undefined) {
    conditions.push("u.status IN (SELECT value FROM json_each(?))");
    parameters.push(listOf(filter.statuses));
  } else {
    conditions.push("u.created_at <= ?", `${STATUS_THEN} IN (SELECT value FROM json_each(?))`);
    parameters.push(filter.asOf.getTime(), filter.asOf.getTime(), listOf(filter.statuses));
  }
  if (filter.types !== undefined) {
    conditions.push("u.type IN (SELECT value FROM json_each(?))");
    parameters.push(listOf(filter.types));
  }
  return { table: "memories u", where: conditions.join(" AND "), parameters };
}

/** The first state that was left after that moment is the one that held then. */
const STATUS_THEN = `coalesce(
  (SELECT v.status FROM memory_versions v WHERE v.memory = u.key AND v.until > ? ORDER BY v.revision LIMIT 1), u.status)`;
