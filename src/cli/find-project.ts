/** Which project a person means: by id, by name where it is unique, by folder, or `.` for the current one. */
import { resolve } from "node:path";
import { ArcticMemError } from "../core/errors.ts";
import type { Memory } from "../core/memory.ts";

type ListedProject = Awaited<ReturnType<Memory["project"]["list"]>>[number];

/** @throws {ArcticMemError} `USAGE` when no project, or more than one, answers to `wanted`. */
export async function findProject(memory: Memory, wanted: string): Promise<ListedProject> {
  const projects = await memory.project.list();
  const exact = projects.find((project) => project.id === wanted);
  if (exact !== undefined) return exact;
  if (wanted === ".") {
    const current = await memory.project.current();
    return projects.find((project) => project.id === current.id) ?? { ...current, memories: 0 };
  }
  const matches = projects.filter((project) => project.name === wanted || project.root === resolve(wanted));
  const [only, ...more] = matches;
  if (only !== undefined && more.length === 0) return only;
  throw new ArcticMemError(
    "USAGE",
    only === undefined ? `No project is called ${wanted}.` : `${matches.length} projects are called ${wanted}.`,
    { hint: "`arcticmem project list` shows the ids." },
  );
}
