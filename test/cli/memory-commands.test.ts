import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { describe, expect, it } from "vitest";
import { handleOf } from "../../src/core/memory-record.ts";
import { fakeMemory } from "../support/fake-memory.ts";
import { aMemory, daysAgo } from "../support/records.ts";
import { runCli } from "../support/run-cli.ts";

const LEDGER = aMemory(1, {
  title: "Refund job must run after ledger close",
  content: "Else refunds are lost.",
  createdAt: daysAgo(3),
});
const COMMITS = aMemory(2, { title: "Migrations go into separate commits", type: "preference", status: "provisional" });

describe("a folder that has memories under another identity", () => {
  it.each([["list"], ["search", "ledger"]])("is told of by %s", async (...argv) => {
    const memory = fakeMemory();
    const project = { ...memory.project, leftBehind: async () => ["2 memories are filed elsewhere"] };
    const { stderr } = await runCli(argv, { memory: { ...memory, project } });
    expect(stderr).toContain("note: 2 memories are filed elsewhere\n");
  });
});

describe("add", () => {
  it("keeps a note by a person with all its parts, and prints its id as JSON", async () => {
    const memory = fakeMemory();
    const argv = [
      "add",
      "Deploy",
      "on",
      "Tuesdays",
      "--type",
      "preference",
      "--when",
      "before a release",
      "--when",
      "planning",
      "--user",
      "--json",
    ];
    const { code, stdout } = await runCli(argv, { memory });
    const printed: unknown = JSON.parse(stdout);
    expect(code).toBe(0);
    expect(printed).toMatchObject({
      id: memory.records[0]?.id,
      handle: "P-000001",
      added: true,
      content: "Deploy on Tuesdays",
    });
    expect(memory.records[0]).toMatchObject({
      status: "active",
      scope: { kind: "user" },
      whenToUse: ["before a release", "planning"],
    });
  });

  it("reads the text from standard input for `-`", async () => {
    const memory = fakeMemory();
    await runCli(["add", "-"], { memory, input: "From a pipe" });
    expect(memory.records[0]?.content).toBe("From a pipe");
  });

  it("says so when the note was there", async () => {
    const memory = fakeMemory({ records: [LEDGER] });
    const { code, stderr } = await runCli(["add", LEDGER.content], { memory });
    expect(code).toBe(0);
    expect(stderr).toContain("It was there already, as L-000001.");
  });

  it("ends with 2 for an empty text", async () => {
    expect((await runCli(["add", " "])).code).toBe(2);
  });
});

describe("search", () => {
  it("prints what was found on standard output, and one JSON object a line with --json", async () => {
    const memory = fakeMemory({ records: [LEDGER, COMMITS] });
    expect((await runCli(["search", "ledger"], { memory })).stdout).toContain(
      "L-000001  Refund job must run after ledger close",
    );
    const { stdout } = await runCli(["search", "ledger", "migrations", "--json"], { memory });
    const lines = stdout
      .trimEnd()
      .split("\n")
      .map((line): unknown => JSON.parse(line));
    expect(lines).toMatchObject([
      { unit: "fact", handle: "L-000001" },
      { unit: "fact", handle: "P-000002" },
    ]);
  });

  it("prints nothing on standard output when nothing is near enough, and ends with 0", async () => {
    const { code, stdout, stderr } = await runCli(["search", "weather"], { memory: fakeMemory({ records: [LEDGER] }) });
    expect({ code, stdout }).toEqual({ code: 0, stdout: "" });
    expect(stderr).toBe("Nothing near enough.\n");
  });

  it("says beside nothing why that is none, what is nearest, and with --explain what was cut at which limits", async () => {
    const memory = fakeMemory({ records: [LEDGER] });
    const nearest = [{ unit: "fact", memory: aMemory(4, { title: "Limit of \u001b[2J loans" }), score: 1 }] as const;
    const cut = [{ hit: { unit: "fact", memory: LEDGER, score: 1 }, reason: "far behind the best" }] as const;
    const { stdout, stderr } = await runCli(["search", "parcel", "--explain"], {
      memory: {
        ...memory,
        search: async (request) => ({
          ...(await memory.search(request)),
          abstained: true,
          nearest,
          unanswered: "the notes are of loans",
          explanation: { thresholds: { body: 0.25 }, cut },
        }),
      },
    });
    expect(stdout).toBe("");
    expect(stderr.split("\n")).toEqual([
      "Nothing that answers this for certain: the notes are of loans.",
      "nearest: [L-000004] Limit of [2J loans",
      `cut: [L-000001] ${LEDGER.title}: far behind the best`,
      "thresholds: body 0.25",
      "",
    ]);
  });

  it("lets no control character of a memory reach the terminal", async () => {
    const hostile = aMemory(3, { title: "Clear \u001b[2J screen", content: "and \u0007 ring\u009b1m" });
    const { stdout } = await runCli(["search", "clear"], {
      memory: fakeMemory({ records: [hostile] }),
      terminal: true,
    });
    expect(stdout).toContain("Clear [2J screen");
    expect(stdout).not.toContain("\u001b[2J");
    expect(stdout).not.toContain("\u0007");
    expect(stdout).not.toContain("\u009b");
  });
});

describe("search with a limit", () => {
  it("takes up to as many as there can be, and no more", async () => {
    const memory = fakeMemory({ records: [LEDGER] });
    expect((await runCli(["search", "ledger", "-n", "50"], { memory })).code).toBe(0);
    const { code, stderr } = await runCli(["search", "ledger", "-n", "51"], { memory });
    expect(code).toBe(2);
    expect(stderr).toContain("Give a whole number from 1 to 50.");
  });
});

describe("show and list", () => {
  it("shows body and freshness of one memory", async () => {
    const { stdout } = await runCli(["show", "L-000001"], { memory: fakeMemory({ records: [LEDGER] }) });
    expect(stdout).toContain("Else refunds are lost.");
    expect(stdout).toContain("fresh");
  });

  it("gives programs what rules files say against it", async () => {
    const { stdout } = await runCli(["show", "L-000001", "--json"], { memory: fakeMemory({ records: [LEDGER] }) });
    expect(JSON.parse(stdout)).toMatchObject({ fileConflicts: [] });
  });

  it("ends with 1 for a memory that does not exist", async () => {
    const { code, stderr } = await runCli(["show", "L-zzzzzz"]);
    expect(code).toBe(1);
    expect(stderr).toContain("There is no memory L-zzzzzz.");
  });

  it("lists live memories unless told otherwise", async () => {
    const gone = aMemory(4, { title: "Gone", status: "forgotten" });
    const memory = fakeMemory({ records: [LEDGER, gone] });
    expect((await runCli(["list"], { memory })).stdout).not.toContain("Gone");
    expect((await runCli(["list", "--status", "forgotten"], { memory })).stdout).toContain("Gone");
  });
});

describe("edit", () => {
  it("changes what the flags name", async () => {
    const memory = fakeMemory({ records: [LEDGER] });
    await runCli(["edit", "L-000001", "--content", "New text", "--when-not", ""], { memory });
    expect(memory.records[0]).toMatchObject({ content: "New text", whenNot: null, title: LEDGER.title });
  });

  it("opens the editor without flags, and changes what was changed there", async () => {
    const memory = fakeMemory({ records: [LEDGER] });
    const editor = async (file: string): Promise<number> => {
      await writeFile(file, (await readFile(file, "utf8")).replace("Else refunds are lost.", "Else refunds vanish."));
      return 0;
    };
    const { code } = await runCli(["edit", "L-000001"], {
      memory,
      terminal: true,
      variables: { EDITOR: "vi" },
      editor,
    });
    expect(code).toBe(0);
    expect(memory.records[0]).toMatchObject({ content: "Else refunds vanish.", humanEdited: true });
  });

  it("keeps the text, and tells where, when it can't be read back", async () => {
    const editor = async (file: string): Promise<number> => {
      await writeFile(file, "title: [unclosed");
      return 0;
    };
    const setting = { memory: fakeMemory({ records: [LEDGER] }), terminal: true, variables: { EDITOR: "vi" }, editor };
    const { code, stderr } = await runCli(["edit", "L-000001"], setting);
    expect(code).toBe(2);
    const file = /Your text is in (.+)\.$/m.exec(stderr)?.[1] ?? "";
    expect(await readFile(file, "utf8")).toBe("title: [unclosed");
  });

  it("says that the editor can't be started, what to do, and leaves no copy of the text behind", async () => {
    let started = "";
    const editor = async (file: string): Promise<number> => {
      started = file;
      throw Object.assign(new Error("spawn vix ENOENT"), { code: "ENOENT" });
    };
    const setting = { memory: fakeMemory({ records: [LEDGER] }), terminal: true, variables: { EDITOR: "vix" }, editor };
    const { code, stderr } = await runCli(["edit", "L-000001"], setting);
    expect(code).toBe(2);
    expect(stderr).toContain("The editor vix can't be started");
    expect(stderr).toContain("hint: Set VISUAL or EDITOR");
    expect(existsSync(dirname(started))).toBe(false);
  });

  it("ends with 2 without flags and without a terminal", async () => {
    expect((await runCli(["edit", "L-000001"], { memory: fakeMemory({ records: [LEDGER] }) })).code).toBe(2);
  });
});

describe("why", () => {
  it("prints what earlier versions said, not their titles alone", async () => {
    const memory = fakeMemory({ records: [LEDGER] });
    const earlier = { ...LEDGER, version: 0, title: "Ledger", content: "It was kept in guilders then." };
    const why = async () => ({ memory: LEDGER, events: [], versions: [earlier], runs: [] });
    const { stdout } = await runCli(["why", "L-000001"], { memory: { ...memory, keep: { ...memory.keep, why } } });
    expect(stdout).toContain("version 0: Ledger\n    It was kept in guilders then.\n");
  });
});

describe("undo", () => {
  it("prints what was changed, and tells what was left because others have changed it since", async () => {
    const pinned = aMemory(2, { title: "Pinned meanwhile", pinned: true });
    const memory = fakeMemory({ records: [LEDGER, pinned] });
    const { code, stdout, stderr } = await runCli(["undo", "L-000001"], { memory });
    expect(code).toBe(0);
    expect(stdout).toContain("L-000001");
    expect(stderr).toBe("left as it is, changed by others since: L-000002  Pinned meanwhile\n");
  });
});

describe("forget", () => {
  it.each(["--session", "--project"])("takes no option for the value of %s", async (option) => {
    const memory = fakeMemory({ records: [LEDGER] });
    const { code, stderr } = await runCli(["forget", option, "--yes"], { memory });
    expect(code).toBe(2);
    expect(stderr).toContain("Its value is missing.");
    expect(memory.records).toHaveLength(1);
  });

  it("refuses without --yes where nobody can be asked, and erases nothing", async () => {
    const memory = fakeMemory({ records: [LEDGER] });
    const { code, stderr } = await runCli(["forget", "L-000001"], { memory });
    expect(code).toBe(2);
    expect(stderr).toContain("--yes");
    expect(memory.records).toHaveLength(1);
  });

  it("asks in a terminal, and takes only a yes for a yes", async () => {
    const memory = fakeMemory({ records: [LEDGER] });
    expect((await runCli(["forget", "L-000001"], { memory, terminal: true, input: "\n" })).code).toBe(2);
    expect(memory.records).toHaveLength(1);
    expect((await runCli(["forget", "L-000001"], { memory, terminal: true, input: "yes\n" })).code).toBe(0);
    expect(memory.records).toHaveLength(0);
  });

  it("erases for good with --yes", async () => {
    const memory = fakeMemory({ records: [LEDGER, COMMITS] });
    const { stdout } = await runCli(["forget", "L-000001", "--yes", "--json"], { memory });
    expect(JSON.parse(stdout)).toEqual({ erased: 1, handles: ["L-000001"] });
    expect(memory.records).toEqual([COMMITS]);
  });

  it("takes a span for --since, and a name for --project", async () => {
    const memory = fakeMemory({ records: [LEDGER, COMMITS] });
    await runCli(["forget", "--since", "1d", "--yes"], { memory });
    expect(memory.records).toEqual([LEDGER]);
    await runCli(["forget", "--project", "acme/billing", "--yes"], { memory });
    expect(memory.records).toEqual([]);
  });

  it("takes exactly one way to select", async () => {
    const memory = fakeMemory({ records: [LEDGER] });
    expect((await runCli(["forget", "--yes"], { memory })).code).toBe(2);
    expect((await runCli(["forget", "L-000001", "--since", "1d", "--yes"], { memory })).code).toBe(2);
    expect(memory.records).toHaveLength(1);
  });

  it("only hides with --reversible, and restore brings back", async () => {
    const memory = fakeMemory({ records: [LEDGER] });
    await runCli(["forget", "L-000001", "--reversible", "--reason", "doubtful"], { memory });
    expect(memory.records[0]).toMatchObject({ status: "forgotten", reason: "doubtful" });
    await runCli(["restore", "L-000001"], { memory });
    expect(memory.records[0]?.status).toBe("active");
  });
});

describe("feedback", () => {
  it("takes the user's word with a note, and tells what came of it", async () => {
    const memory = fakeMemory({ records: [LEDGER] });
    const { code, stdout, stderr } = await runCli(["feedback", "L-000001", "wrong", "--note", "moved"], { memory });
    expect(code).toBe(0);
    expect(stdout).toBe(`L-000001  ${LEDGER.title}\n`);
    expect(stderr).toBe("Put away: `arcticmem restore L-000001` brings it back.\n");
    expect(memory.calls).toEqual(["person says wrong: moved"]);
  });

  it("says that praise makes nothing trusted, and what does", async () => {
    const memory = fakeMemory({ records: [COMMITS] });
    const { stderr } = await runCli(["feedback", "P-000002", "helped"], { memory });
    expect(stderr).toBe("Noted.\nIt stays provisional: `arcticmem confirm P-000002` vouches for it.\n");
    expect(memory.records[0]?.status).toBe("provisional");
  });

  it("prints the memory with the effect as JSON", async () => {
    const memory = fakeMemory({ records: [LEDGER] });
    const { stdout } = await runCli(["feedback", "L-000001", "stale", "--json"], { memory });
    expect(JSON.parse(stdout)).toMatchObject({ handle: "L-000001", status: "archived", effect: "archived" });
  });

  it("ends with 2 for an unknown verdict, naming the choices, and with 1 for an unknown memory", async () => {
    const unknown = await runCli(["feedback", "L-000001", "great"], { memory: fakeMemory({ records: [LEDGER] }) });
    expect(unknown.code).toBe(2);
    expect(unknown.stderr).toContain("Give one of: helped, wrong, stale, irrelevant.");
    const { code, stderr } = await runCli(["feedback", "L-zzzzzz", "wrong"]);
    expect(code).toBe(1);
    expect(stderr).toContain("There is no memory L-zzzzzz.");
  });
});

describe("pin, confirm and purge", () => {
  it("changes nothing when one of the handles does not exist", async () => {
    const memory = fakeMemory({ records: [LEDGER] });
    expect((await runCli(["pin", "L-000001", "L-nosuch"], { memory })).code).toBe(1);
    expect(memory.records[0]?.pinned).toBe(false);
  });

  it("changes each memory that is named", async () => {
    const memory = fakeMemory({ records: [LEDGER, COMMITS] });
    const handles = [LEDGER, COMMITS].map(handleOf);
    await runCli(["pin", ...handles], { memory });
    await runCli(["confirm", ...handles], { memory });
    expect(memory.records).toMatchObject([{ pinned: true }, { pinned: true, status: "active" }]);
    await runCli(["unpin", "L-000001"], { memory });
    expect(memory.records[0]?.pinned).toBe(false);
  });

  it("purges only after a yes", async () => {
    const memory = fakeMemory({ records: [LEDGER] });
    expect((await runCli(["purge"], { memory })).code).toBe(2);
    expect(memory.calls).toEqual([]);
    expect((await runCli(["purge", "--yes"], { memory })).code).toBe(0);
    expect(memory.calls).toEqual(["purge"]);
  });
});
