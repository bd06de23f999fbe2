import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { DEFAULT_CONFIG } from "../../src/config/config.ts";
import { loadConfig } from "../../src/config/load-config.ts";
import { saveConfig } from "../../src/config/save-config.ts";
import { ConfigSchema, configKeys } from "../../src/config/schema.ts";
import { validateConfig } from "../../src/config/validate-config.ts";

let folder: string;
let files: { configFile: string; configCache: string };
let validated: number;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "arcticmem-config-"));
  files = { configFile: join(folder, "config.json"), configCache: join(folder, "config.validated.json") };
  validated = 0;
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const validate = async (text: string, file: string) => {
  validated += 1;
  return validateConfig(text, file);
};
const write = (text: string): void => writeFileSync(files.configFile, text);

describe("loadConfig", () => {
  it.each([undefined, "", " \n"])("holds the defaults for a file of %j", async (text) => {
    if (text !== undefined) write(text);
    expect(await loadConfig(files, validate)).toEqual(DEFAULT_CONFIG);
    expect(validated).toBe(0);
  });

  it("fills in what the file leaves out", async () => {
    write('\ufeff{ "search": { "limit": 5 }, "inject": { "learnedLine": false } }');
    const config = await loadConfig(files, validate);
    expect(config.search).toEqual({ ...DEFAULT_CONFIG.search, limit: 5 });
    expect(config.inject).toEqual({ ...DEFAULT_CONFIG.inject, learnedLine: false });
    expect(config.ingest).toEqual(DEFAULT_CONFIG.ingest);
  });

  it("consults the schema once for a text, and again when the text changes", async () => {
    write('{ "disabled": true }');
    const first = await loadConfig(files, validate);
    expect(await loadConfig(files, validate)).toEqual(first);
    expect(validated).toBe(1);
    write('{ "disabled": false }');
    expect((await loadConfig(files, validate)).disabled).toBe(false);
    expect(validated).toBe(2);
  });

  it.each(["", "{", "null", '{"key":"x"}'])("is not misled by a cache of %j", async (cache) => {
    write('{ "disabled": true }');
    writeFileSync(files.configCache, cache);
    expect((await loadConfig(files, validate)).disabled).toBe(true);
  });

  it("works where the cache can't be written", async () => {
    write('{ "disabled": true }');
    const nowhere = { ...files, configCache: join(files.configFile, "below-a-file") };
    expect((await loadConfig(nowhere, validate)).disabled).toBe(true);
  });

  it.each([
    ["{", /not JSON/],
    ["[]", /expected object/],
    ['{ "serach": {} }', /serach/],
    ['{ "search": { "limit": 0 } }', /search\.limit/],
    ['{ "model": { "provider": "anthropic" } }', /model\.model/],
    ['{ "model": { "provider": "openai-compatible", "model": "m" } }', /model\.baseUrl/],
    ['{ "model": { "apiKey": "sk-live" } }', /apiKey/],
    ['{ "model": { "apiKeyEnv": "sk-live-1" } }', /not the key itself/],
    ['{ "model": { "apiKeyEnv": "A", "apiKeyFile": "/b" } }', /one of the two/],
    ['{ "profile": "../../etc" }', /profile/],
  ])("refuses %s and says why", async (text, message) => {
    write(text);
    await expect(loadConfig(files, validate)).rejects.toMatchObject({
      code: "CONFIG_INVALID",
      message: expect.stringMatching(message),
      hint: expect.any(String),
    });
  });

  it("accepts a reference to a schema for editors and does not pass it on", async () => {
    write('{ "$schema": "https://x.test/config.schema.json" }');
    expect(await loadConfig(files, validate)).toEqual(DEFAULT_CONFIG);
  });
});

describe("the schema", () => {
  it("has the same defaults as the process that never loads it", () => {
    expect(ConfigSchema.parse({})).toEqual(DEFAULT_CONFIG);
  });

  it("describes every key", () => {
    const keys = configKeys();
    expect(keys.filter(({ description }) => description === "")).toEqual([]);
    expect(keys.find(({ key }) => key === "model.provider")).toMatchObject({
      type: '"none" | "anthropic" | "openai-compatible"',
      default: "none",
    });
    expect(keys.map(({ key }) => key)).toEqual(flatKeys(DEFAULT_CONFIG));
  });
});

describe("saveConfig", () => {
  it("sets the keys that are named and leaves the others out of the file", async () => {
    write('{ "search": { "limit": 5 } }');
    const config = await saveConfig(files, { search: { bodies: 1 }, profile: "support" }, validate);
    expect(config).toMatchObject({ search: { limit: 5, bodies: 1 }, profile: "support" });
    expect(JSON.parse(readFileSync(files.configFile, "utf8"))).toEqual({
      search: { limit: 5, bodies: 1 },
      profile: "support",
    });
  });

  it("takes a key out again", async () => {
    write('{ "search": { "limit": 5 }, "disabled": true }');
    const config = await saveConfig(files, { search: { limit: undefined } }, validate);
    expect(config).toMatchObject({ search: DEFAULT_CONFIG.search, disabled: true });
  });

  it("writes nothing that would be invalid", async () => {
    write('{ "disabled": true }');
    await expect(saveConfig(files, { search: { limit: 999 } }, validate)).rejects.toMatchObject({
      code: "CONFIG_INVALID",
    });
    expect(readFileSync(files.configFile, "utf8")).toBe('{ "disabled": true }');
  });

  it("does not write over a file that it can't read", async () => {
    write("{ broken");
    await expect(saveConfig(files, { disabled: true }, validate)).rejects.toMatchObject({ code: "CONFIG_INVALID" });
    expect(readFileSync(files.configFile, "utf8")).toBe("{ broken");
  });
});

function flatKeys(value: object, prefix = ""): string[] {
  return Object.entries(value).flatMap(([key, child]) =>
    typeof child === "object" && child !== null && !Array.isArray(child) && key !== "models"
      ? flatKeys(child, `${prefix}${key}.`)
      : [prefix + key],
  );
}
