import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { listProfiles, loadProfile } from "../../src/config/profiles.ts";
import { FACT_TYPES } from "../../src/core/memory-record.ts";
import type { Turn } from "../../src/core/session.ts";
import { createStepReader, toolSteps } from "../../src/ingest/outcome/tool-steps.ts";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "arcticmem-profiles-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const load = (name: string) => loadProfile(name, { profiles: folder });
const write = (name: string, text: string): void => writeFileSync(join(folder, `${name}.yaml`), text);

describe("the bundled profiles", () => {
  it("all load, each with the four types of facts", async () => {
    const names = await listProfiles({ profiles: folder });
    expect(names).toContain("coding");
    for (const name of names) {
      const profile = await load(name);
      expect(profile.id).toBe(name);
      expect(profile.types.map(({ id }) => id).sort()).toEqual([...FACT_TYPES].sort());
    }
  });
});

describe("the commands that verify work, in the coding profile", () => {
  const verifies = async (command: string): Promise<boolean> => {
    const { outcome } = await load("coding");
    const call: Turn = {
      index: 0,
      kind: "tool_call",
      text: "",
      tool: { name: "Bash", args: command },
      origin: "model",
      trust: 2,
    };
    return toolSteps([call]).some((step) => createStepReader(outcome).isVerification(step));
  };

  it.each([
    "npm test",
    "npm t",
    "npm run test:unit",
    "npm run -s typecheck",
    "yarn lint",
    "pnpm build",
    "npx vitest run test/a.test.ts",
    "npx --no-install tsc --noEmit",
    "cd app && CI=1 npm run build -- --watch=false",
    "node --test",
    "node --import tsx --test test/*.ts",
    "pytest -q tests/test_a.py::test_b",
    "python -m pytest",
    "python3 -m unittest discover",
    "poetry run pytest -x",
    "uv run --frozen mypy src",
    ".venv/bin/pytest",
    "python manage.py test",
    "cargo clippy --all-targets",
    "cargo +nightly test",
    "go test ./...",
    "./gradlew :app:test",
    "mvn -q -DskipTests=false verify",
    "dotnet test",
    "mix test",
    "bundle exec rspec spec/a_spec.rb",
    "vendor/bin/phpunit",
    "make test",
    "make -j4 check",
    "just ci",
    "bazel test //...",
    "ctest --output-on-failure",
    "./scripts/run-tests.sh",
    "bash ./test.sh",
    "docker compose exec -T app pytest",
    "time make lint",
    "dbt test --select orders",
    'psql -c "select count(*) from parcels"',
    'bash -lc "npm test"',
    "ruff check .",
    "pre-commit run --all-files",
  ])("counts %j", async (command) => {
    expect(await verifies(command)).toBe(true);
  });

  it.each([
    'git commit -m "npm test passes"',
    'git commit -m "just test it"',
    "npm install jest",
    "pip install pytest",
    "npm run dev",
    "npm start",
    "cat test.sh",
    "vim Makefile",
    "echo make test",
    "npm run tester-ui",
    "rm -rf build",
    "go get ./...",
    "cargo add serde",
    "make clean",
    'psql -c "delete from parcels"',
    "ls tests",
    "grep -rn pytest .",
    "git checkout test",
    "python train.py",
  ])("does not count %j", async (command) => {
    expect(await verifies(command)).toBe(false);
  });

  it("takes a command of any length in bounded time", async () => {
    const { verifyCommands } = (await load("coding")).outcome;
    const pattern = new RegExp(verifyCommands.map((source) => `^(?:${source})`).join("|"), "i");
    const repeated = ["make ", "npm run -x ", "node a ", "gradle a:", "pnpm -F a ", "./a_", "./a/", "psql "];
    for (const part of repeated) expect(pattern.test(part.repeat(20_000))).toBe(false);
  });

  it.each(["ls -la", "cat a.ts", "rg foo", "git status", "git log --oneline -5", "find . -name x", "Read", "Grep"])(
    "takes %j for reading only",
    async (command) => {
      const reads = (await load("coding")).outcome.readOnlyCommands.map((source) => new RegExp(source, "i"));
      expect(reads.some((pattern) => pattern.test(command))).toBe(true);
    },
  );

  it.each([
    "find . -delete",
    "git checkout main",
    "git branch -D x",
    "sed -i s/a/b/ x",
    "Write",
    "npm install",
    "docker run x",
  ])("does not take %j for reading only", async (command) => {
    const reads = (await load("coding")).outcome.readOnlyCommands.map((source) => new RegExp(source, "i"));
    expect(reads.some((pattern) => pattern.test(command))).toBe(false);
  });
});

describe("loadProfile", () => {
  it("lets a profile say only what differs from the one that it extends", async () => {
    write(
      "mine",
      "extends: coding\nid: mine\nversion: 4\nlimits: { maxFacts: 3 }\ntypes:\n  - { id: lesson, halfLifeDays: 10 }\n",
    );
    const [mine, coding] = [await load("mine"), await load("coding")];
    expect(mine).toMatchObject({ id: "mine", version: 4, limits: { ...coding.limits, maxFacts: 3 } });
    expect(mine.types.map(({ id }) => id)).toEqual(coding.types.map(({ id }) => id));
    expect(mine.types[0]).toEqual({ ...coding.types[0], halfLifeDays: 10 });
    expect(mine.prompt).toEqual(coding.prompt);
  });

  it("prefers the user's file of a name, which may extend ours of the same name", async () => {
    write("coding", "extends: coding\nversion: 2\nredaction: { pii: true }\n");
    expect(await load("coding")).toMatchObject({ id: "coding", version: 2, redaction: { pii: true } });
  });

  it.each([
    ["gone", undefined, /no profile "gone"/],
    ["../x", undefined, /no profile/],
    ["loop", "extends: loop\n", /which .*loop.yaml extends/],
    ["broken", "a: [", /not YAML/],
    ["empty", "", /no keys/],
    ["typo", "extends: coding\nid: typo\nlimit: {}\n", /limit/],
    ["pattern", 'extends: coding\nid: pattern\noutcome: { verifyCommands: ["("] }\n', /regular expression/],
    ["parent", "extends: [a]\n", /names one profile/],
    ["orphan", "extends: nobody\n", /no profile "nobody", which/],
  ])("refuses %s and says why", async (name, text, message) => {
    if (text !== undefined) write(name, text);
    await expect(load(name)).rejects.toMatchObject({ code: "CONFIG_INVALID", message: expect.stringMatching(message) });
  });
});
