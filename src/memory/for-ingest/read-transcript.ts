/** Picks the host that wrote a transcript, by name or by the file's first bytes. */
import { ArcticMemError } from "../../core/errors.ts";
import { given } from "../../core/given.ts";
import type { Session } from "../../core/session.ts";
import { claudeCode } from "../../hosts/claude-code/claude-code.ts";
import { codexTranscripts } from "../../hosts/codex/transcript.ts";
import { geminiTranscripts } from "../../hosts/gemini/transcript.ts";
import type { HostName, TranscriptFinder, TranscriptReader } from "../../hosts/host.ts";
import { readHead } from "../../hosts/normal-form/open-file.ts";

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
  return transcripts.read(path, given({ signal }));
}

function hostNamed(name: string): ReadableHost {
  const host = HOSTS.find((known) => known.name === name);
  if (host !== undefined) return host;
  throw new ArcticMemError("INPUT_INVALID", `${name} is no host whose transcripts can be read.`, {
    hint: `Known: ${HOSTS.map((known) => known.name).join(", ")}.`,
  });
}

async function recogniseHost(path: string): Promise<ReadableHost> {
  const head = await readHead(path, HEAD_BYTES);
  const host = HOSTS.find(({ transcripts }) => transcripts.recognises(head));
  if (host !== undefined) return host;
  const what = head.trim() === "" ? "is empty" : "is no transcript that is known";
  throw new ArcticMemError("FORMAT_UNKNOWN", `${path} ${what}.`, {
    hint: `Transcripts of these hosts can be read: ${HOSTS.map(({ name }) => name).join(", ")}.`,
  });
}
