/** Which project is worked in, and what people can say about it. */
import { ArcticMemError } from "../core/errors.ts";
import { type ProjectId, projectId } from "../core/ids.ts";
import type { ProjectPart, ProjectView } from "../core/memory.ts";
import { LIVE_STATUSES } from "../core/memory-record.ts";
import type { ProjectIdentity } from "../project/identity.ts";
import { leftBehind } from "./earlier/earlier-identities.ts";
import { acceptedKey, type Workbench } from "./workbench.ts";

export function openProjectPart(bench: Workbench): ProjectPart {
  return {
    current: async () => viewOf(await bench.identity(), await bench.projectId()),
    list: async () => {
      const { projects, memories } = await bench.store();
      const rows = await projects.list();
      return Promise.all(
        rows.map(async ({ id, name, root }) => ({
          id,
          name,
          root,
          memories: await memories.count({ projects: [id], statuses: LIVE_STATUSES }),
        })),
      );
    },
    leftBehind: () => leftBehind(bench),
    acceptOverride: () => acceptOverride(bench),
    merge: async (from, into) => {
      const { projects } = await bench.store();
      return projects.merge(await knownProject(bench, from), await knownProject(bench, into));
    },
    move: (from, to) => moveProject(bench, from, to),
  };
}

async function acceptOverride(bench: Workbench): Promise<ProjectView> {
  const { root, overrideRoot, pendingOverride, by } = await bench.identity();
  if (pendingOverride === null) {
    const message =
      by === "override" ? "The name of this checkout is accepted already." : "This checkout brings no name of its own.";
    throw new ArcticMemError("INPUT_INVALID", message, {
      hint: 'A checkout names its project by {"project": "name"} in .arcticmem/config.json.',
    });
  }
  await (await bench.store()).settings.set(acceptedKey(overrideRoot ?? root), pendingOverride);
  bench.forgetIdentities();
  const accepted = await bench.identity();
  return viewOf(accepted, await bench.registerProject(accepted));
}

/** The memories of a project whose folder was elsewhere follow it to `to`. */
async function moveProject(bench: Workbench, from: string, to: string): Promise<ProjectView> {
  const { folderProjectId } = await import("../project/identity.ts");
  const { projects } = await bench.store();
  const known = await projects.list();
  const old =
    known.find(({ root, id }) => root === from || id === from) ?? known.find(({ id }) => id === folderProjectId(from));
  if (old === undefined) throw unknownProject(from);
  const target = await bench.identity(to);
  const id = await bench.registerProject(target);
  if (id !== old.id) await projects.merge(old.id, id);
  return viewOf(target, id);
}

/** By id, by name where it is the only one of that name, or by root. The current one may be new to the store. */
async function knownProject(bench: Workbench, text: string): Promise<ProjectId> {
  const { projects } = await bench.store();
  const exact = await projects.get(projectId(text));
  if (exact !== undefined) return exact.id;
  if (text === (await bench.identity()).id) return bench.registerProject();
  const fitting = (await projects.list()).filter(({ name, root }) => name === text || root === text);
  const [only, ...others] = fitting;
  if (only === undefined) throw unknownProject(text);
  if (others.length === 0) return only.id;
  throw new ArcticMemError("MEMORY_AMBIGUOUS", `${text} names several projects.`, {
    hint: `Give the id: ${fitting.map(({ id }) => id).join(", ")}.`,
  });
}

function unknownProject(text: string): ArcticMemError {
  return new ArcticMemError("INPUT_INVALID", `${text}: there is no such project.`, {
    hint: "`arcticmem project list` shows the ones that are known.",
  });
}

function viewOf({ name, root, remote, by, pendingOverride }: ProjectIdentity, id: ProjectId): ProjectView {
  return { id, name, root, remote, by, pendingOverride };
}
