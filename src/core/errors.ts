/**
 * Errors. Callers branch on `code`, people read `message` and `hint`. A subclass exists only where it carries data.
 */

/** Every way in which a call can fail that a caller may want to tell apart. */
export type ErrorCode =
  | "CONFIG_INVALID"
  | "DISABLED"
  | "FILE_NOT_FOUND"
  | "FILE_UNREADABLE"
  | "FORMAT_UNKNOWN"
  | "INPUT_INVALID"
  | "INSTALL_FAILED"
  | "MEMORY_AMBIGUOUS"
  | "MEMORY_NOT_FOUND"
  | "MODEL_FAILED"
  | "MODEL_FILE_BROKEN"
  | "NOT_CONFIRMED"
  | "PERMISSION_DENIED"
  | "PROTECTED"
  | "REDACTION_FAILED"
  | "STORE_BROKEN"
  | "STORE_FULL"
  | "STORE_LOCKED"
  | "STORE_NEWER"
  | "USAGE";

export interface ErrorDetails {
  /** What the reader can do about it, as one sentence. */
  readonly hint?: string;
  readonly cause?: unknown;
}

export class ArcticMemError extends Error {
  override readonly name: string = "ArcticMemError";
  readonly code: ErrorCode;
  readonly hint: string | undefined;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = code;
    this.hint = details.hint;
  }
}

export interface ModelErrorDetails extends ErrorDetails {
  /** Whether the same call may succeed later: time-outs, 429, 5xx and broken connections. */
  readonly retryable: boolean;
  /** What the endpoint asked us to wait, if it did. */
  readonly retryAfterMs?: number;
}

/** A model (language or embedding) did not answer, or answered with an error. */
export class ModelError extends ArcticMemError {
  override readonly name: string = "ModelError";
  readonly retryable: boolean;
  readonly retryAfterMs: number | undefined;

  constructor(message: string, details: ModelErrorDetails) {
    super("MODEL_FAILED", message, details);
    this.retryable = details.retryable;
    this.retryAfterMs = details.retryAfterMs;
  }
}

/** Whether a setting is at fault, such as a key that is not there. */
export function isConfigError(thrown: unknown): thrown is ArcticMemError {
  return thrown instanceof ArcticMemError && thrown.code === "CONFIG_INVALID";
}

/** The text of anything that was thrown. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/** The system's code of a failed operation, such as `ENOENT`; empty where there is none. */
export function systemCodeOf(thrown: unknown): string {
  return thrown instanceof Error && "code" in thrown ? String(thrown.code) : "";
}
