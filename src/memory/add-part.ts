/** What a person, or an agent on a person's behalf, wants kept. */
import type { AddResult, NewNote } from "../core/memory.ts";
import { profileKey } from "../core/profile.ts";
import { embedded, writeDeps } from "./keep-part.ts";
import { resolveHandle } from "./resolve-handle.ts";
import type { Workbench } from "./workbench.ts";

export async function addMemory(bench: Workbench, note: NewNote): Promise<AddResult> {
  const [{ addNote }, deps, profile] = await Promise.all([
    import("../keep/add-note.ts"),
    writeDeps(bench),
    bench.profile(),
  ]);
  const project = await bench.registerProject();
  const result = await addNote({ ...deps, profile: profileKey(profile) }, await withSuccessor(bench, note), project);
  return note.embed === false ? result : embedded(bench, result);
}

/** The successor by its whole id. @throws {ArcticMemError} where there is none of that name. */
async function withSuccessor(bench: Workbench, note: NewNote): Promise<NewNote> {
  const successor = note.standing?.supersededBy;
  if (successor === undefined) return note;
  const { id } = await resolveHandle(bench, successor);
  return { ...note, standing: { ...note.standing, supersededBy: id } };
}
