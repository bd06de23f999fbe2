/**
 * What every agent host owes: how its transcripts are read, how its hooks speak, how we are installed in it.
 * A host is one folder; nothing outside it knows the host's formats.
 */
import type { Session } from "../core/session.ts";

export const HOST_NAMES = ["claude-code", "cortex", "codex", "gemini", "copilot", "opencode", "cursor"] as const;
export type HostName = (typeof HOST_NAMES)[number];

/** What hooks pass on, whatever the host calls it. */
export type HookEvent =
  | {
      readonly kind: "session-start";
      readonly session: string;
      readonly cwd: string;
      readonly transcript: string | null;
      readonly source: "startup" | "resume" | "clear" | "compact" | "fork";
    }
  | { readonly kind: "session-end"; readonly session: string; readonly cwd: string; readonly transcript: string | null }
  | { readonly kind: "pre-compact"; readonly session: string; readonly cwd: string; readonly transcript: string | null }
  | {
      readonly kind: "prompt-submit";
      readonly session: string;
      readonly cwd: string;
      readonly transcript: string | null;
      readonly prompt: string;
    };

/** Text that a hook wants the model to see. */
export interface HookAnswer {
  readonly event: HookEvent["kind"];
  readonly context: string;
}

/** Parses and answers hooks by hand: nothing here may load a schema library. */
export interface HookDialect {
  /** @returns The event, or undefined where the payload is not one of ours. Never throws. */
  readPayload(stdin: string): HookEvent | undefined;
  /** @returns What to print on stdout: exactly the keys that the host allows. */
  renderAnswer(answer: HookAnswer): string;
  /** Most characters that the host takes from one hook. */
  readonly maxContextCharacters: number;
}

export interface ReadTranscriptOptions {
  readonly signal?: AbortSignal;
}

export interface TranscriptReader {
  /**
   * Reads one transcript, sub-agents' included, into normal form. Streams: memory is bounded by the clipped turns.
   *
   * @throws {ArcticMemError} `FILE_NOT_FOUND`, `FILE_UNREADABLE`, `FORMAT_UNKNOWN` (not this host's format, or over a
   *   fifth of its lines can't be parsed).
   */
  read(path: string, options?: ReadTranscriptOptions): Promise<Session>;
  /** Whether a file's first bytes look like this host's transcript. */
  recognises(head: string): boolean;
}

/** A transcript on disk that may not be ingested yet. */
export interface FoundTranscript {
  readonly session: string;
  readonly path: string;
  readonly bytes: number;
  readonly modifiedAtMs: number;
}

export interface TranscriptFinder {
  /** The transcripts of sessions that were started in one of `roots`, newest first, without opening more than heads. */
  find(roots: readonly string[], environment: HostEnvironment): Promise<FoundTranscript[]>;
}

export interface HostEnvironment {
  readonly home: string;
  readonly variables: Readonly<Record<string, string | undefined>>;
}

/** Commands by which the host reaches us; stable over updates of Node and of the package. */
export interface InstallCommands {
  readonly hook: readonly string[];
  readonly mcp: readonly string[];
}

export interface InstallChange {
  readonly file: string;
  readonly action: "created" | "changed" | "unchanged" | "removed" | "restored";
  readonly backup: string | null;
}

export interface HostInstaller {
  /** Additive, backed up, idempotent. @throws {ArcticMemError} `INSTALL_FAILED` with what stands in the way. */
  install(commands: InstallCommands, environment: HostEnvironment): Promise<InstallChange[]>;
  /** Takes back exactly what `install` wrote, nothing else. */
  uninstall(environment: HostEnvironment): Promise<InstallChange[]>;
  isInstalled(environment: HostEnvironment): Promise<boolean>;
}

export interface Host {
  readonly name: HostName;
  readonly hooks: HookDialect;
  readonly transcripts: TranscriptReader;
  readonly finder: TranscriptFinder;
  readonly installer: HostInstaller;
}
