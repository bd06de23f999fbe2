/** The arguments of a tool call as one text: a shell's command as it is, everything else as JSON that stays valid. */
import { type JsonObject, textIn } from "../../normal-form/json-values.ts";
import { shortenArguments } from "../../normal-form/shorten-arguments.ts";

const SHELLS = /^(?:Bash|PowerShell)$/;

export function callArguments(name: string, input: JsonObject): string {
  const command = SHELLS.test(name) ? textIn(input, "command") : undefined;
  return command ?? JSON.stringify(shortenArguments(input));
}
