/** What a person, or an agent on a person's behalf, wants kept. */
import type { AddResult, NewNote } from "../core/memory.ts";
import { profileKey } from "../core/profile.ts";
import { embedded, keepDeps } from "./keep-part.ts";
import type { Workbench } from "./workbench.ts";

export async function addMemory(bench: Workbench, note: NewNote): Promise<AddResult> {
  const [{ addNote }, { createRedactor }, profile] = await Promise.all([
    import("../keep/add-note.ts"),
    import("../text/redact.ts"),
    bench.profile(),
  ]);
  const deps = { ...(await keepDeps(bench)), redactor: createRedactor(), profile: profileKey(profile) };
  return embedded(bench, await addNote(deps, note, await bench.registerProject()));
}
