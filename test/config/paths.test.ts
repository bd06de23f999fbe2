import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { homeFolder, isDisabled, resolvePaths } from "../../src/config/paths.ts";
import { ensurePrivateFolder, writePrivateFile } from "../../src/config/private-files.ts";
import { ArcticMemError } from "../../src/core/errors.ts";

const linux = (variables: Record<string, string>) => resolvePaths({ platform: "linux", variables });

describe("resolvePaths", () => {
  it("follows the XDG convention on Linux", () => {
    expect(linux({ HOME: "/home/ada" })).toMatchObject({
      store: "/home/ada/.local/share/arcticmem/memory.db",
      configFile: "/home/ada/.config/arcticmem/config.json",
      spool: "/home/ada/.local/state/arcticmem/spool",
      log: "/home/ada/.local/state/arcticmem/arcticmem.log",
    });
  });

  it("honours absolute XDG folders and ignores relative ones", () => {
    const paths = linux({ HOME: "/home/ada", XDG_DATA_HOME: "/data", XDG_CONFIG_HOME: "relative" });
    expect(paths).toMatchObject({ dataDir: "/data/arcticmem", configDir: "/home/ada/.config/arcticmem" });
  });

  it("uses Library on macOS", () => {
    const paths = resolvePaths({ platform: "darwin", variables: { HOME: "/Users/ada" } });
    expect(paths.store).toBe("/Users/ada/Library/Application Support/arcticmem/memory.db");
    expect(paths.log).toBe("/Users/ada/Library/Logs/arcticmem/arcticmem.log");
  });

  it("uses LOCALAPPDATA on Windows, or where it would be", () => {
    const variables = { USERPROFILE: "C:\\Users\\Ada" };
    const expected = "C:\\Users\\Ada\\AppData\\Local\\arcticmem\\memory.db";
    expect(resolvePaths({ platform: "win32", variables }).store).toBe(expected);
    const moved = resolvePaths({ platform: "win32", variables: { ...variables, LOCALAPPDATA: "D:\\Local" } });
    expect(moved.spool).toBe("D:\\Local\\arcticmem\\spool");
  });

  it("puts everything under ARCTICMEM_HOME, without a home folder too", () => {
    const paths = linux({ ARCTICMEM_HOME: "/srv/mem", XDG_DATA_HOME: "/data" });
    expect(Object.values(paths).every((path) => path === "/srv/mem" || path.startsWith("/srv/mem/"))).toBe(true);
  });

  it.each(["/proc/x", "//sys", "/proc"])(
    "refuses %s, where no folder can be made and Node would try for ever",
    (folder) => {
      expect(() => linux({ ARCTICMEM_HOME: folder })).toThrow("can't hold files");
      expect(() => linux({ HOME: folder })).toThrow(ArcticMemError);
      expect(() => linux({ ARCTICMEM_HOME: "/home/proc/sys" })).not.toThrow();
    },
  );

  it("refuses a relative ARCTICMEM_HOME, since hooks start anywhere", () => {
    expect(() => linux({ HOME: "/home/ada", ARCTICMEM_HOME: "~/mem" })).toThrow(
      expect.objectContaining({ code: "CONFIG_INVALID", hint: expect.stringContaining("full path") }),
    );
  });

  it.each([{}, { HOME: "" }, { HOME: "relative" }])("says what to do without a home folder (%j)", (variables) => {
    expect(() => linux(variables)).toThrow(
      expect.objectContaining({ code: "CONFIG_INVALID", hint: expect.stringContaining("ARCTICMEM_HOME") }),
    );
  });

  it("needs no home folder where every XDG folder is given", () => {
    expect(linux({ XDG_DATA_HOME: "/d", XDG_CONFIG_HOME: "/c", XDG_STATE_HOME: "/s" }).spool).toBe(
      "/s/arcticmem/spool",
    );
  });
});

describe("homeFolder", () => {
  it("is USERPROFILE on Windows", () => {
    expect(homeFolder({ platform: "win32", variables: { USERPROFILE: "C:\\Users\\Ada" } })).toBe("C:\\Users\\Ada");
  });
});

describe("isDisabled", () => {
  it.each(["1", "true", "yes", "anything"])("is on with %j", (value) => {
    expect(isDisabled({ ARCTICMEM_DISABLE: value })).toBe(true);
  });

  it.each([undefined, "", " ", "0", "false", "FALSE", "off", "no"])("is off with %j", (value) => {
    expect(isDisabled({ ARCTICMEM_DISABLE: value })).toBe(false);
  });
});

describe("private files", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "arcticmem-private-"));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const modeOf = (path: string): number => statSync(path).mode & 0o777;

  it("makes folders that only their owner may enter, and narrows one that was wider", () => {
    ensurePrivateFolder(join(folder, "a", "b"));
    expect([modeOf(join(folder, "a")), modeOf(join(folder, "a", "b"))]).toEqual([0o700, 0o700]);
    mkdirSync(join(folder, "wide"));
    chmodSync(join(folder, "wide"), 0o755);
    ensurePrivateFolder(join(folder, "wide"));
    expect(modeOf(join(folder, "wide"))).toBe(0o700);
  });

  it("replaces a file whole, for its owner alone, and leaves nothing beside it", () => {
    const file = join(folder, "sub", "config.json");
    writePrivateFile(file, "one");
    writePrivateFile(file, "two");
    expect([readFileSync(file, "utf8"), modeOf(file)]).toEqual(["two", 0o600]);
    expect(readdirSync(join(folder, "sub"))).toEqual(["config.json"]);
  });

  it("names the place and keeps the old file when it can't write", () => {
    const file = join(folder, "blocked");
    mkdirSync(join(file, "in-the-way"), { recursive: true });
    expect(() => writePrivateFile(file, "x")).toThrow(ArcticMemError);
    expect(existsSync(join(file, "in-the-way"))).toBe(true);
    expect(readdirSync(folder)).toEqual(["blocked"]);
  });
});
