/**
 * Reads Claude Code's transcripts. Their format is internal and changes without notice: what is used of it is read
 * loosely, everything else is counted. Two passes: the first learns which records happened, the second reads them.
 */
import { basename } from "node:path";
import { ArcticMemError } from "../../core/errors.ts";
import { given } from "../../core/given.ts";
import { sessionId } from "../../core/ids.ts";
import { dateIn, type JsonObject, parseObject, textIn } from "../../core/json/json-values.ts";
import type { Session } from "../../core/session.ts";
import type { ReadTranscriptOptions, TranscriptReader } from "../host.ts";
import { createFormatCounter, type FormatCounter } from "../normal-form/format-report.ts";
import { statFile } from "../normal-form/open-file.ts";
import { readRecords } from "../normal-form/read-records.ts";
import { createSessionBuilder } from "../normal-form/session-builder.ts";
import { createRecordTurns, type RecordTurns } from "./records/record-turns.ts";
import { indexTranscript, type TranscriptIndex } from "./records/transcript-index.ts";
import { findSubagents, isAgentFile } from "./subagents.ts";

interface IndexedFile {
  readonly path: string;
  readonly bytes: number;
  readonly modifiedAt: Date;
  readonly index: TranscriptIndex;
}

/** Stands for a detached head, and for no repository at all. */
const NO_BRANCH = "HEAD";

export const claudeCodeTranscripts: TranscriptReader = {
  async read(path, options = {}) {
    const counter = createFormatCounter();
    const main = await indexFile(path, counter, options);
    counter.report(path);
    if (main.index.messages === 0 && main.index.sessionId === undefined) {
      throw new ArcticMemError("FORMAT_UNKNOWN", `${path} is not a transcript of Claude Code.`);
    }
    const agents = await indexAgents(path, counter, options);
    return buildSession({ main, agents, counter, options });
  },

  recognises(head) {
    return head
      .split("\n")
      .slice(0, 50)
      .map(parseObject)
      .some((record) => {
        if (record === undefined || textIn(record, "type") === undefined || "payload" in record) return false;
        const isMessage = textIn(record, "uuid") !== undefined && "parentUuid" in record;
        return (
          textIn(record, "sessionId") !== undefined && (isMessage || SIDE_RECORDS.test(textIn(record, "type") ?? ""))
        );
      });
  },
};

const SIDE_RECORDS =
  /^(?:summary|queue-operation|file-history-snapshot|permission-mode|mode|last-prompt|custom-title|ai-title|agent-name|worktree-state|progress)$/;

async function indexFile(
  path: string,
  counter: FormatCounter,
  { signal }: ReadTranscriptOptions,
): Promise<IndexedFile> {
  const { size, mtime } = await statFile(path);
  return {
    path,
    bytes: size,
    modifiedAt: mtime,
    index: await indexTranscript(path, counter, { signal, maxBytes: size }),
  };
}

/** In the order in which they ended. One that can't be read is left out: the session itself still counts. */
async function indexAgents(
  path: string,
  counter: FormatCounter,
  options: ReadTranscriptOptions,
): Promise<IndexedFile[]> {
  const agents: IndexedFile[] = [];
  for (const file of await findSubagents(path)) {
    options.signal?.throwIfAborted();
    try {
      agents.push(await indexFile(file, counter, options));
    } catch (thrown) {
      if (!(thrown instanceof ArcticMemError)) throw thrown;
      counter.ignore("subagent/unreadable");
    }
  }
  return agents.sort((a, b) => (a.index.lastAt ?? "").localeCompare(b.index.lastAt ?? ""));
}

interface BuildInput {
  readonly main: IndexedFile;
  readonly agents: readonly IndexedFile[];
  readonly counter: FormatCounter;
  readonly options: ReadTranscriptOptions;
}

async function buildSession({ main, agents, counter, options }: BuildInput): Promise<Session> {
  const { index, path, modifiedAt } = main;
  const isSubagent = isAgentFile(path);
  const parent = isSubagent ? index.sessionId : undefined;
  const builder = createSessionBuilder({
    id: sessionId(basename(path, ".jsonl") || (index.sessionId ?? "unknown")),
    host: "claude-code",
    project: given({ cwd: index.cwd, branch: index.branch === NO_BRANCH ? undefined : index.branch }),
    parentId: parent === undefined ? undefined : sessionId(parent),
    isSubagent,
  });
  const turns = createRecordTurns({ builder, counter, cwd: index.cwd });
  const waiting = [...agents];
  for await (const at of addRecords(main, { turns, counter, isAgent: isSubagent, options })) {
    for (let next = waiting[0]; next !== undefined && endedBefore(next, at); next = waiting[0]) {
      waiting.shift();
      await addAgent(next, { turns, counter, isAgent: true, options });
    }
  }
  const endedBy = turns.state();
  for (const agent of waiting) await addAgent(agent, { turns, counter, isAgent: true, options });
  return builder.finish({ report: counter.report(path), fallbackTime: modifiedAt, endedBy });
}

interface AddInput {
  readonly turns: RecordTurns;
  readonly counter: FormatCounter;
  readonly isAgent: boolean;
  readonly options: ReadTranscriptOptions;
}

async function addAgent(agent: IndexedFile, input: AddInput): Promise<void> {
  for await (const _ of addRecords(agent, input)) {
    // Sub-agents' own sub-agents lie beside them and are merged like them.
  }
}

function endedBefore(agent: IndexedFile, at: Date): boolean {
  const end = new Date(agent.index.lastAt ?? Number.NaN);
  return end <= at;
}

/** Reads a file's live records into turns; yields the time of each just before it is added. */
async function* addRecords(file: IndexedFile, { turns, counter, isAgent, options }: AddInput): AsyncGenerator<Date> {
  const choose = createChooser(file.index);
  for await (const record of readRecords(file.path, { signal: options.signal, maxBytes: file.bytes })) {
    if (record.kind === "truncated") turns.addTruncated(record.bytes);
    if (record.kind !== "record") continue;
    const { value } = record;
    const choice = choose(value);
    if (choice === "queued") turns.addQueued(value);
    else if (choice !== "live") counter.ignore(choice.ignore);
    else {
      const at = dateIn(value, "timestamp");
      if (at !== undefined) yield at;
      turns.add(value, isAgent || value.isSidechain === true);
    }
  }
}

type Choice = "live" | "queued" | { readonly ignore: string };

/** Decides of each record, in order, whether it happened and was not read before. */
function createChooser(index: TranscriptIndex): (record: JsonObject) => Choice {
  const seen = new Set<string>();
  let enqueued = 0;
  const chooseQueued = (record: JsonObject): Choice => {
    const isEnqueue = textIn(record, "operation") === "enqueue";
    const isUndelivered = isEnqueue && index.undelivered.has(enqueued);
    if (isEnqueue) enqueued += 1;
    return isUndelivered ? "queued" : { ignore: "queue-operation" };
  };
  return (record) => {
    const type = textIn(record, "type") ?? "unknown";
    const uuid = textIn(record, "uuid");
    if (type === "queue-operation") return chooseQueued(record);
    if (uuid === undefined) return { ignore: type };
    if (seen.has(uuid)) return { ignore: "copy" };
    if (!index.isLive(uuid)) return { ignore: type === "user" || type === "assistant" ? "dead-branch" : type };
    seen.add(uuid);
    return "live";
  };
}
