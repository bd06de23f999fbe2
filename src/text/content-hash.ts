/** When two memories say the same thing in the same words: the hash that the store keeps unique within scope and type. */
import { sha256 } from "../core/hash.ts";
import type { FactBody } from "../core/memory-record.ts";
import { canonicalText } from "./shingles.ts";

/** SHA-256 of the canonical form of what a fact claims, as 64 hexadecimal digits. Title and guidance do not count. */
export function contentHash(body: Pick<FactBody, "content">): string {
  return sha256(canonicalText(body.content));
}
