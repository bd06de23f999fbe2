/** What a person, or an agent on a person's behalf, wants kept. */
import type { AddResult, NewNote } from "../core/memory.ts";
import { profileKey } from "../core/profile.ts";
import { embedded, writeDeps } from "./keep-part.ts";
import type { Workbench } from "./workbench.ts";

export async function addMemory(bench: Workbench, note: NewNote): Promise<AddResult> {
  const [{ addNote }, deps, profile] = await Promise.all([
    import("../keep/add-note.ts"),
    writeDeps(bench),
    bench.profile(),
  ]);
  const project = await bench.registerProject();
  return embedded(bench, await addNote({ ...deps, profile: profileKey(profile) }, note, project));
}
