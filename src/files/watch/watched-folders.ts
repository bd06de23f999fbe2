/** The folders in which files of tier 1 lie, or would lie if there were any. */
import { dirname, join } from "node:path";
import { FILE_PLACES, FOLDER_PLACES } from "../instruction-places.ts";

export interface WatchedPlaces {
  /** Top folder of the checkout. */
  readonly root: string;
  readonly home: string;
  /** Paths of the files that are indexed, as the index names them. */
  readonly paths: readonly string[];
}

/** @returns Absolute, the root first; folders that do not exist are among them. */
export function watchedFolders({ root, home, paths }: WatchedPlaces): string[] {
  const usual = [...FILE_PLACES.map(({ file }) => dirname(file)), ...FOLDER_PLACES.map(({ folder }) => folder)];
  const within = usual.flatMap((folder) => [dirname(folder), folder]).map((folder) => join(root, folder));
  const known = paths.map((path) => dirname(path.startsWith("~/") ? join(home, path.slice(2)) : join(root, path)));
  return [...new Set([join(root), ...known, ...within])];
}
