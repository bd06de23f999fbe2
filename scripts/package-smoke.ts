/**
 * Packs the package, installs the packed file into an empty folder and uses it there: the version, a note kept and found,
 * a hook with a real payload, the tools of the server. What is left out of the package, or only works from the checkout,
 * fails here. No install script runs, and nothing is asked of a network but the dependencies that npm has not cached.
 */
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const ROOT = resolve(import.meta.dirname, "..");
const NPM = process.platform === "win32" ? "npm.cmd" : "npm";
const TIMEOUT_MS = 120_000;
/** A packed file that is larger holds something that nobody needs: the model takes 20 MB of it. */
const MOST_PACKED_BYTES = 30_000_000;

interface Manifest {
  readonly version: string;
  readonly bin: Readonly<Record<string, string>>;
}

interface Packed {
  readonly filename: string;
  readonly size: number;
  readonly files: readonly { readonly path: string }[];
}

function expect(condition: boolean, message: string): void {
  if (!condition) throw new Error(message);
}

function pack(folder: string): string {
  const argv = ["pack", "--json", "--ignore-scripts", "--pack-destination", folder];
  const [packed] = JSON.parse(execFileSync(NPM, argv, { cwd: ROOT, encoding: "utf8" })) as Packed[];
  if (packed === undefined) throw new Error("npm packed nothing");
  const paths = packed.files.map(({ path }) => path);
  const strangers = paths.filter(
    (path) => !/^(?:dist|assets|profiles)\/|^(?:package\.json|LICENSE|[A-Z]+\.md)$/.test(path),
  );
  expect(strangers.length === 0, `the package holds what it should not: ${strangers.join(", ")}`);
  expect(packed.size <= MOST_PACKED_BYTES, `the package takes ${packed.size} bytes`);
  return join(folder, packed.filename);
}

function install(folder: string, file: string): string {
  mkdirSync(folder);
  writeFileSync(join(folder, "package.json"), '{"name":"smoke","private":true}');
  const argv = ["install", "--prefer-offline", "--ignore-scripts", "--no-audit", "--no-fund", file];
  execFileSync(NPM, argv, { cwd: folder, stdio: ["ignore", "ignore", "inherit"] });
  return join(folder, "node_modules", ".bin");
}

/** Runs a program of the package with no environment but a home; resolves with what it printed. */
function run(
  command: string,
  argv: readonly string[],
  { home, input }: { readonly home: string; readonly input: string },
): Promise<string> {
  return new Promise((resolvePrinted, reject) => {
    const { PATH = "", SystemRoot = "" } = process.env;
    const env = {
      PATH,
      SystemRoot,
      HOME: home,
      USERPROFILE: home,
      ARCTICMEM_HOME: join(home, "memory"),
      CLAUDECODE: "1",
    };
    const child = spawn(command, argv, { cwd: home, env, stdio: ["pipe", "pipe", "inherit"], timeout: TIMEOUT_MS });
    let printed = "";
    child.stdout.on("data", (chunk) => {
      printed += String(chunk);
    });
    child.on("error", reject);
    child.on("close", (code) =>
      code === 0 ? resolvePrinted(printed) : reject(new Error(`${command} ${argv.join(" ")}: exit ${code}`)),
    );
    child.stdin.end(input);
  });
}

async function use(bin: string, home: string, version: string): Promise<void> {
  const arcticmem = (...argv: string[]): Promise<string> => run(join(bin, "arcticmem"), argv, { home, input: "" });
  expect((await arcticmem("--version")).trim() === version, "the version differs from the manifest's");

  const added = JSON.parse(await arcticmem("add", "The ledger closes at 02:00 UTC", "--json")) as { id: string };
  const found = await arcticmem("search", "when does the ledger close", "--json");
  expect(found.includes(added.id), `a note that was kept is not found: ${found}`);

  const payload = { session_id: "smoke", cwd: home, hook_event_name: "SessionStart", source: "startup" };
  const context = await run(join(bin, "arcticmem-hook"), ["claude-code"], { home, input: JSON.stringify(payload) });
  expect(context.includes("ledger"), `the hook does not tell of the note: ${context}`);

  const messages = [
    {
      jsonrpc: "2.0",
      id: 1,
      method: "initialize",
      params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "smoke", version: "1" } },
    },
    { jsonrpc: "2.0", method: "notifications/initialized" },
    { jsonrpc: "2.0", id: 2, method: "tools/list" },
  ];
  const input = messages.map((message) => `${JSON.stringify(message)}\n`).join("");
  const answers = await run(join(bin, "arcticmem"), ["mcp"], { home, input });
  expect(answers.includes('"memory_search"'), `the server lists no tools: ${answers}`);
}

const folder = mkdtempSync(join(tmpdir(), "arcticmem-smoke-"));
try {
  expect(readdirSync(ROOT).includes("dist"), "run `npm run build` first");
  const { version, bin: programs } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as Manifest;
  for (const program of Object.values(programs)) {
    const isExecutable = process.platform === "win32" || (statSync(join(ROOT, program)).mode & 0o111) === 0o111;
    expect(isExecutable, `${program} is not executable: after \`npm link\` the command would be refused`);
  }
  const bin = install(join(folder, "consumer"), pack(folder));
  const home = join(folder, "home");
  mkdirSync(home);
  await use(bin, home, version);
  process.stdout.write("The packed package works.\n");
} finally {
  rmSync(folder, { recursive: true, force: true });
}
