/** The MCP server as its client sees it: time until the tools are listed, and resident memory after a hundred searches. */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { MiniLmEmbedder } from "../src/internals.ts";
import { type Figure, toFigure } from "./figure.ts";
import { processMs } from "./measure.ts";
import { fillStore, makeSampleHome, openSampleStore, type SampleHome } from "./sample-store.ts";

const CLI = resolve(import.meta.dirname, "../dist/cli/main.js");
const RUNS = 15;
const SEARCHES = 100;
const NOTES = 1_000;

export async function serverFigures(): Promise<Figure[]> {
  using home = await makeSampleHome();
  const store = await openSampleStore(home);
  const embedder = new MiniLmEmbedder();
  await fillStore(store, { project: home.projectId, from: 0, count: NOTES, embedder });
  await embedder.close();
  await store.close();
  const listed: number[] = [];
  const baseline: number[] = [];
  for (let time = 0; time < RUNS; time += 1) {
    baseline.push(processMs({ args: ["-e", "0"] }));
    const started = performance.now();
    const { client } = await connect(home);
    await client.listTools();
    listed.push(performance.now() - started);
    await client.close();
  }
  return [
    toFigure({ name: "mcp-tools-list", unit: "ms", values: listed, baseline }),
    toFigure({ name: `mcp-resident-after-${SEARCHES}-searches`, unit: "MB", values: [await residentMegabytes(home)] }),
  ];
}

async function connect(home: SampleHome): Promise<{ readonly client: Client; readonly pid: number }> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [CLI, "mcp"],
    cwd: home.project,
    env: { ...home.environment, ARCTICMEM_NO_WORKER: "1" },
    stderr: "ignore",
  });
  const client = new Client({ name: "bench", version: "1.0.0" });
  await client.connect(transport);
  return { client, pid: transport.pid ?? 0 };
}

/** By the kernel's own account; only Linux tells it so. */
async function residentMegabytes(home: SampleHome): Promise<number> {
  const { client, pid } = await connect(home);
  for (let number = 0; number < SEARCHES; number += 1) {
    await client.callTool({ name: "memory_search", arguments: { query: `debugging the valve of case ${number}` } });
  }
  const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  await client.close();
  return Number(kilobytes) / 1024;
}
