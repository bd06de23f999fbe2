/** `arcticmem feedback`: the user says how a memory turned out. */
import { Command } from "commander";
import { VERDICTS, type Verdict } from "../../core/findings/feedback.ts";
import { given } from "../../core/given.ts";
import { handleOf, isLive } from "../../core/memory-record.ts";
import type { CliContext } from "../context.ts";
import { type JsonOption, tell, writeJson, writeLines } from "../output.ts";
import { oneOf } from "../parse-options.ts";
import { memoryJson, titleLine } from "../render-memory.ts";

interface FeedbackOptions extends JsonOption {
  readonly note?: string;
}

export function feedbackCommand(context: CliContext): Command {
  return new Command("feedback")
    .summary("say how a memory turned out; what is wrong or stale is put away, reversibly")
    .argument("<handle>", "which memory")
    .argument("<verdict>", "helped, wrong, stale or irrelevant", (text) => oneOf(VERDICTS, text))
    .option("--note <text>", "why, in a few words")
    .option("--json", "print one JSON object, with `effect`")
    .action(async (handle: string, verdict: Verdict, options: FeedbackOptions) => {
      await using opened = await context.openMemory();
      const note = given({ note: options.note });
      const { memory, effect } = await opened.keep.feedback(handle, { verdict, by: "person", ...note });
      if (options.json === true) {
        writeJson(context, { ...memoryJson(memory), effect });
        return;
      }
      writeLines(context, [titleLine(memory)]);
      tell(
        context,
        effect === "archived" ? `Put away: \`arcticmem restore ${handleOf(memory)}\` brings it back.` : "Noted.",
      );
      if (verdict === "helped" && isLive(memory) && memory.status !== "active") {
        tell(context, `It stays ${memory.status}: \`arcticmem confirm ${handleOf(memory)}\` vouches for it.`);
      }
    });
}
