/** Twenty-four kinds of secrets in more than twenty places, through a whole memory: none is in any file, prompt or output of ours. */
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join, relative, sep } from "node:path";
import { describe, expect, it } from "vitest";
import type { Memory } from "../../src/core/memory.ts";
import { answerHook } from "../../src/hooks/answer-hook.ts";
import { claudeRecords, type RecordWriter } from "../support/claude-records.ts";
import { openTestHome, type TestHome } from "../support/open-test-memory.ts";
import { runCli } from "../support/run-cli.ts";
import { factFrom, handlesIn, reactiveExtraction, reactiveSummaries } from "../support/scripted-model/reactive.ts";
import type { ModelCall, ScriptEntry } from "../support/scripted-model/script.ts";
import { type ScriptedModel, startScriptedModel } from "../support/scripted-model/server.ts";
import { linesOf, type SecretMatrix, secretMatrix } from "../support/secret-matrix.ts";

const KEY = "sk-proj-theKeyOfTheEndpoint4711theKeyOfTheEndpoint";

const REFUSED_SESSION = "Tell me about the harvest of last year.";

function addSession(records: RecordWriter, matrix: SecretMatrix): void {
  const plant = (place: string) => linesOf(matrix.plant(place));
  const call = (id: string, name: string, input: object) =>
    records.assistant([{ type: "tool_use", id, name, input: { ...input } }]);
  records.user(`Set up the importer of harvest. Here is my environment:\n${plant("human text")}`);
  records.user(
    `And in a fence:\n\`\`\`sh\n${plant("code fence")}\n\`\`\`\nAlways use pnpm in this repository, never npm.`,
  );
  call("c1", "Bash", { command: `cat > .env <<'EOF'\n${plant("tool arguments")}\nEOF` });
  records.result("c1", `written\n${plant("tool result")}`);
  call("c2", "Write", { file_path: "/work/billing/config.yaml", content: plant("written file") });
  records.result("c2", "File written");
  for (const [at, { text }] of matrix.plantBare("file name").entries()) {
    call(`f${at}`, "Read", { file_path: `/work/billing/keys/${text}.txt` });
    records.result(`f${at}`, "1: nothing");
  }
  call("c3", "Bash", { command: "env; cat settings.json" });
  const json = JSON.stringify({ all: matrix.plant("JSON").map(({ text }) => text) }, null, 2);
  records.result("c3", `${plant("environment dump")}\n${json}`);
  records.assistant([{ type: "text", text: `I called these:\n${plant("assistant text")}` }]);
  const headers = matrix.plantBare("header").map(({ text }) => `-H "X-Api-Key: ${text}"`);
  const urls = matrix.plantBare("URL").map(({ text }) => `https://api.example.org/v1?token=${text}`);
  call("c4", "Bash", { command: `curl ${headers.join(" ")} ${urls.join(" ")}` });
  records.result("c4", `Error: refused\n${plant("error message")}`, { is_error: true });
  call("c5", "WebFetch", { url: "https://docs.example.org" });
  records.result("c5", `A page that holds\n${plant("web page")}`);
  const summary = `This session is being continued from a previous conversation.\n${plant("compaction summary")}`;
  records.user(summary, { isCompactSummary: true });
  records.add({ type: "queue-operation", operation: "enqueue", content: `and mind\n${plant("queued prompt")}` });
  const queued = { type: "queued_command", commandMode: "prompt", prompt: `look at\n${plant("attachment")}` };
  const parent = records.records.findLast(({ uuid }) => uuid !== undefined)?.uuid;
  const attached = { parentUuid: parent, isSidechain: false, cwd: "/work", sessionId: "s", uuid: "att-1" };
  records.add({ ...attached, type: "attachment", timestamp: "2026-03-01T09:30:00.000Z", attachment: queued });
  records.user(`<bash-input>echo</bash-input><bash-stdout>${plant("shell of the user")}</bash-stdout>`);
  call("c6", "Bash", { command: "pnpm test" });
  records.result("c6", "12 passed");
  records.user("Perfect, that works. Remember that the importer runs on port 5433.");
}

function asLines(records: RecordWriter): string {
  return records.records.map((record) => `${JSON.stringify(record)}\n`).join("");
}

/** The session, and a sub-agent of it. @returns Its path. */
function writeSession(folder: string, matrix: SecretMatrix): string {
  const records = claudeRecords("/work/billing");
  addSession(records, matrix);
  const path = join(folder, "transcripts", "s.jsonl");
  mkdirSync(join(folder, "transcripts", "s", "subagents"), { recursive: true });
  writeFileSync(path, asLines(records));
  const agent = claudeRecords("/work/billing");
  agent.user(`Find the keys:\n${linesOf(matrix.plant("task of a sub-agent"))}`, { isSidechain: true });
  agent.assistant([{ type: "text", text: `Found:\n${linesOf(matrix.plant("sub-agent"))}` }], { isSidechain: true });
  writeFileSync(join(folder, "transcripts", "s", "subagents", "agent-1.jsonl"), asLines(agent));
  return path;
}

/** A session of which the endpoint wants to know nothing. */
function writeRefusedSession(folder: string): string {
  const records = claudeRecords("/work/billing");
  records.user(REFUSED_SESSION);
  records.assistant([{ type: "tool_use", id: "h1", name: "Bash", input: { command: "pnpm test" } }]);
  records.result("h1", "12 passed");
  records.user("Perfect, thanks. Remember that the harvest of last year lies in archive/2025.");
  const path = join(folder, "transcripts", "refused.jsonl");
  writeFileSync(path, asLines(records));
  return path;
}

/** A model that talks of secrets wherever it may say something. */
function leaky(matrix: SecretMatrix): ScriptEntry[] {
  const said = (place: string) => linesOf(matrix.plant(`the model's ${place}`));
  let heard = "";
  const facts = (call: ModelCall) => {
    if (call.stage === "extract") heard = call.text;
    const { facts: own } = reactiveExtraction()({ ...call, text: heard }) as {
      facts: readonly Record<string, unknown>[];
    };
    const leaking = matrix.plant("the model's facts").map(({ text }, at) =>
      factFrom({
        type: "context",
        turn: 1,
        quote: "never npm",
        title: `Fact ${at} of pnpm: ${text}`,
        content: `pnpm: ${text}`,
      }),
    );
    return { facts: [...leaking.slice(0, 12), ...own, ...leaking.slice(12)] };
  };
  return [
    // Endpoints repeat what they were sent, keys among it, when they refuse a call.
    { match: { contains: REFUSED_SESSION }, status: 401, reply: `Incorrect key: ${KEY}\n${said("error")}` },
    {
      match: { stage: "judge" },
      reply: () => ({ label: "success", confidence: 0.9, evidence: [1], reason: said("verdict") }),
    },
    {
      match: { stage: "extract" },
      reply: (call) => {
        heard = call.text;
        return `Let me think.\n${said("prose")}`;
      },
      times: 1,
    },
    { match: { stage: "extract" }, reply: facts },
    { match: { stage: "repair" }, reply: facts },
    {
      match: { stage: "summarize" },
      reply: (call) => {
        const { summaries } = reactiveSummaries(call) as { summaries: readonly { span: number; text: string }[] };
        return {
          summaries: summaries.map(({ span, text }) => ({ span, text: `${text.slice(0, 60)}. ${said("summary")}` })),
        };
      },
    },
    {
      match: { stage: "lifecycle" },
      reply: ({ text }) => ({
        decisions: handlesIn(text).facts.map((fact) => ({
          ...{ fact, relation: "separate", op: "ADD", target: null, merged: null, quote: said("quote") },
          reason: said("reason"),
        })),
        verdicts: [],
      }),
    },
  ];
}

async function openMemory(home: TestHome, model: ScriptedModel): Promise<Memory> {
  const config = {
    model: {
      provider: "openai-compatible",
      model: "scripted",
      baseUrl: model.baseUrl,
      apiKeyEnv: "ENDPOINT_KEY",
      contextTokens: 8_000,
    },
  };
  mkdirSync(join(home.folder, "arcticmem"), { recursive: true });
  writeFileSync(join(home.folder, "arcticmem", "config.json"), JSON.stringify(config));
  return home.open({ variables: { ENDPOINT_KEY: KEY } });
}

/** A checkout whose remote holds a password, with rules that hold more. */
function makeCheckout(home: TestHome, matrix: SecretMatrix): void {
  const git = (...args: string[]) => execFileSync("git", args, { cwd: home.project, stdio: "ignore" });
  git("init", "-q");
  const [{ text } = { text: "" }] = matrix.plantBare("git remote");
  git("remote", "add", "origin", `https://ana:${text}@git.example.org/acme/billing.git`);
  home.write(
    "CLAUDE.md",
    `# Rules\n\nUse the importer on port 5433.\n\n${linesOf(matrix.plant("instruction file"))}\n`,
  );
}

/** Where secrets were put: what the user and the host wrote. */
const THEIRS = ["work", "transcripts"];

/** Every other file of the home, with its bytes as they are: the store's log and its free pages too. */
function ourFiles(home: TestHome): { readonly name: string; readonly bytes: Buffer }[] {
  return readdirSync(home.folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !THEIRS.includes(relative(home.folder, path).split(sep)[0] ?? ""))
    .map((path) => ({ name: basename(path), bytes: readFileSync(path) }));
}

/** What a hook prints that starts a session, and one that fails on what the endpoint says, which goes to the log. */
async function answersOfHooks(home: TestHome, memory: Memory): Promise<string[]> {
  async function* input(name: string, session: string): AsyncGenerator<string> {
    const place = { session_id: session, transcript_path: join(home.folder, "none.jsonl"), cwd: home.project };
    yield JSON.stringify({ ...place, hook_event_name: name, source: "startup" });
  }
  const kept = { ...memory, [Symbol.asyncDispose]: async () => undefined };
  const failing: Memory = {
    ...kept,
    start: async () => {
      const [refused] = (await memory.ingest.runs()).filter(({ status }) => status === "dead");
      throw new Error(refused?.error ?? "nothing went wrong");
    },
  };
  const ask = (session: string, opened: Memory): Promise<string> =>
    answerHook({
      installedFor: "claude-code",
      variables: {},
      input: input("SessionStart", session),
      open: async () => opened,
    });
  return [await ask("h-1", kept), await ask("h-2", failing)];
}

function leaksInto(where: string, content: { includes(text: string): boolean }, matrix: SecretMatrix): string[] {
  return matrix.planted
    .filter(({ secret }) => content.includes(secret))
    .map(({ kind, place }) => `${kind} from ${place} in ${where}`);
}

describe("secrets", { timeout: 120_000 }, () => {
  it("of every kind, in every place, are in no file of ours, no prompt and no output", async () => {
    const matrix = secretMatrix(11);
    using home = openTestHome();
    makeCheckout(home, matrix);
    await using model = await startScriptedModel(leaky(matrix));
    const memory = await openMemory(home, model);
    await memory.files.index();
    const { memory: note } = await memory.add({
      text: `Deploys need these:\n${linesOf(matrix.plant("note"))}`,
      why: linesOf(matrix.plant("reason of a note")),
      by: "person",
    });
    await memory.add({ text: "The importer of harvest runs on port 5432.", by: "person" });
    await memory.keep.edit(note.id, { content: `Deploys need these now:\n${linesOf(matrix.plant("edit"))}` });
    const transcript = writeSession(home.folder, matrix);
    const entry = { host: "claude-code", session: "s", transcript, cwd: home.project, offset: 0 } as const;
    await memory.ingest.spool({ ...entry, reason: "session-end" });
    const spooled = ourFiles(home);
    await memory.ingest.work();
    const refused = { ...entry, session: "refused", transcript: writeRefusedSession(home.folder) };
    await memory.ingest.spool({ ...refused, reason: "session-end" });
    await memory.ingest.work();
    const answer = await memory.search({ text: `what about ${linesOf(matrix.plant("query"))}` });
    const shown = [await memory.render.search(answer), ...(await answersOfHooks(home, memory))];
    const runs = await memory.ingest.runs();
    const listed = await memory.list({ statuses: ["active", "provisional", "disputed", "superseded"] });
    const handles = listed.map(({ id }) => id);
    const commands = [
      ["list", "--json"],
      ["status", "--json"],
      ["doctor", "--json"],
      ["runs", "list", "--json"],
      ...runs.map(({ id }) => ["runs", "show", id, "--json"]),
      ["search", "remember that the importer runs on port 5433", "--json"],
      ...handles.flatMap((handle) => [
        ["show", handle, "--json"],
        ["why", handle, "--json"],
      ]),
    ];
    const leaks = shown.flatMap((text, at) => leaksInto(`answer ${at}`, text, matrix));
    for (const argv of commands) {
      const { stdout, stderr } = await runCli(argv, {
        memory: { ...memory, [Symbol.asyncDispose]: async () => undefined },
      });
      expect(stdout, `${argv.join(" ")}: ${stderr}`).not.toBe("");
      leaks.push(...leaksInto(argv.slice(0, 2).join(" "), `${stdout}\n${stderr}`, matrix));
    }
    const open = ourFiles(home);
    await memory[Symbol.asyncDispose]();
    for (const { name, bytes } of [...spooled, ...open, ...ourFiles(home)]) {
      leaks.push(...leaksInto(name, bytes, matrix));
      expect(bytes.includes(KEY), name).toBe(false);
    }
    for (const call of model.calls)
      leaks.push(...leaksInto(`prompt of ${call.stage}`, JSON.stringify(call.body), matrix));

    expect([...new Set(leaks)]).toEqual([]);
    const placesOf = (wanted: string) =>
      new Set(matrix.planted.filter(({ kind }) => kind === wanted).map(({ place }) => place));
    const kinds = [...new Set(matrix.planted.map(({ kind }) => kind))];
    expect(kinds.length).toBeGreaterThanOrEqual(20);
    for (const kind of kinds) expect(placesOf(kind).size, kind).toBeGreaterThanOrEqual(20);
    expect(runs.find(({ status }) => status === "dead")?.error).toMatch(/401: Incorrect key: \[key\] \w*\[REDACTED:/);
    expect(new Set(model.calls.map(({ stage }) => stage))).toEqual(
      new Set(["extract", "repair", "summarize", "lifecycle"]),
    );
    expect(JSON.stringify(model.calls.map(({ body }) => body))).toContain("[REDACTED:");
    expect(handles.length).toBeGreaterThan(2);
    expect(open.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["memory.db", "memory.db-wal", "arcticmem.log"]),
    );
  });
});
