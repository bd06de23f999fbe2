import { describe, expect, it } from "vitest";
import { homeFromPath, rewriteHome } from "../../src/text/home-paths.ts";

const roots = { home: "/home/ana", root: "/home/ana/work/tidewatch" };

describe("rewriteHome", () => {
  it.each([
    ["files of the project", "edit /home/ana/work/tidewatch/src/a.ts:3", "edit src/a.ts:3"],
    ["the project's root", "in /home/ana/work/tidewatch.", "in .."],
    ["files of the user", "cat '/home/ana/.npmrc'", "cat '~/.npmrc'"],
    ["other users", "ls /home/anastasia/x", "ls /home/anastasia/x"],
    ["neighbours of the root", "/home/ana/work/tidewatch-old/a", "~/work/tidewatch-old/a"],
  ])("rewrites %s", (_, text, rewritten) => {
    expect(rewriteHome(text, roots)).toBe(rewritten);
  });

  it("understands Windows paths, also escaped in JSON", () => {
    const windows = { home: "C:\\Users\\Ana", root: "C:\\Users\\Ana\\tide" };
    expect(rewriteHome('{"p":"C:\\\\Users\\\\Ana\\\\tide\\\\a.ts"}', windows)).toBe('{"p":"a.ts"}');
    expect(rewriteHome("C:\\Users\\Ana\\.npmrc", windows)).toBe("~\\.npmrc");
  });

  it("rewrites nothing for a root that is everything", () => {
    expect(rewriteHome("/usr/bin/node", { root: "/" })).toBe("/usr/bin/node");
  });
});

describe("homeFromPath", () => {
  it.each([
    ["/home/ana/work", "/home/ana"],
    ["/Users/ana", "/Users/ana"],
    ["C:\\Users\\Ana\\x", "C:\\Users\\Ana"],
    ["/srv/build", undefined],
  ])("reads the home in %s", (path, home) => {
    expect(homeFromPath(path)).toBe(home);
  });
});
