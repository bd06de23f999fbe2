/**
 * Embedding endpoints on loopback, each in its provider's own words: OpenAI's, Voyage's, Cohere's, Gemini's, Snowflake's.
 * A text's vector is the hash embedder's under the model's name, scaled, so that whoever forgets unit length is found out. Faults are answered in
 * the order given, before anything else.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { hashEmbedder } from "./hash-embedder.ts";

export type Fault =
  | { readonly status: number; readonly body?: string; readonly headers?: Readonly<Record<string, string>> }
  /** The connection breaks before or in the middle of the answer. */
  | "close"
  | "cut"
  | "hang"
  | "no-json"
  | "one-missing"
  | "not-a-number"
  | "one-dimension-more"
  | "zeros";

export interface EmbeddingRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>>;
  readonly texts: readonly string[];
}

export interface EmbeddingServerOptions {
  /** Default 24. */
  readonly dimensions?: number;
  readonly faults?: readonly Fault[];
  /** A longer text, or longer texts together, are refused. */
  readonly maxCharacters?: number;
}

export interface EmbeddingServer extends AsyncDisposable {
  readonly url: string;
  readonly requests: readonly EmbeddingRequest[];
  /** Before each answer. */
  delayMs: number;
}

interface Dialect {
  readonly path: RegExp;
  texts(body: Readonly<Record<string, unknown>>): string[];
  answer(vectors: readonly unknown[]): unknown;
}

const listed = (vectors: readonly unknown[]) => ({
  object: "list",
  // Shuffled on purpose: the index counts, not the place.
  data: vectors.map((embedding, index) => ({ object: "embedding", index, embedding })).toReversed(),
  usage: { total_tokens: 1 },
});

const DIALECTS: readonly Dialect[] = [
  { path: /^\/v1\/embeddings$/, texts: (body) => body.input as string[], answer: listed },
  {
    path: /^\/v2\/embed$/,
    texts: (body) => body.texts as string[],
    answer: (vectors) => ({ id: "x", embeddings: { float: vectors } }),
  },
  {
    path: /^\/v1beta\/models\/[\w.-]+:batchEmbedContents$/,
    texts: (body) =>
      (body.requests as { content: { parts: { text: string }[] } }[]).map(
        ({ content }) => content.parts[0]?.text ?? "",
      ),
    answer: (vectors) => ({ embeddings: vectors.map((values) => ({ values })) }),
  },
  {
    path: /^\/api\/v2\/cortex\/inference:embed$/,
    texts: (body) => body.text as string[],
    answer: (vectors) => listed(vectors.map((vector) => [vector])),
  },
];

export async function startEmbeddingServer(options: EmbeddingServerOptions = {}): Promise<EmbeddingServer> {
  const requests: EmbeddingRequest[] = [];
  const faults = [...(options.faults ?? [])];
  const server = createServer((request, response) => {
    void readBody(request).then((body) => {
      const path = decodeURIComponent(request.url ?? "");
      const dialect = DIALECTS.find((one) => one.path.test(path));
      if (dialect === undefined) return void response.writeHead(404).end(`no such path: ${path}`);
      const texts = dialect.texts(body);
      const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
      requests.push({ path, headers, body, texts });
      const fault = faults.shift();
      const model = String(body.model ?? "");
      setTimeout(() => answer({ response, dialect, fault, options, model }, texts), endpoint.delayMs);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const endpoint: EmbeddingServer = {
    delayMs: 0,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return endpoint;
}

interface Exchange {
  readonly response: ServerResponse;
  readonly dialect: Dialect;
  readonly fault: Fault | undefined;
  readonly options: EmbeddingServerOptions;
  readonly model: string;
}

function answer({ response, dialect, fault, options, model }: Exchange, texts: readonly string[]): void {
  const { dimensions = 24, maxCharacters = Number.POSITIVE_INFINITY } = options;
  if (fault === "hang") return;
  if (fault === "close") return void response.destroy();
  if (fault === "no-json") return void response.writeHead(200).end("<html>a proxy's page</html>");
  if (typeof fault === "object") return void response.writeHead(fault.status, fault.headers).end(fault.body ?? "");
  if (texts.join("").length > maxCharacters) {
    return void response.writeHead(400).end(JSON.stringify({ error: { message: "input exceeds the context length" } }));
  }
  const { embedQuery } = hashEmbedder({ dimensions, fingerprint: model });
  const vectors = texts.map((text) => [...embedQuery(text)].map((value) => value * 3));
  const body = JSON.stringify(dialect.answer(spoil(vectors, fault)));
  response.writeHead(200, { "content-type": "application/json", "content-length": String(Buffer.byteLength(body)) });
  if (fault === "cut") return void response.write(body.slice(0, body.length / 2), () => response.destroy());
  response.end(body);
}

function spoil(vectors: readonly (readonly number[])[], fault: Fault | undefined): readonly (readonly unknown[])[] {
  const [first = [], ...others] = vectors;
  if (fault === "one-missing") return others;
  if (fault === "not-a-number") return [first.map(() => null), ...others];
  if (fault === "zeros") return [first.map(() => 0), ...others];
  if (fault === "one-dimension-more") return vectors.map((vector) => [...vector, 1]);
  return vectors;
}

async function readBody(request: IncomingMessage): Promise<Record<string, unknown>> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return JSON.parse(Buffer.concat(parts).toString("utf8")) as Record<string, unknown>;
}
