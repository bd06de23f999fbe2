/**
 * What retrieval needs of the domain's profile: half-lives and facets. A profile is YAML under a schema, and reading one
 * takes longer than a search; so this part is kept as JSON for as long as the profile's files stay as they are.
 */
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { writePrivateFile } from "../../config/private-files.ts";
import { sha256 } from "../../core/hash.ts";
import type { Profile, ProfileFacet } from "../../core/profile.ts";
import { namesIn } from "../../project/find-repository.ts";
import type { HalfLifeDays } from "../../retrieve/rank/adjust-scores.ts";
import type { Workbench } from "../workbench.ts";

export interface RetrievalProfile {
  readonly halfLifeDays: HalfLifeDays;
  readonly facets: readonly ProfileFacet[];
}

interface Kept {
  readonly key: string;
  readonly profile: RetrievalProfile;
}

const BUNDLED = fileURLToPath(new URL("../../../profiles/", import.meta.url));
/** One look for each memory: like the config, a profile is read once. */
const known = new WeakMap<Workbench, RetrievalProfile>();

/**
 * @param mayLoad - False for a hook, which has no time for YAML: it knows what another process has read.
 * @returns Undefined where it is not known, or faulty: retrieval then does as for most domains.
 */
export async function retrievalProfile(bench: Workbench, mayLoad = true): Promise<RetrievalProfile | undefined> {
  const own = known.get(bench);
  if (own !== undefined) return own;
  const file = join(bench.paths.stateDir, "retrieval-profile.json");
  const key = keyOf((await bench.config()).profile, [bench.paths.profiles, BUNDLED]);
  const kept = readKept(file);
  const profile = kept?.key === key ? kept.profile : mayLoad ? await load(bench, { file, key }) : undefined;
  if (profile !== undefined) known.set(bench, profile);
  return profile;
}

async function load(
  bench: Workbench,
  { file, key }: { file: string; key: string },
): Promise<RetrievalProfile | undefined> {
  const whole = await bench.profile().catch(() => undefined); // ingestion tells what is wrong with it
  if (whole === undefined) return undefined;
  const profile = partOf(whole);
  try {
    writePrivateFile(file, JSON.stringify({ key, profile } satisfies Kept));
  } catch {
    // a read-only folder costs time at each start, nothing else
  }
  return profile;
}

function partOf({ types, facets }: Profile): RetrievalProfile {
  return { halfLifeDays: Object.fromEntries(types.map(({ id, halfLifeDays }) => [id, halfLifeDays])), facets };
}

/** Changes with the profile's name and with every file of profiles. */
function keyOf(name: string, folders: readonly string[]): string {
  const files = folders.flatMap((folder) =>
    namesIn(folder)
      .sort()
      .map((file) => {
        const found = statSync(join(folder, file), { throwIfNoEntry: false });
        return `${file} ${found?.size} ${found?.mtimeMs}`;
      }),
  );
  return sha256([name, ...files].join("\n"));
}

function readKept(file: string): Kept | undefined {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as Kept;
  } catch {
    return undefined; // not there yet, or cut off: it is written again
  }
}
