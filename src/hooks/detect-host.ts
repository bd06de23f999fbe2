/**
 * Which host runs this hook. The settings in which it stands do not tell: several hosts also run the hooks of Claude
 * Code's settings. Variables decide where a host sets its own, then the shape of the payload, then the settings.
 */
import { HOST_NAMES, type HostName } from "../hosts/host.ts";

export interface HostSigns {
  readonly installedFor: string | undefined;
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly payload: string;
}

/** Variables that only one host sets. `CLAUDE_PROJECT_DIR` is set by four and `CLAUDECODE` is inherited: last. */
const OWN_VARIABLES: readonly (readonly [string, HostName])[] = [
  ["COPILOT_CLI", "copilot"],
  ["GEMINI_SESSION_ID", "gemini"],
  ["CORTEX_PROJECT_DIR", "cortex"],
  ["CURSOR_VERSION", "cursor"],
];

/** Keys that only one host writes. VS Code's agent runs Claude's hooks too and counts as Copilot. */
const OWN_KEYS: readonly (readonly [RegExp, HostName])[] = [
  [/"cursor_version"\s*:/, "cursor"],
  [/"hookEventName"\s*:/, "copilot"],
  [/"turn_id"\s*:/, "codex"],
];

/** @returns Undefined where nothing tells. */
export function detectHost({ installedFor, variables, payload }: HostSigns): HostName | undefined {
  const byVariable = OWN_VARIABLES.find(([name]) => isSet(variables[name]));
  if (byVariable !== undefined) return byVariable[1];
  const byKey = OWN_KEYS.find(([pattern]) => pattern.test(payload));
  if (byKey !== undefined) return byKey[1];
  const named = HOST_NAMES.find((name) => name === installedFor);
  if (named !== undefined) return named;
  return isSet(variables.CLAUDECODE) ? "claude-code" : undefined;
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== "";
}
