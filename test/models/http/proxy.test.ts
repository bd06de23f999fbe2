import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { type AddressInfo, connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { proxyFor, type Variables } from "../../../src/models/http/proxy.ts";
import { sendRequest } from "../../../src/models/http/send-request.ts";

const through = (url: string, variables: Variables): string | undefined => proxyFor(new URL(url), variables)?.href;

describe("the proxy for an address", () => {
  it("is the one that the environment names for its protocol, in either case", () => {
    const variables = { HTTPS_PROXY: "http://secure:3128", http_proxy: "plain:8080" };
    expect(through("https://hub.example/x", variables)).toBe("http://secure:3128/");
    expect(through("http://hub.example/x", variables)).toBe("http://plain:8080/");
    expect(through("https://hub.example/x", { ALL_PROXY: "http://all:1" })).toBe("http://all:1/");
    expect(through("https://hub.example/x", { HTTPS_PROXY: " " })).toBeUndefined();
    expect(through("https://hub.example/x", { HTTPS_PROXY: "socks5://sock:1" })).toBeUndefined();
  });

  it("is none where NO_PROXY names the host, a domain above it, or its port", () => {
    const of = (noProxy: string) =>
      through("https://a.hub.example:444/x", { HTTPS_PROXY: "http://p:1", NO_PROXY: noProxy });
    for (const exempt of ["*", "a.hub.example", "hub.example", ".hub.example", "*.hub.example", "x, hub.example:444"]) {
      expect(of(exempt)).toBeUndefined();
    }
    for (const other of ["", "ub.example", "a.hub.example:443", "b.hub.example"]) expect(of(other)).toBe("http://p:1/");
  });

  it("is never asked for loopback: local models are not the proxy's", () => {
    for (const host of ["localhost", "127.0.0.1", "[::1]"]) {
      expect(through(`http://${host}:11434/v1`, { HTTP_PROXY: "http://p:1" })).toBeUndefined();
    }
  });
});

const servers: Server[] = [];
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  for (const server of servers.splice(0)) {
    await new Promise((resolve) => server.close(resolve));
  }
});

async function listen(server: Server): Promise<number> {
  servers.push(server);
  server.on("connection", (socket: Socket) => sockets.push(socket));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

async function textOf(body: IncomingMessage): Promise<string> {
  let text = "";
  for await (const part of body) text += String(part);
  return text;
}

describe("a request through a proxy", () => {
  it("goes to the proxy with the whole address and the proxy's password, over plain HTTP", async () => {
    const seen: unknown[] = [];
    const port = await listen(
      createServer((request, response) => {
        seen.push([request.url, request.headers.host, request.headers["proxy-authorization"]]);
        response.end("from the proxy");
      }),
    );
    const { status, body } = await sendRequest({
      url: new URL("http://hub.example/model"),
      idleMs: 5_000,
      variables: { HTTP_PROXY: `http://me:p%40ss@127.0.0.1:${port}` },
    });
    expect([status, await textOf(body)]).toEqual([200, "from the proxy"]);
    const password = `Basic ${Buffer.from("me:p@ss").toString("base64")}`;
    expect(seen).toEqual([["http://hub.example/model", "hub.example", password]]);
  });

  it("goes through a tunnel over HTTPS, so that the proxy reads nothing", async ({ skip }) => {
    const folder = mkdtempSync(join(tmpdir(), "arcticmem-tls-"));
    try {
      const subject = ["-subj", "/CN=hub.example", "-addext", "subjectAltName=DNS:hub.example"];
      const files = ["-keyout", join(folder, "key.pem"), "-out", join(folder, "cert.pem")];
      const openssl = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", ...subject, ...files];
      execFileSync("openssl", openssl, { stdio: "ignore" });
    } catch {
      skip("openssl is not installed: no certificate for the test's server");
    }
    const [key, cert] = ["key.pem", "cert.pem"].map((name) => readFileSync(join(folder, name)));
    const target = createSecureServer(
      { key, cert },
      (request, response) => void response.end(`you asked ${request.url}`),
    );
    const port = await listen(target);
    const asked: (string | undefined)[] = [];
    const proxy = createServer((_request, response) => void response.writeHead(500).end());
    proxy.on("connect", (request, client) => {
      asked.push(request.url);
      const upstream = connect(port, "127.0.0.1", () => {
        client.write("HTTP/1.1 200 Connection established\r\n\r\n");
        upstream.pipe(client).pipe(upstream);
      });
    });
    const proxyPort = await listen(proxy);
    const trusting = process.env.NODE_TLS_REJECT_UNAUTHORIZED;
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = "0";
    try {
      const variables = { HTTPS_PROXY: `http://127.0.0.1:${proxyPort}` };
      const { body } = await sendRequest({ url: new URL("https://hub.example/model?x=1"), idleMs: 5_000, variables });
      expect(await textOf(body)).toBe("you asked /model?x=1");
      expect(asked).toEqual(["hub.example:443"]);
    } finally {
      if (trusting === undefined) delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
      else process.env.NODE_TLS_REJECT_UNAUTHORIZED = trusting;
    }
  });

  it("says that the proxy refuses, or is not there", async () => {
    const proxy = createServer();
    proxy.on("connect", (_request, client) => client.end("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n"));
    const port = await listen(proxy);
    const ask = (proxyPort: number) =>
      sendRequest({
        url: new URL("https://hub.example/"),
        idleMs: 5_000,
        variables: { HTTPS_PROXY: `http://127.0.0.1:${proxyPort}` },
      });
    await expect(ask(port)).rejects.toMatchObject({
      message: expect.stringContaining("407"),
      hint: "Check HTTPS_PROXY and NO_PROXY.",
    });
    await expect(ask(9)).rejects.toMatchObject({ message: expect.stringContaining("ECONNREFUSED"), retryable: true });
  });
});
