/** What an agent reads: the best hits are opened first, so that it also reads whether they still hold. */
import type { MemoryId } from "../core/ids.ts";
import type { MemoryView, RenderPart } from "../core/memory.ts";
import type { SearchAnswer } from "../core/query.ts";
import { aroundMemory, memoriesAmong } from "./find-part.ts";
import type { Workbench } from "./workbench.ts";

export function openRenderPart(bench: Workbench): RenderPart {
  return {
    search: async (answer) => {
      const { renderContext } = await import("../retrieve/render-context.ts");
      const { bodies } = (await bench.config()).search;
      return renderContext(answer, { now: bench.now(), bodies, views: await viewsOf(bench, answer, bodies) });
    },
    view: async (view) => {
      const { renderView } = await import("../retrieve/render-context.ts");
      return renderView(view, bench.now());
    },
  };
}

async function viewsOf(
  bench: Workbench,
  { hits }: SearchAnswer,
  bodies: number,
): Promise<ReadonlyMap<MemoryId, MemoryView>> {
  const shown = memoriesAmong(hits.slice(0, bodies));
  const views = await Promise.all(shown.map((memory) => aroundMemory(bench, memory)));
  return new Map(views.map((view) => [view.memory.id, view]));
}
