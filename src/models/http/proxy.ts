/**
 * Proxies as other programs know them: `HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY` and `NO_PROXY`, in either case. Node's own
 * requests heed them from version 24 on, and only when told to.
 */
import { request as plainRequest } from "node:http";
import { request as secureRequest } from "node:https";
import type { Socket } from "node:net";
import { ModelError, messageOf } from "../../core/errors.ts";
import { given } from "../../core/given.ts";

export type Variables = Readonly<Record<string, string | undefined>>;

/** The proxy for this address; undefined where it is reached directly. */
export function proxyFor(url: URL, variables: Variables): URL | undefined {
  const name = url.protocol === "https:" ? "HTTPS_PROXY" : "HTTP_PROXY";
  const value = read(variables, name) ?? read(variables, "ALL_PROXY");
  if (value === undefined || isExempt(url, read(variables, "NO_PROXY") ?? "")) return undefined;
  const text = value.includes("://") ? value : `http://${value}`;
  return URL.canParse(text) && /^https?:/.test(text) ? new URL(text) : undefined;
}

function read(variables: Variables, name: string): string | undefined {
  const value = variables[name.toLowerCase()] ?? variables[name];
  return value === undefined || value.trim() === "" ? undefined : value.trim();
}

/** `*`, `example.com` and `.example.com` (both with all below), `host:port`. Loopback never goes through a proxy. */
function isExempt({ hostname, port, protocol }: URL, noProxy: string): boolean {
  if (hostname === "localhost" || hostname === "[::1]" || hostname.startsWith("127.")) return true;
  const ownPort = port === "" ? (protocol === "https:" ? "443" : "80") : port;
  return noProxy.split(/[\s,]+/).some((entry) => {
    if (entry === "*") return true;
    const [, host = "", entryPort] = /^\*?\.?([^:]*)(?::(\d+))?$/.exec(entry) ?? [];
    if (host === "" || (entryPort !== undefined && entryPort !== ownPort)) return false;
    return hostname === host || hostname.endsWith(`.${host}`);
  });
}

/** `Proxy-Authorization` for a proxy whose address carries a name and password. */
export function proxyHeaders({ username, password }: URL): Record<string, string> {
  if (username === "") return {};
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { "proxy-authorization": `Basic ${Buffer.from(pair).toString("base64")}` };
}

/**
 * A tunnel to the target's port through the proxy (HTTP CONNECT).
 *
 * @throws {ModelError} where the proxy is not there or refuses.
 */
export function openTunnel(proxy: URL, target: URL, signal: AbortSignal | undefined): Promise<Socket> {
  const place = `${target.hostname}:${target.port === "" ? "443" : target.port}`;
  return new Promise((resolve, reject) => {
    const fail = (said: string): void =>
      reject(
        new ModelError(`The proxy ${proxy.host} does not lead to ${target.host}: ${said}`, {
          retryable: true,
          hint: "Check HTTPS_PROXY and NO_PROXY.",
        }),
      );
    const open = proxy.protocol === "https:" ? secureRequest : plainRequest;
    const request = open({
      host: proxy.hostname,
      port: proxy.port === "" ? (proxy.protocol === "https:" ? 443 : 80) : proxy.port,
      method: "CONNECT",
      path: place,
      headers: { host: place, ...proxyHeaders(proxy) },
      ...given({ signal }),
    });
    request.once("connect", (response, socket) => {
      if (response.statusCode === 200) resolve(socket);
      else {
        socket.destroy();
        fail(`it answered ${response.statusCode}`);
      }
    });
    request.once("response", (response) => fail(`it answered ${response.statusCode}`));
    request.once("error", (error) => fail(messageOf(error)));
    request.end();
  });
}
