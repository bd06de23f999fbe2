/** Keeps tier 1 in step while the process lives: what changes is indexed and embedded before anybody asks. */
import type { FilesPart, FileWatch } from "../../core/memory.ts";
import type { Workbench } from "../workbench.ts";

export async function watchWorkspace(bench: Workbench, index: FilesPart["index"]): Promise<FileWatch> {
  const [{ watchFiles }, { watchedFolders }] = await Promise.all([
    import("../../files/watch/watch-files.ts"),
    import("../../files/watch/watched-folders.ts"),
  ]);
  const { root } = await bench.identity();
  const folders = async (): Promise<string[]> => {
    const files = await (await bench.store()).files.list(await bench.projectId());
    return watchedFolders({ root, home: bench.environment.home, paths: files.map(({ path }) => path) });
  };
  const watch = await watchFiles({
    folders: await folders(),
    onChange: async () => {
      await index();
      watch.add(await folders());
    },
  });
  return {
    get folders() {
      return watch.folders;
    },
    get stopped() {
      return watch.stopped;
    },
    [Symbol.asyncDispose]: () => watch.close(),
  };
}
