/** From what a person or an agent calls a memory to the memory: `L-7f3k2q`, `7f3k`, or the whole id. */
import { ArcticMemError } from "../core/errors.ts";
import { handleOf, type MemoryRecord, type Scope } from "../core/memory-record.ts";
import type { Workbench } from "./workbench.ts";

/** A type's letter and a dash may stand before the id; case does not matter, and o, i, l are read as 0, 1, 1. */
const HANDLE = /^(?:[a-z]-)?([0-9a-z]{2,12})$/;

/**
 * Looks in the current project and among the user's own memories: what belongs to another project is not opened from
 * here.
 *
 * @throws {ArcticMemError} `INPUT_INVALID`, `MEMORY_NOT_FOUND`, `MEMORY_AMBIGUOUS`.
 */
export async function resolveHandle(bench: Workbench, handle: string): Promise<MemoryRecord> {
  const found = await (await bench.store()).memories.findByPrefix(idPrefixOf(handle));
  const project = await bench.projectId();
  const visible = found.filter(({ scope }) => scope.kind === "user" || scope.project === project);
  const [memory, ...others] = visible;
  if (memory !== undefined && others.length === 0) return memory;
  if (memory !== undefined) {
    const names = visible.map((one) => `${handleOf(one)} ${one.title}`).join("; ");
    throw new ArcticMemError("MEMORY_AMBIGUOUS", `${handle} fits several memories: ${names}.`, {
      hint: "Give more characters of the id.",
    });
  }
  throw new ArcticMemError("MEMORY_NOT_FOUND", `There is no memory ${handle} in this project.`, {
    hint: hintFor(found[0]?.scope),
  });
}

function idPrefixOf(handle: string): string {
  const [, id] = HANDLE.exec(handle.trim().toLowerCase()) ?? [];
  if (id !== undefined) return id.replaceAll("o", "0").replaceAll("i", "1").replaceAll("l", "1");
  throw new ArcticMemError("INPUT_INVALID", `${JSON.stringify(handle.slice(0, 40))} is no memory's id.`, {
    hint: "Ids look like L-7f3k2q, or two of its characters and more; `arcticmem list` shows them.",
  });
}

function hintFor(elsewhere: Scope | undefined): string {
  return elsewhere?.kind === "project"
    ? `A memory of that id belongs to the project ${elsewhere.project}: run the command there.`
    : "`arcticmem list` shows the memories of this project; a forgotten one needs `--status forgotten`.";
}
