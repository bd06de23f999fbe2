/**
 * Transcripts of any length in the form that Claude Code writes, for measuring: what makes them long is what makes real
 * ones long (files read, logs, files written), with commands of every length, pastes, and a secret now and then.
 */
import { closeSync, openSync, writeSync } from "node:fs";
import { seededRandom } from "./sample-store.ts";

export interface SampleTranscript {
  readonly bytes: number;
  readonly records: number;
}

export interface SampleTranscriptOptions {
  readonly bytes: number;
  readonly seed: number;
  /** `tools`: results are the bulk, as in real sessions. `words`: people and the assistant write it all, so nothing is clipped. */
  readonly bulk: "tools" | "words";
}

type Random = () => number;

const WORDS =
  "the of to and a in is we it for pump valve sensor ledger season harvest moisture schedule retry window import export station reading table column index commit branch test build deploy error warning missing always never because instead should check fix run after before when while user config port version".split(
    " ",
  );
const PATHS = ["src/importer/window.ts", "packages/api/readings.py", "docs/stations.md", "test/window.test.ts"];
const COMMANDS = ["npm test", "pnpm build", "git status", "git diff --stat", "rg -n TODO src", "cat package.json"];
const SESSION = "0f3c6d2e-1111-4222-8333-944455566677";
const STARTED = Date.UTC(2026, 2, 2, 9);

/** Writes it to `path`. The same options give the same bytes. */
export function writeSampleTranscript(path: string, { bytes, seed, bulk }: SampleTranscriptOptions): SampleTranscript {
  const random = seededRandom(seed);
  const file = openSync(path, "w");
  const written = { bytes: 0, records: 0 };
  let parent: string | null = null;
  const add = (type: string, more: Readonly<Record<string, unknown>>): void => {
    const uuid = `u-${written.records}`;
    const timestamp = new Date(STARTED + written.records * 4_000).toISOString();
    const head = { parentUuid: parent, isSidechain: false, userType: "external", cwd: "/work/harvest" };
    const line = { ...head, sessionId: SESSION, version: "2.1.332", gitBranch: "main", type, uuid, timestamp, ...more };
    written.bytes += writeSync(file, `${JSON.stringify(line)}\n`);
    written.records += 1;
    parent = uuid;
  };
  while (written.bytes < bytes) addRound(add, random, { bulk, number: written.records });
  add("user", { message: { role: "user", content: "Great, that works. Please commit it." } });
  closeSync(file);
  return written;
}

type Add = (type: string, more: Readonly<Record<string, unknown>>) => void;

/** A person asks, the assistant works in some steps and tells what it did. */
function addRound(
  add: Add,
  random: Random,
  { bulk, number }: { readonly bulk: string; readonly number: number },
): void {
  const isTools = bulk === "tools";
  const asked = isTools ? 300 : 6_000;
  const paste = isTools && random() < 0.02 ? `\n${log(40_000, random)}` : "";
  add("user", { message: { role: "user", content: prose(asked, random) + paste } });
  for (let step = 0; step < 6; step += 1) addStep(add, random, { call: `${number}-${step}`, isTools });
  say(add, prose(isTools ? 500 : 8_000, random));
}

function addStep(add: Add, random: Random, { call, isTools }: { call: string; isTools: boolean }): void {
  say(add, prose(isTools ? 120 : 2_000, random));
  const roll = random();
  const [name, input] =
    roll < 0.5
      ? ["Bash", { command: commandText(random), description: "Run it" }]
      : roll < 0.8
        ? ["Read", { file_path: `/work/harvest/${pick(PATHS, random)}` }]
        : ["Write", { file_path: `/work/harvest/${pick(PATHS, random)}`, content: log(6_000, random) }];
  const id = `toolu_${call}`;
  add("assistant", {
    message: { id: `msg_${call}`, role: "assistant", content: [{ type: "tool_use", id, name, input }] },
  });
  const text = log(isTools ? 300 + 9_000 * random() ** 3 : 200, random);
  const isError = random() < 0.1;
  const block = { type: "tool_result", tool_use_id: id, content: text, is_error: isError };
  add("user", { message: { role: "user", content: [block] }, toolUseResult: { stdout: text, stderr: "" } });
}

function say(add: Add, text: string): void {
  add("assistant", { message: { role: "assistant", content: [{ type: "text", text }] } });
}

function commandText(random: Random): string {
  const roll = random();
  if (roll < 0.01) return `cat > script.py <<'EOF'\n${log(30_000, random)}\nEOF\npython3 script.py`;
  if (roll < 0.1) return `curl -H "Authorization: Bearer ${token(40, random)}" https://api.example.org | jq .`;
  return `cd web && ${pick(COMMANDS, random)} 2>&1 | tail -40`;
}

/** Sentences with a name in code's spelling now and then. */
function prose(characters: number, random: Random): string {
  const sentences: string[] = [];
  for (let length = 0; length < characters; length += sentences.at(-1)?.length ?? 1) {
    const words = Array.from({ length: 9 }, () => pick(WORDS, random));
    sentences.push(`${words.join(" ")} \`${pick(WORDS, random)}_${pick(WORDS, random)}\`.`);
  }
  return sentences.join(" ");
}

/** Lines as tools print them, none like another. */
function log(characters: number, random: Random): string {
  const lines: string[] = [];
  for (let length = 0; length < characters; length += (lines.at(-1)?.length ?? 1) + 1) {
    const at = Math.floor(random() * 1e6);
    const roll = random();
    if (roll < 0.05) lines.push(`Error: connect ECONNREFUSED 127.0.0.1:${at % 9_999}`);
    else if (roll < 0.1) lines.push(`export API_TOKEN=${token(32, random)}`);
    else
      lines.push(
        `${at}: const ${pick(WORDS, random)}_${at} = ${pick(WORDS, random)}(${at}, "${pick(WORDS, random)}");`,
      );
  }
  return lines.join("\n");
}

function token(length: number, random: Random): string {
  const alphabet = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
  return Array.from({ length }, () => alphabet[Math.floor(random() * alphabet.length)]).join("");
}

function pick(all: readonly string[], random: Random): string {
  return all[Math.floor(random() * all.length)] ?? "";
}
