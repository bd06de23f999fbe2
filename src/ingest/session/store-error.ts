/** Errors of the store are nobody's session's fault: they are thrown on, and no try is counted against the session. */
import { ArcticMemError } from "../../core/errors.ts";

const STORE_CODES: readonly string[] = [
  "STORE_BROKEN",
  "STORE_FULL",
  "STORE_LOCKED",
  "STORE_NEWER",
  "PERMISSION_DENIED",
];

export function isStoreError(error: unknown): boolean {
  return error instanceof ArcticMemError && STORE_CODES.includes(error.code);
}
