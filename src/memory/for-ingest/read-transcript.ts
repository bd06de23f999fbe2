/** Picks the host that wrote a transcript, by name or by the file's first bytes. */
import { open } from "node:fs/promises";
import { ArcticMemError, messageOf } from "../../core/errors.ts";
import type { Session } from "../../core/session.ts";
import { claudeCode } from "../../hosts/claude-code/claude-code.ts";
import { codexTranscripts } from "../../hosts/codex/transcript.ts";
import { geminiTranscripts } from "../../hosts/gemini/transcript.ts";
import type { HostName, TranscriptFinder, TranscriptReader } from "../../hosts/host.ts";

/** What reading needs of a host. Without a finder its transcripts are read where somebody names them. */
export interface ReadableHost {
  readonly name: HostName;
  readonly transcripts: TranscriptReader;
  readonly finder?: TranscriptFinder;
}

/** The hosts whose transcripts we read. */
export const HOSTS: readonly ReadableHost[] = [
  claudeCode,
  { name: "codex", transcripts: codexTranscripts },
  { name: "gemini", transcripts: geminiTranscripts },
];

/** A pasted log can make the first line alone long; the host shows in the lines after it. */
const HEAD_BYTES = 1024 * 1024;

/**
 * @param host - Name of the host that wrote it; recognised where it is absent.
 * @throws {ArcticMemError} `FILE_NOT_FOUND`, `FILE_UNREADABLE`, `FORMAT_UNKNOWN`, `INPUT_INVALID` for an unknown host.
 */
export async function readTranscript(host: string | undefined, path: string, signal?: AbortSignal): Promise<Session> {
  const { transcripts } = host === undefined ? await recogniseHost(path) : hostNamed(host);
  return transcripts.read(path, signal === undefined ? {} : { signal });
}

function hostNamed(name: string): ReadableHost {
  const host = HOSTS.find((known) => known.name === name);
  if (host !== undefined) return host;
  throw new ArcticMemError("INPUT_INVALID", `${name} is no host whose transcripts can be read.`, {
    hint: `Known: ${HOSTS.map((known) => known.name).join(", ")}.`,
  });
}

async function recogniseHost(path: string): Promise<ReadableHost> {
  const head = await readHead(path);
  const host = HOSTS.find(({ transcripts }) => transcripts.recognises(head));
  if (host !== undefined) return host;
  const what = head.trim() === "" ? "is empty" : "is no transcript that is known";
  throw new ArcticMemError("FORMAT_UNKNOWN", `${path} ${what}.`, {
    hint: `Transcripts of these hosts can be read: ${HOSTS.map(({ name }) => name).join(", ")}.`,
  });
}

async function readHead(path: string): Promise<string> {
  try {
    await using file = await open(path, "r");
    const { bytesRead, buffer } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return buffer.subarray(0, bytesRead).toString("utf8");
  } catch (cause) {
    const isMissing = cause instanceof Error && "code" in cause && cause.code === "ENOENT";
    const message = isMissing ? `There is no file ${path}.` : `${path} can't be read: ${messageOf(cause)}`;
    throw new ArcticMemError(isMissing ? "FILE_NOT_FOUND" : "FILE_UNREADABLE", message, {
      hint: isMissing ? "Check the path." : "It has to be a file that you may read.",
      cause,
    });
  }
}
