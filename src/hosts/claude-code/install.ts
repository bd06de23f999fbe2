/**
 * Installs us in Claude Code for the user: three hooks in `settings.json`, one MCP server in `.claude.json`. Nothing is
 * written into any project.
 */
import { ArcticMemError } from "../../core/errors.ts";
import { isObject, type JsonObject, listIn, objectIn, textIn } from "../../core/json/json-values.ts";
import type { HostEnvironment, HostInstaller, InstallCommands } from "../host.ts";
import { readJsonFile } from "../install/json-file.ts";
import { addEntries, removeEntries, type SettingsEdit } from "../install/reversible-edit.ts";
import { claudeLocations } from "./locations.ts";

/**
 * Events and their limits in seconds, as the host counts them. The one of SessionEnd raises the budget that all hooks of
 * that event share, which else is 1.5 s; our hooks have far shorter deadlines of their own.
 */
const HOOKS: readonly (readonly [event: string, timeoutSeconds: number])[] = [
  ["SessionStart", 10],
  ["SessionEnd", 10],
  ["PreCompact", 10],
];
const SERVER_NAME = "arcticmem";
/** Ours is what runs our launcher or our programs, whatever path they lie under. */
const OUR_PROGRAM = /(?:^|[/\\])arcticmem(?:-\w+)?(?:\.\w+)?$/;
const OUR_ARGUMENT =
  /(?:^|[/\\])arcticmem-(?:launch|hook)(?:\.\w+)?$|^arcticmem(?:@[\w.-]+)?$|[/\\]arcticmem[/\\]dist[/\\](?:hooks|cli)[/\\]/;

export const claudeCodeInstaller: HostInstaller = {
  async install(commands, environment) {
    const edits = editsFor(environment, commands);
    // Both files are looked at before either is changed.
    for (const { file, add, remove } of edits) add(remove((await readJsonFile(file)).value));
    const changes = [];
    for (const edit of edits) changes.push(await addEntries(edit));
    return changes;
  },

  async uninstall(environment) {
    const changes = [];
    for (const edit of editsFor(environment, { hook: [], mcp: [] })) changes.push(await removeEntries(edit));
    return changes;
  },

  async isInstalled(environment) {
    const { settings, state } = claudeLocations(environment);
    const hooks = objectIn((await readJsonFile(settings)).value, "hooks");
    const servers = objectIn((await readJsonFile(state)).value, "mcpServers");
    return HOOKS.every(([event]) => listIn(hooks, event).some(holdsOurs)) && isOurs(servers?.[SERVER_NAME]);
  },
};

function editsFor(environment: HostEnvironment, commands: InstallCommands): SettingsEdit[] {
  const { settings, state } = claudeLocations(environment);
  return [
    { file: settings, add: (value) => addHooks(value, commands.hook), remove: removeHooks },
    { file: state, add: (value) => addServer(value, commands.mcp), remove: removeServer },
  ];
}

function addHooks(settings: JsonObject, command: readonly string[]): JsonObject {
  if (settings.hooks !== undefined && !isObject(settings.hooks)) {
    throw new ArcticMemError("INSTALL_FAILED", "`hooks` in Claude Code's settings is not an object.");
  }
  const hooks: Record<string, unknown> = { ...objectIn(settings, "hooks") };
  for (const [event, timeout] of HOOKS) {
    const [program = "", ...args] = command;
    const entry = { hooks: [{ type: "command", command: program, args, timeout }] };
    hooks[event] = [...listIn(hooks, event), entry];
  }
  return { ...settings, hooks };
}

/** Takes our handlers out of every event, and what is empty without them. */
function removeHooks(settings: JsonObject): JsonObject {
  const hooks = objectIn(settings, "hooks");
  if (hooks === undefined) return settings;
  const left = Object.entries(hooks).flatMap(([event, groups]) => {
    if (!Array.isArray(groups) || !groups.some(holdsOurs)) return [[event, groups] as const];
    const kept = groups.flatMap(withoutOurs);
    return kept.length === 0 ? [] : [[event, kept] as const];
  });
  const { hooks: _, ...rest } = settings;
  if (left.length === 0 && Object.keys(hooks).length > 0) return rest;
  return { ...settings, hooks: Object.fromEntries(left) };
}

function withoutOurs(group: unknown): unknown[] {
  if (!holdsOurs(group) || !isObject(group)) return [group];
  const hooks = listIn(group, "hooks").filter((handler) => !isOurs(handler));
  return hooks.length === 0 ? [] : [{ ...group, hooks }];
}

function holdsOurs(group: unknown): boolean {
  return listIn(group, "hooks").some(isOurs);
}

function isOurs(handler: unknown): boolean {
  if (!isObject(handler)) return false;
  const command = textIn(handler, "command") ?? "";
  const words = command.split(/\s+/).map((word) => word.replace(/^["']|["']$/g, ""));
  const programs = [command, words[0] ?? ""];
  const args = [...words.slice(1), ...listIn(handler, "args")].filter((word) => typeof word === "string");
  return programs.some((word) => OUR_PROGRAM.test(word)) || args.some((word) => OUR_ARGUMENT.test(word));
}

function addServer(state: JsonObject, command: readonly string[]): JsonObject {
  const servers = objectIn(state, "mcpServers") ?? {};
  if (servers[SERVER_NAME] !== undefined && !isOurs(servers[SERVER_NAME])) {
    throw new ArcticMemError("INSTALL_FAILED", `Claude Code already has another MCP server named ${SERVER_NAME}.`, {
      hint: `Remove it with \`claude mcp remove ${SERVER_NAME}\` and try again.`,
    });
  }
  const [program = "", ...args] = command;
  return { ...state, mcpServers: { ...servers, [SERVER_NAME]: { type: "stdio", command: program, args, env: {} } } };
}

function removeServer(state: JsonObject): JsonObject {
  const servers = objectIn(state, "mcpServers");
  if (servers === undefined || !isOurs(servers[SERVER_NAME])) return state;
  const { [SERVER_NAME]: _, ...left } = servers;
  const { mcpServers: __, ...rest } = state;
  return Object.keys(left).length === 0 ? rest : { ...state, mcpServers: left };
}
