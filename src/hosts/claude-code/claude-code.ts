/** Claude Code as a host: its transcripts, its hooks, its settings. */
import type { Host } from "../host.ts";
import { claudeCodeFinder } from "./find-transcripts.ts";
import { claudeCodeHooks } from "./hook-payload.ts";
import { claudeCodeInstaller } from "./install.ts";
import { claudeCodeTranscripts } from "./transcript.ts";

export const claudeCode: Host = {
  name: "claude-code",
  hooks: claudeCodeHooks,
  transcripts: claudeCodeTranscripts,
  finder: claudeCodeFinder,
  installer: claudeCodeInstaller,
};
