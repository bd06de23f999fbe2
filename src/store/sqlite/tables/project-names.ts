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
  return text(db.get("SELECT name FROM projects WHERE id = ?", [scope.project]), "name");
}

/** The same for searches, which ask often: read again only when something has changed. */
export class ProjectAliases {
  readonly #db: Connection;
  #targets: ReadonlyMap<string, ProjectId> = new Map();
  #stamp = -1;

  constructor(db: Connection) {
    this.#db = db;
  }

  inForce(ids: readonly ProjectId[]): ProjectId[] {
    const { units } = this.#db.stamps();
    if (units !== this.#stamp) {
      const rows = this.#db.all("SELECT alias, project FROM project_aliases");
      this.#targets = new Map(rows.map((row) => [text(row, "alias"), projectId(text(row, "project"))]));
      this.#stamp = units;
    }
    return [...new Set(ids.map((id) => this.#targets.get(id) ?? id))];
  }
}
