/**
 * One HTTP request, through a proxy where the environment names one. Redirects, statuses and bodies are the caller's;
 * here ends only what never became an answer.
 */
import {
  type IncomingHttpHeaders,
  type IncomingMessage,
  request as plainRequest,
  type RequestOptions,
} from "node:http";
import { request as secureRequest } from "node:https";
import { connect } from "node:tls";
import { ModelError, messageOf } from "../../core/errors.ts";
import { given } from "../../core/given.ts";
import { openTunnel, proxyFor, proxyHeaders, type Variables } from "./proxy.ts";

export interface HttpRequest {
  readonly url: URL;
  readonly method?: "GET" | "POST";
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Silence after which the connection counts as dead. */
  readonly idleMs: number;
  readonly signal?: AbortSignal | undefined;
  /** Of the process: where the proxy is named. */
  readonly variables: Variables;
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Fails when the connection breaks before the end. */
  readonly body: IncomingMessage;
}

/**
 * @throws {ModelError} retryable, where there is no answer; its `cause` is the system's error.
 * @throws The signal's reason, when it is aborted.
 */
export async function sendRequest(request: HttpRequest): Promise<HttpAnswer> {
  const { url, signal, variables } = request;
  const proxy = proxyFor(url, variables);
  const options: RequestOptions = {
    method: request.method ?? "GET",
    headers: { "accept-encoding": "identity", ...lengthOf(request.body), ...request.headers },
    timeout: request.idleMs,
    ...given({ signal }),
  };
  if (proxy === undefined) return exchange(request, url, options);
  if (url.protocol === "http:") {
    const headers = { ...options.headers, host: url.host, ...proxyHeaders(proxy) };
    return exchange(request, proxy, { ...options, path: url.href, headers });
  }
  const socket = await openTunnel(proxy, url, signal);
  const createConnection = () => connect({ socket, servername: url.hostname });
  return exchange(request, url, { ...options, createConnection });
}

const lengthOf = (body: string | undefined): Record<string, string> =>
  body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) };

function exchange({ url, body, idleMs, signal }: HttpRequest, peer: URL, options: RequestOptions): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    const open = peer.protocol === "https:" ? secureRequest : plainRequest;
    const request = open(peer, options, (response) => {
      resolve({ status: response.statusCode ?? 0, headers: response.headers, body: response });
    });
    request.on("timeout", () => request.destroy(new Error(`silent for ${idleMs} ms`)));
    request.on("error", (cause) => {
      if (signal?.aborted === true) reject(signal.reason);
      else reject(new ModelError(`${url.host} can't be reached: ${messageOf(cause)}`, { retryable: true, cause }));
    });
    request.end(body);
  });
}
