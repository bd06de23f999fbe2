import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { EmbedderChoice, Memory, ModelsPart } from "../../src/core/memory.ts";
import { fakeMemory, QUIET_STATUS } from "../support/fake-memory.ts";
import { runCli } from "../support/run-cli.ts";

const LISTED = { name: "arctic-x", about: "English", megabytes: 24, dimensions: [768, 256], isPulled: false };

interface Heard {
  readonly memory: Memory;
  readonly choices: EmbedderChoice[];
  readonly pulls: unknown[];
}

function withModels(parts: Partial<ModelsPart> = {}): Heard {
  const choices: EmbedderChoice[] = [];
  const pulls: unknown[] = [];
  const models: ModelsPart = {
    list: async () => [LISTED, { ...LISTED, name: "mine", isPulled: true }],
    pull: async (name, options) => {
      pulls.push([name, options?.mirror]);
      options?.onProgress?.("model.onnx", 5, 10);
      return { name, folder: "/models/mine", bytes: 24_000_000, unchecked: ["config.json"] };
    },
    calibrate: () => Promise.reject(new Error("nobody calibrates here")),
    use: async (choice) => {
      choices.push(choice);
      return { name: "x@8", endpoint: choice.baseUrl === undefined ? null : "host:1" };
    },
    build: async () => 12,
    ...parts,
  };
  return { memory: { ...fakeMemory(), models }, choices, pulls };
}

describe("model", () => {
  it("lists the built-in model and those that can be pulled", async () => {
    const { memory } = withModels();
    const { stdout } = await runCli(["model", "list"], { memory });
    expect(stdout.split("\n").slice(0, 3)).toEqual([
      expect.stringMatching(/^minilm +built in/),
      expect.stringMatching(/^arctic-x +24 MB +768 or 256 +English$/),
      expect.stringMatching(/^mine +pulled/),
    ]);
    const json = await runCli(["model", "list", "--json"], { memory });
    expect(json.stdout.split("\n")[0]).toBe(JSON.stringify(LISTED));
  });

  it("pulls from the mirror that is named, with a bar on the talk alone, and says what went unchecked", async () => {
    const { memory, pulls } = withModels();
    const setting = { memory, terminal: true };
    const { stdout, stderr } = await runCli(["model", "pull", "mine", "--mirror", "http://m"], setting);
    expect(pulls).toEqual([["mine", "http://m"]]);
    expect(stdout).toBe("mine: 24.0 MB in /models/mine\n");
    expect(stderr).toContain("model.onnx  [############------------]  5/10");
    expect(stderr).toContain("no checksum of config.json");
  });

  it("uses what is named: built in, none, pulled, a folder, or a provider's", async () => {
    const folder = mkdtempSync(join(tmpdir(), "arcticmem-model-"));
    writeFileSync(join(folder, "config.json"), "{}");
    const { memory, choices } = withModels();
    const commands = [
      ["minilm"],
      ["none"],
      ["arctic-x", "--dimensions", "256"],
      [folder],
      ["voyage-4", "--provider", "voyage", "--key-env", "KEY"],
      ["nomic", "--provider", "openai-compatible", "--base-url", "http://host:1/v1", "--key-file", "key"],
    ];
    for (const argv of commands) expect((await runCli(["model", "use", ...argv], { memory })).code).toBe(0);
    expect(choices).toEqual([
      { provider: "minilm" },
      { provider: "none" },
      { provider: "onnx", model: "arctic-x", dimensions: 256 },
      { provider: "onnx", path: folder },
      { provider: "voyage", model: "voyage-4", apiKeyEnv: "KEY" },
      {
        provider: "openai-compatible",
        model: "nomic",
        baseUrl: "http://host:1/v1",
        apiKeyFile: "/work/billing/key",
      },
    ]);
    expect((await runCli(["model", "use", "x", "--provider", "nobody"], { memory })).code).toBe(2);
  });

  it("says where texts go from now on, and builds the vectors unless that is for later", async () => {
    const { memory } = withModels();
    const remote = ["model", "use", "x", "--provider", "openai-compatible", "--base-url", "http://host:1/v1"];
    const now = await runCli(remote, { memory });
    expect(now.stderr).toContain("is sent to host:1 from now on");
    expect(now.stdout).toBe("x@8: 12 texts embedded\n");
    expect((await runCli(["model", "use", "minilm", "--later"], { memory })).stdout).toBe("x@8: 0 texts embedded\n");
  });

  it("says that the old vectors serve on when building stops", async () => {
    const { memory } = withModels({ build: async () => Promise.reject(new Error("endpoint gone")) });
    const { code, stderr } = await runCli(["model", "use", "minilm"], { memory });
    expect(code).toBe(1);
    expect(stderr).toContain("`arcticmem work` goes on");
  });

  it("shows how far a move is", async () => {
    const swap = { from: "old@8", done: 3, total: 9 };
    const embedder = { name: "new@8", missingVectors: 6, swap };
    const memory = fakeMemory({
      status: { ...QUIET_STATUS, embedder, warnings: ["the embedding model: gone", "other"] },
    });
    const { stdout, stderr } = await runCli(["model"], { memory });
    expect(stdout).toBe("new@8, 3 of 9 texts embedded; old@8 serves until then\n");
    expect(stderr).toBe("the embedding model: gone\n");
  });
});
