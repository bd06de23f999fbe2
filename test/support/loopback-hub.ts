/**
 * A model hub on loopback: `/<owner>/<repository>/resolve/<revision>/<file>`, large files behind a redirect to a storage
 * that takes ranges, checksums in the tags. Faults are answered once each, by file.
 */
import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export type HubFault =
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>> }
  /** Breaks off after so many bytes. */
  | { readonly cutAfter: number }
  /** One byte is another one than the checksum says. */
  | "damaged"
  | "ignores-range"
  | "tells-no-checksum";

export interface LoopbackHub extends AsyncDisposable {
  readonly url: string;
  /** `<file> <range or ->`, as the storage was asked. */
  readonly asked: readonly string[];
  /** Faults to come, by file. */
  readonly faults: Record<string, HubFault[]>;
}

export async function startLoopbackHub(
  repository: string,
  files: Readonly<Record<string, Buffer>>,
): Promise<LoopbackHub> {
  const asked: string[] = [];
  const faults: Record<string, HubFault[]> = {};
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? "/", "http://hub").pathname);
    const [, place = "", file = ""] = new RegExp(`^/(${repository}/resolve/main|storage)/(.+)$`).exec(path) ?? [];
    const content = files[file];
    if (content === undefined) return void response.writeHead(404).end("Entry not found");
    const fault = place === "storage" || content.length < LARGE ? faults[file]?.shift() : undefined;
    if (content.length >= LARGE && place !== "storage") return redirect(response, { file, content, faults });
    asked.push(`${file} ${request.headers.range ?? "-"}`);
    send({ request, response, fault }, content);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    faults,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** From here on a file lies in the storage. */
const LARGE = 5_000;

interface Redirect {
  readonly file: string;
  readonly content: Buffer;
  readonly faults: Readonly<Record<string, readonly HubFault[]>>;
}

function redirect(response: ServerResponse, { file, content, faults }: Redirect): void {
  const isSilent = faults[file]?.[0] === "tells-no-checksum";
  const sha256 = createHash("sha256").update(content).digest("hex");
  const tag: Record<string, string> = isSilent ? {} : { "x-linked-etag": `"${sha256}"` };
  response.writeHead(302, { location: `/storage/${file}`, ...tag }).end();
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly fault: HubFault | undefined;
}

function send({ request, response, fault }: Exchange, content: Buffer): void {
  if (typeof fault === "object" && "status" in fault) return void response.writeHead(fault.status, fault.headers).end();
  const [, from] = fault === "ignores-range" ? [] : (/^bytes=(\d+)-$/.exec(request.headers.range ?? "") ?? []);
  const start = Number(from ?? 0);
  if (start >= content.length) {
    return void response.writeHead(416, { "content-range": `bytes */${content.length}` }).end();
  }
  const part = Buffer.from(content.subarray(start));
  if (fault === "damaged") part[part.length - 1] = (part.at(-1) ?? 0) ^ 1;
  const git = createHash("sha1").update(`blob ${content.length}\0`).update(content).digest("hex");
  response.writeHead(from === undefined ? 200 : 206, {
    "content-length": String(part.length),
    etag: content.length >= LARGE ? '"d41d8cd98f00b204e9800998ecf8427e"' : `"${git}"`,
    ...(from === undefined ? {} : { "content-range": `bytes ${start}-${content.length - 1}/${content.length}` }),
  });
  if (typeof fault === "object") return void response.write(part.subarray(0, fault.cutAfter), () => response.destroy());
  response.end(part);
}
