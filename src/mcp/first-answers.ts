/**
 * The first answers of a session. The protocol's SDK takes two bare starts of Node to load, and a host shows no tool
 * before it has them all. So the opening requests, whose answers never vary, are answered from here while the SDK is
 * still to be loaded; it then reads the same messages, and what it answers to them is dropped. A test holds both answers
 * against each other. Whatever is not plainly one of these requests is left to the SDK.
 */
import { isObject, type JsonObject } from "../core/json/json-values.ts";
import type { ListedTool } from "./tool-list.ts";

export interface ServerOffer {
  readonly serverInfo: { readonly name: string; readonly version: string };
  readonly instructions: string;
  readonly tools: readonly ListedTool[];
}

export interface FirstAnswer {
  readonly id: string | number;
  /** The result object of the response. */
  readonly result: Readonly<Record<string, unknown>>;
  /** The client has the tools: the opening is over. */
  readonly isLast: boolean;
}

/** Revisions that open with `initialize`. */
const LEGACY_VERSIONS: readonly unknown[] = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05", "2024-10-07"];
/** The revision without a handshake: each request carries its own envelope. */
const MODERN_VERSION = "2026-07-28";
const META = "io.modelcontextprotocol/";
const CAPABILITIES = { tools: { listChanged: true } } as const;

type Era = "open" | "legacy" | "modern";

/** @returns A function that is shown every message, in order, and knows the answers to some. */
export function firstAnswers(offer: ServerOffer): (message: unknown) => FirstAnswer | undefined {
  let era: Era = "open";
  return (message) => {
    const request = requestOf(message);
    if (request === undefined) return undefined;
    const asked = request.method === "initialize" ? "legacy" : request.method === "server/discover" ? "modern" : era;
    const result = answerTo(request, asked, offer);
    if (result === undefined) return undefined;
    era = asked;
    return { id: request.id, result, isLast: request.method === "tools/list" };
  };
}

interface Request {
  readonly id: string | number;
  readonly method: unknown;
  readonly params: JsonObject;
}

function answerTo({ method, params }: Request, era: Era, offer: ServerOffer): JsonObject | undefined {
  if (era === "legacy") return legacyAnswer(method, params, offer);
  if (era !== "modern" || !isModern(params)) return undefined;
  const { serverInfo, instructions, tools } = offer;
  const frame = {
    resultType: "complete",
    ttlMs: 0,
    cacheScope: "private",
    _meta: { [`${META}serverInfo`]: serverInfo },
  };
  if (method === "tools/list") return isPaged(params) ? undefined : { tools, ...frame };
  if (method !== "server/discover") return undefined;
  return { supportedVersions: [MODERN_VERSION], capabilities: CAPABILITIES, instructions, ...frame };
}

function legacyAnswer(method: unknown, params: JsonObject, offer: ServerOffer): JsonObject | undefined {
  if (hasEnvelope(params)) return undefined;
  const { serverInfo, instructions, tools } = offer;
  if (method === "ping") return {};
  if (method === "tools/list") return isPaged(params) ? undefined : { tools };
  if (method !== "initialize" || !LEGACY_VERSIONS.includes(params.protocolVersion)) return undefined;
  if (!isObject(params.capabilities) || !isImplementation(params.clientInfo)) return undefined;
  return { protocolVersion: params.protocolVersion, capabilities: CAPABILITIES, serverInfo, instructions };
}

function requestOf(message: unknown): Request | undefined {
  if (!isObject(message) || message.jsonrpc !== "2.0") return undefined;
  const { id, method, params = {} } = message;
  if (typeof id !== "string" && typeof id !== "number") return undefined;
  return isObject(params) ? { id, method, params } : undefined;
}

function isModern({ _meta: meta }: JsonObject): boolean {
  if (!isObject(meta) || meta[`${META}protocolVersion`] !== MODERN_VERSION) return false;
  return isImplementation(meta[`${META}clientInfo`]) && isObject(meta[`${META}clientCapabilities`]);
}

function hasEnvelope({ _meta: meta }: JsonObject): boolean {
  return isObject(meta) && Object.keys(meta).some((key) => key.startsWith(META));
}

function isPaged(params: JsonObject): boolean {
  return params.cursor !== undefined;
}

function isImplementation(value: unknown): boolean {
  return isObject(value) && typeof value.name === "string" && typeof value.version === "string";
}
