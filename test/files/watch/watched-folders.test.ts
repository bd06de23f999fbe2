import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { watchedFolders } from "../../../src/files/watch/watched-folders.ts";

describe("watchedFolders", () => {
  it("names the root first, the folders of what is indexed, and those where rules usually lie, each once", () => {
    const root = join("/", "work", "billing");
    const home = join("/", "home", "ada");
    const folders = watchedFolders({
      root,
      home,
      paths: ["AGENTS.md", "services/api/CLAUDE.md", "~/.claude/CLAUDE.md"],
    });
    expect(folders[0]).toBe(root);
    expect(folders).toEqual(
      expect.arrayContaining([
        join(root, "services/api"),
        join(home, ".claude"),
        join(root, ".cursor/rules"),
        join(root, ".cursor"),
      ]),
    );
    expect(new Set(folders).size).toBe(folders.length);
  });
});
