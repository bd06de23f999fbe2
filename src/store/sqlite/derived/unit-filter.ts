/** Who may answer, as SQL: scope and status are applied before anything is ranked. */
import type { UnitFilter } from "../../store.ts";
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
    where: isIn("u.project", filter.projects),
    parameters: filter.projects,
  };
}

function factFilter(filter: UnitFilter): FilterSql {
  const scopes = [...filter.projects, ...(filter.user ? [scopeText({ kind: "user" })] : [])];
  const conditions = [isIn("u.scope", scopes)];
  const parameters: SqlValue[] = [...scopes];
  if (filter.asOf === undefined) {
    conditions.push(isIn("u.status", filter.statuses));
    parameters.push(...filter.statuses);
  } else {
    conditions.push("u.created_at <= ?", isIn(STATUS_THEN, filter.statuses));
    parameters.push(filter.asOf.getTime(), filter.asOf.getTime(), ...filter.statuses);
  }
  if (filter.types !== undefined) {
    conditions.push(isIn("u.type", filter.types));
    parameters.push(...filter.types);
  }
  return { table: "memories u", where: conditions.join(" AND "), parameters };
}

/** The first state that was left after that moment is the one that held then. */
const STATUS_THEN = `coalesce(
  (SELECT v.status FROM memory_versions v WHERE v.memory = u.key AND v.until > ? ORDER BY v.revision LIMIT 1), u.status)`;

/** Few values as parameters of their own: cheaper than a list that SQLite has to unpack for each query. */
function isIn(expression: string, values: readonly SqlValue[]): string {
  return `${expression} IN (${values.map(() => "?").join(", ")})`;
}
