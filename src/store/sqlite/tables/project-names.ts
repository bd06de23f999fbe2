/** What other tables need of projects: the id in force after merges, and the name. */
import { type ProjectId, projectId } from "../../../core/ids.ts";
import type { Scope } from "../../../core/memory-record.ts";
import { type Connection, text } from "../connection.ts";

/** An id that was merged into another stands for that one. */
export function projectInForce(db: Connection, id: ProjectId): ProjectId {
  const row = db.get("SELECT project FROM project_aliases WHERE alias = ?", [id]);
  return row === undefined ? id : projectId(text(row, "project"));
}

export function projectsInForce(db: Connection, ids: readonly ProjectId[]): ProjectId[] {
  return [...new Set(ids.map((id) => projectInForce(db, id)))];
}

export function scopeInForce(db: Connection, scope: Scope): Scope {
  return scope.kind === "user" ? scope : { kind: "project", project: projectInForce(db, scope.project) };
}

/** Empty for the user's scope and for a project that was never named. */
export function projectNameOf(db: Connection, scope: Scope): string {
  if (scope.kind === "user") return "";
  return text(db.get("SELECT name FROM projects WHERE id = ?", [scope.project]) ?? {}, "name");
}
