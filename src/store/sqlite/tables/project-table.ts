/** Projects, and what happens to their rows when two of them turn out to be one. */
import { ArcticMemError } from "../../../core/errors.ts";
import { memoryId, type ProjectId, projectId } from "../../../core/ids.ts";
import type { MemoryChange, MemoryEvent } from "../../../core/lifecycle.ts";
import type { ProjectRow, ProjectTable } from "../../store.ts";
import { type Connection, integer, optionalText, storable, text } from "../connection.ts";
import { indexMemory, unindexChunk } from "../derived/unit-index.ts";
import type { SqlRow } from "../driver.ts";
import { applyChanges } from "./apply-changes.ts";
import { keyedRecords, LIVE } from "./memory-rows.ts";
import { projectInForce } from "./project-names.ts";

export class SqliteProjectTable implements ProjectTable {
  readonly #db: Connection;
  readonly #now: () => Date;

  constructor(db: Connection, now: () => Date) {
    this.#db = db;
    this.#now = now;
  }

  async upsert(project: ProjectRow): Promise<ProjectId> {
    const id = projectInForce(this.#db, project.id);
    if (id !== project.id) return id;
    const known = await this.get(id);
    const wanted = { ...project, name: storable(project.name) };
    if (known !== undefined && isSame(known, wanted)) return id;
    this.#db.write(["units"], () => {
      this.#db.run(
        `INSERT INTO projects (id, name, remote, root) VALUES (?, ?, ?, ?)
         ON CONFLICT (id) DO UPDATE SET name = excluded.name, remote = excluded.remote, root = excluded.root`,
        [id, wanted.name, wanted.remote, wanted.root],
      );
      if (known?.name !== wanted.name) this.#indexAgain(id);
    });
    return id;
  }

  /** A project's name stands in the text that is embedded for its memories. */
  #indexAgain(id: ProjectId): void {
    const rows = this.#db.all("SELECT * FROM memories WHERE scope = ?", [id]);
    for (const [key, memory] of keyedRecords(this.#db, rows)) indexMemory(this.#db, key, memory);
  }

  async get(id: ProjectId): Promise<ProjectRow | undefined> {
    const row = this.#db.get("SELECT * FROM projects WHERE id = ?", [projectInForce(this.#db, id)]);
    return row === undefined ? undefined : projectOf(row);
  }

  async list(): Promise<ProjectRow[]> {
    return this.#db.all("SELECT * FROM projects ORDER BY name, id").map(projectOf);
  }

  async merge(from: ProjectId, into: ProjectId): Promise<{ readonly memories: number; readonly files: number }> {
    return this.#db.write(["units", "vectors"], () => {
      const source = projectInForce(this.#db, from);
      const target = projectInForce(this.#db, into);
      this.#requireTwo(source, target);
      this.#retireDuplicates(source, target);
      const moved = { memories: this.#moveMemories(source, target), files: this.#moveFiles(source, target) };
      this.#db.run("UPDATE ingest_runs SET project = ? WHERE project = ?", [target, source]);
      this.#db.run("UPDATE project_aliases SET project = ? WHERE project = ?", [target, source]);
      this.#db.run("INSERT INTO project_aliases (alias, project) VALUES (?, ?)", [source, target]);
      this.#db.run("DELETE FROM projects WHERE id = ?", [source]);
      this.#indexAgain(target);
      return moved;
    });
  }

  #requireTwo(source: ProjectId, target: ProjectId): void {
    if (source === target) {
      throw new ArcticMemError("INPUT_INVALID", `${source} and ${target} are one project already`);
    }
    if (this.#db.get("SELECT 1 FROM projects WHERE id = ?", [target]) === undefined) {
      throw new ArcticMemError("INPUT_INVALID", `${target}: there is no such project`, {
        hint: "`arcticmem project list` shows the ones that are known.",
      });
    }
  }

  /** Two live memories of one text cannot stand in one project: the one that moves gives way, reversibly. */
  #retireDuplicates(source: ProjectId, target: ProjectId): void {
    const pairs = this.#db.all(
      `SELECT a.id AS id, a.version AS version, b.id AS kept FROM memories a
       JOIN memories b ON b.scope = ? AND b.type = a.type AND b.content_hash = a.content_hash
       WHERE a.scope = ? AND a.status IN ${LIVE} AND b.status IN ${LIVE}`,
      [target, source],
    );
    const at = this.#now();
    const reason = "The same memory stands in the project that this one was merged into.";
    const changes: MemoryChange[] = pairs.map((row) => ({
      kind: "restate",
      id: memoryId(text(row, "id")),
      expectedVersion: integer(row, "version"),
      patch: { status: "superseded", supersededBy: memoryId(text(row, "kept")), tombstonedAt: at, reason },
      provenance: [],
    }));
    const events = pairs.map((row): MemoryEvent => {
      const memory = memoryId(text(row, "id"));
      return { memory, kind: "superseded", run: null, actor: "user", rules: ["merge"], reason, at };
    });
    if (changes.length > 0) applyChanges(this.#db, { changes, events, now: at });
  }

  #moveMemories(source: ProjectId, target: ProjectId): number {
    return this.#db.run("UPDATE memories SET scope = ? WHERE scope = ?", [target, source]).changes;
  }

  /** Where both have a file of one path, the target's stays: the other comes back with the next scan if it is there. */
  #moveFiles(source: ProjectId, target: ProjectId): number {
    const doubled = "project = ? AND path IN (SELECT path FROM source_files WHERE project = ?)";
    for (const row of this.#db.all(`SELECT key FROM chunks WHERE ${doubled}`, [source, target])) {
      unindexChunk(this.#db, integer(row, "key"));
    }
    this.#db.run(`DELETE FROM chunks WHERE ${doubled}`, [source, target]);
    this.#db.run(`DELETE FROM source_files WHERE ${doubled}`, [source, target]);
    this.#db.run("UPDATE chunks SET project = ? WHERE project = ?", [target, source]);
    return this.#db.run("UPDATE source_files SET project = ? WHERE project = ?", [target, source]).changes;
  }
}

function projectOf(row: SqlRow): ProjectRow {
  return {
    id: projectId(text(row, "id")),
    name: text(row, "name"),
    remote: optionalText(row, "remote"),
    root: text(row, "root"),
  };
}

const isSame = (a: ProjectRow, b: ProjectRow): boolean =>
  a.name === b.name && a.remote === b.remote && a.root === b.root;
