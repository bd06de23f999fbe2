/**
 * Keeps tier 1 in step with the workspace. Files whose time and size have not moved are not opened; of those that are
 * opened, only changed ones are cut into pieces again; what is gone leaves. The user's files are read, never written.
 */
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Chunk, SourceFile } from "../core/chunk.ts";
import { messageOf } from "../core/errors.ts";
import { sha256 } from "../core/hash.ts";
import { chunkId, type ProjectId } from "../core/ids.ts";
import type { PutFile } from "../core/memory.ts";
import type { IndexReport } from "../core/report.ts";
import type { FileTable } from "../store/store.ts";
import { cleanLine, cleanText } from "../text/clean.ts";
import { extractSymbols } from "../text/symbols.ts";
import { chunkMarkdown, type MarkdownPiece } from "./chunk-markdown.ts";
import { cleanSource, type Redact } from "./clean-source.ts";
import type { FoundFile } from "./collect-files.ts";
import { type DiscoverRequest, type Discovery, discoverFiles } from "./discover-files.ts";
import { decodeText, isBinary } from "./read-text-file.ts";

export interface IndexFilesDeps {
  readonly files: FileTable;
  readonly redact: Redact;
  /** Default: the clock. */
  readonly now?: () => number;
}

export interface IndexFilesRequest extends DiscoverRequest {
  readonly project: ProjectId;
  readonly onProgress?: (done: number, total: number) => void;
  readonly signal?: AbortSignal;
}

/** Coarsest time of the file systems in use: a file younger than this may change again without its time moving. */
const YOUNG_MS = 2_000;
/** The time noted for a file that was young when it was read: no file has it, so that the next pass looks again. */
const NOT_SETTLED = 0;

/**
 * Brings the index of one project in step with its files. `embedded` is 0: vectors are the caller's.
 *
 * @throws {ArcticMemError} `FILE_NOT_FOUND` where the project's folder is gone (its files stay indexed), and what the
 *   store throws; files that were done until then are kept.
 */
export async function indexFiles(deps: IndexFilesDeps, request: IndexFilesRequest): Promise<IndexReport> {
  const { project } = request;
  const discovery = discoverFiles(request);
  const known = new Map((await deps.files.list(project)).map((file) => [file.path, file]));
  const added: string[] = [];
  const changed: string[] = [];
  const skipped = [...discovery.skipped];
  const keep = new Set<string>();
  for (const [done, found] of discovery.files.entries()) {
    request.signal?.throwIfAborted();
    const before = known.get(found.path);
    const result = await bringInStep({ ...deps, project }, found, before);
    if (result.kind === "skipped") skipped.push({ path: found.path, reason: result.reason });
    if (result.kind === "added") added.push(found.path);
    if (result.kind === "changed") changed.push(found.path);
    if (result.kind !== "skipped" || result.isKept) keep.add(found.path);
    request.onProgress?.(done + 1, discovery.files.length);
  }
  const removed = [...known.keys()].filter((path) => !keep.has(path) && isGone(path, discovery, request));
  for (const path of removed) await deps.files.remove(project, path);
  const { files, chunks } = await deps.files.counts(project);
  return { project, files, added, changed, removed, skipped, chunks, embedded: 0 };
}

type StepResult =
  | { readonly kind: "added" | "changed" | "same" }
  /** `isKept`: what was indexed of it before stays. */
  | { readonly kind: "skipped"; readonly reason: string; readonly isKept: boolean };

async function bringInStep(
  { files, redact, project, now = Date.now }: IndexFilesDeps & { readonly project: ProjectId },
  found: FoundFile,
  before: SourceFile | undefined,
): Promise<StepResult> {
  if (before && isSettled(before, found)) {
    if (!sameHosts(before, found)) await files.touch({ ...before, loadedBy: found.loadedBy });
    return { kind: "same" };
  }
  const bytes = await readBytes(found.absolutePath);
  if (typeof bytes === "string") return { kind: "skipped", reason: bytes, isKept: true };
  if (isBinary(bytes)) return { kind: "skipped", reason: "not text", isKept: false };
  const text = decodeText(bytes);
  const file: SourceFile = {
    project,
    path: found.path,
    contentHash: sha256(text),
    bytes: found.bytes,
    modifiedAtMs: now() - found.modifiedAtMs < YOUNG_MS ? NOT_SETTLED : found.modifiedAtMs,
    loadedBy: found.loadedBy,
  };
  if (before?.contentHash === file.contentHash) {
    if (!isSettled(before, file) || !sameHosts(before, file)) await files.touch(file);
    return { kind: "same" };
  }
  await files.replace(file, toChunks(file, chunkMarkdown(await cleanSource(text, redact))));
  return { kind: before ? "changed" : "added" };
}

type Looks = Pick<SourceFile, "modifiedAtMs" | "bytes" | "loadedBy">;

function isSettled(before: Looks, now: Looks): boolean {
  return before.modifiedAtMs === now.modifiedAtMs && before.bytes === now.bytes;
}

function sameHosts(before: Looks, now: Looks): boolean {
  return before.loadedBy.join() === now.loadedBy.join();
}

/** The bytes, or why they can't be had. */
async function readBytes(path: string): Promise<Uint8Array | string> {
  try {
    return await readFile(path);
  } catch (thrown) {
    return messageOf(thrown);
  }
}

/** In front of paths that were put: no file of a workspace is there, and none is looked for. */
const PUT = "put:";

/**
 * Files pieces that were cut elsewhere. `loadedBy` is nobody.
 *
 * @returns How many pieces are kept.
 */
export async function putPieces(
  { files, redact }: Pick<IndexFilesDeps, "files" | "redact">,
  project: ProjectId,
  { path, pieces }: PutFile,
): Promise<number> {
  const cut = await Promise.all(
    pieces.map(async ({ text, headings = [], startLine, endLine }, at): Promise<MarkdownPiece> => {
      const line = startLine ?? at + 1;
      return {
        headings: [...headings],
        text: await cleanSource(text, redact),
        startLine: line,
        endLine: endLine ?? line,
      };
    }),
  );
  const kept = cut.filter(({ text }) => text.trim() !== "");
  const whole = kept.map(({ text }) => text).join("\n");
  const file = {
    project,
    path: `${PUT}${path}`,
    contentHash: sha256(whole),
    bytes: whole.length,
    modifiedAtMs: 0,
    loadedBy: [],
  };
  if (kept.length === 0) await files.remove(project, file.path);
  else await files.replace(file, toChunks(file, kept));
  return kept.length;
}

/**
 * Whether a file that was not found is really gone. After a walk that a bound cut short, only a file that is not on
 * disk either is.
 */
function isGone(path: string, { truncated }: Discovery, { root }: IndexFilesRequest): boolean {
  if (path.startsWith(PUT)) return false;
  return !truncated || path.startsWith("~/") || !existsSync(join(root, path));
}

const ID_DIGITS = 24;
const MAX_HEADING_CHARACTERS = 200;

/** Chunks keep their id as long as their text and titles stay, wherever in the file they move. */
function toChunks({ project, path }: SourceFile, pieces: readonly MarkdownPiece[]): Chunk[] {
  const seen = new Map<string, number>();
  return pieces.map(({ headings, text, startLine, endLine }): Chunk => {
    const titles = headings.map((title) => cleanLine(title, MAX_HEADING_CHARACTERS));
    const clean = cleanText(text);
    const contentHash = sha256([...titles, clean].join("\n"));
    const copies = seen.get(contentHash) ?? 0;
    seen.set(contentHash, copies + 1);
    const id = chunkId(sha256([project, path, contentHash, copies].join("\n")).slice(0, ID_DIGITS));
    const symbols = extractSymbols(clean);
    return { id, project, path, headings: titles, text: clean, startLine, endLine, contentHash, symbols };
  });
}
