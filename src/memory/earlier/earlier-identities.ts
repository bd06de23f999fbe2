/**
 * A folder whose identity changes, by `git init` or another remote, would seem to have lost its memories. What was known
 * by its path alone comes along; another remote may be another project, so that the user is told and decides.
 */
import type { ProjectId } from "../../core/ids.ts";
import { LIVE_STATUSES } from "../../core/memory-record.ts";
import type { ProjectIdentity } from "../../project/identity.ts";
import type { Store } from "../../store/store.ts";

/** What is asked of a memory's workbench. */
export interface EarlierDeps {
  store(): Promise<Store>;
  identity(): Promise<ProjectIdentity>;
  projectId(): Promise<ProjectId>;
}

/** Memories filed under the path of this checkout move to the identity it has now, the first time it is seen. Never throws. */
export async function carryOver(bench: Pick<EarlierDeps, "store">, identity: ProjectIdentity): Promise<void> {
  if (identity.by === "override") return;
  const { id, name, remote, root } = identity;
  try {
    const { projects } = await bench.store();
    if ((await projects.get(id)) !== undefined) return;
    const { pathProjectIds } = await import("../../project/identity.ts");
    for (const old of pathProjectIds(identity)) {
      if (old === id || (await projects.get(old))?.id !== old) continue;
      await projects.merge(old, await projects.upsert({ id, name, remote, root }));
    }
  } catch {
    // A store that can't be written now, or another process that did the same: `leftBehind` tells what is left.
  }
}

/** @returns A sentence for each project that has memories, this same folder, and another identity. */
export async function leftBehind(bench: EarlierDeps): Promise<string[]> {
  const { projects, memories } = await bench.store();
  const [{ root }, current] = [await bench.identity(), await bench.projectId()];
  const others = (await projects.list()).filter((project) => project.root === root && project.id !== current);
  const counts = await Promise.all(others.map(({ id }) => memories.count({ projects: [id], statuses: LIVE_STATUSES })));
  return others.flatMap(({ id }, at) => {
    const count = counts[at] ?? 0;
    const what = count === 1 ? "1 memory of this folder is" : `${count} memories of this folder are`;
    return count === 0 ? [] : [`${what} filed under ${id}: \`arcticmem project merge ${id} .\` takes them along`];
  });
}
