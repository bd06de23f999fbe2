/**
 * Hashes of texts, and random names.
 *
 * An `import` of `node:crypto` makes Node load Web Crypto for the sake of one export, 10 ms of a hook's life; asked for
 * this way it does not.
 */
const { createHash, randomBytes } = process.getBuiltinModule("node:crypto");

/** SHA-256 of a text's UTF-8 bytes, as 64 hexadecimal digits. */
export function sha256(text: string): string {
  return createHash("sha256").update(text, "utf8").digest("hex");
}

/** What a citation keeps of a line: SHA-256 with white space folded, so that re-indenting changes nothing. */
export function hashLine(line: string): string {
  return sha256(line.replace(/\s+/g, " ").trim());
}

/** @param bytes - How many random bytes; the text has two hexadecimal digits for each. */
export function randomHex(bytes: number): string {
  return randomBytes(bytes).toString("hex");
}
