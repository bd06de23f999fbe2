/**
 * Branded ids: a plain string becomes one only through its function here, so that a session id can never be passed as
 * a memory id.
 */
import { randomHex } from "./hash.ts";

declare const brand: unique symbol;

/** A string that stands for one kind of thing. */
export type Id<Kind extends string> = string & { readonly [brand]: Kind };

/** Twelve characters of the alphabet below; the first six are unique within a store and name the memory to people. */
export type MemoryId = Id<"Memory">;
/** Identity of a project: `git:host/owner/name`, `gitdir:<hash>`, `dir:<hash>` or `named:<name>`. Never a basename. */
export type ProjectId = Id<"Project">;
/** The host's own id of a session. */
export type SessionId = Id<"Session">;
export type RunId = Id<"Run">;
export type ChunkId = Id<"Chunk">;

export const memoryId = (text: string): MemoryId => text as MemoryId;
export const projectId = (text: string): ProjectId => text as ProjectId;
export const sessionId = (text: string): SessionId => text as SessionId;
export const runId = (text: string): RunId => text as RunId;
export const chunkId = (text: string): ChunkId => text as ChunkId;

/** Crockford's base 32, lower case: no i, l, o, u, so that ids survive being read aloud. */
const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";

/** How many leading characters of a memory's id people see. */
export const HANDLE_CHARACTERS = 6;
const ID_CHARACTERS = 12;

/** Source of new ids; tests pass a counted one. */
export interface IdSource {
  /** @returns A new id text of twelve characters of Crockford's base 32. */
  next(): string;
}

/** Ids from the platform's secure random source. */
export const randomIds: IdSource = {
  next(): string {
    const bytes = Buffer.from(randomHex(ID_CHARACTERS), "hex");
    return Array.from(bytes, (byte) => ALPHABET[byte & 31]).join("");
  },
};
