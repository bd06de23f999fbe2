/** `memory_get`: one note whole, checked against the checkout. */
import { given } from "../../core/given.ts";
import { HANDLE_PROPERTY, type Tool } from "../tool.ts";

export const memoryGet: Tool<{ readonly id: string }> = {
  name: "memory_get",
  description:
    "Read one note whole, with its evidence and whether the code that it cites still stands. Call it before you rely on " +
    "a title from the manifest or on a result that came without its text.",
  inputSchema: { type: "object", properties: { id: HANDLE_PROPERTY }, required: ["id"] },
  annotations: { readOnlyHint: true, openWorldHint: false },
  async run({ memory, input, caller }) {
    const view = await memory.get(input.id);
    const text = await memory.render.view(view);
    await memory.keep.noteOpened(view.memory.id, given({ session: caller.session, host: caller.host }));
    return text;
  },
};
