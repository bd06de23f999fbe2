/** Conditions of a query that depend on what a filter names. */
import type { SqlValue } from "../driver.ts";

/** One condition with its one parameter. */
export type Condition = readonly [sql: string, parameter: SqlValue];

/** The condition where there is a value for it; none where there is not. */
export function matching(sql: string, value: SqlValue | undefined): Condition[] {
  return value === undefined ? [] : [[sql, value]];
}

/** Of no condition everything. */
export function allOf(conditions: readonly Condition[]): {
  readonly where: string;
  readonly parameters: readonly SqlValue[];
} {
  return {
    where: conditions.map(([sql]) => sql).join(" AND ") || "1",
    parameters: conditions.map(([, parameter]) => parameter),
  };
}
