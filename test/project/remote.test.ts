import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { localRemotePath, normaliseRemote, remoteLabel } from "../../src/project/remote.ts";

describe("normaliseRemote", () => {
  it.each([
    "https://github.com/acme/billing",
    "https://github.com/acme/billing.git",
    "https://github.com/acme/billing.git/",
    "https://GitHub.COM/Acme/Billing.git",
    "https://user@github.com/acme/billing.git",
    "https://user:p%40ss@github.com/acme/billing.git",
    "https://x-access-token:ghs_abc@github.com:443/acme/billing",
    "http://github.com:80/acme/billing.git",
    "git://github.com:9418/acme/billing.git",
    "git+https://github.com/acme/billing.git",
    "ssh://git@github.com/acme/billing.git",
    "ssh://git@github.com:22/acme/billing.git",
    "ssh://git@ssh.github.com:443/acme/billing.git",
    "git+ssh://git@github.com/acme/billing.git",
    "git@github.com:acme/billing.git",
    "git@github.com:/acme/billing.git",
    "github.com:acme/billing",
    "  git@github.com:acme//billing.git \n",
    "https://www.github.com/acme/billing#readme",
  ])("gives %j the name of its repository", (url) => {
    expect(normaliseRemote(url)).toBe("github.com/acme/billing");
  });

  it.each([
    ["ssh://git@git.acme.test:7999/team/billing.git", "git.acme.test/team/billing"],
    ["https://git.acme.test/scm/team/billing.git", "git.acme.test/team/billing"],
    ["https://git.acme.test/group/sub/billing.git", "git.acme.test/group/sub/billing"],
    ["git@git.acme.test:Group/Billing.git", "git.acme.test/Group/Billing"],
    ["https://git.acme.test:8443/team/billing", "git.acme.test:8443/team/billing"],
    ["ssh://[2001:db8::1]:22/team/billing.git", "[2001:db8::1]/team/billing"],
    ["git@[2001:db8::1]:team/billing.git", "[2001:db8::1]/team/billing"],
    ["git@ssh.dev.azure.com:v3/acme/shop/billing", "dev.azure.com/acme/shop/billing"],
    ["https://acme@dev.azure.com/acme/shop/_git/billing", "dev.azure.com/acme/shop/billing"],
    ["https://git.acme.test/team/b%C3%BCcher.git", "git.acme.test/team/bücher"],
    ["https://git.acme.test/team/100%", "git.acme.test/team/100%"],
    ["git@git.acme.test:~ada/billing.git", "git.acme.test/~ada/billing"],
  ])("normalises %j", (url, name) => {
    expect(normaliseRemote(url)).toBe(name);
  });

  it.each([
    "",
    "/srv/git/billing.git",
    "../billing",
    "./x",
    "file:///srv/git/billing.git",
    "C:\\git\\billing",
    "C:/git/b",
    "https://",
    "git@host:",
  ])("finds no remote name in %j", (url) => {
    expect(normaliseRemote(url)).toBeUndefined();
  });

  it("keeps web servers on different ports of one host apart", () => {
    const names = [3000, 3001].map((port) => normaliseRemote(`http://localhost:${port}/a/b`));
    expect(new Set(names).size).toBe(2);
  });

  it("never keeps a password, whatever it is made of", () => {
    const secret = fc.stringMatching(/^[A-Za-z0-9]{12,20}$/);
    fc.assert(
      fc.property(secret, fc.constantFrom("https", "ssh", "http"), (password, scheme) => {
        const url = `${scheme}://user:${password}@git.acme.test/team/billing.git`;
        expect(normaliseRemote(url)).toBe("git.acme.test/team/billing");
      }),
    );
  });

  it("gives the same name in all forms of one address", () => {
    const part = fc.stringMatching(/^[a-z][a-z0-9_-]{0,12}$/).filter((text) => text !== "scm" && text !== "v3");
    fc.assert(
      fc.property(part, part, (owner, name) => {
        const forms = [
          `https://git.acme.test/${owner}/${name}.git`,
          `ssh://git@git.acme.test:2222/${owner}/${name}`,
          `git@git.acme.test:${owner}/${name}.git`,
        ];
        expect(new Set(forms.map(normaliseRemote))).toEqual(new Set([`git.acme.test/${owner}/${name}`]));
      }),
    );
  });

  it("takes any text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(normaliseRemote(text)).not.toBe("");
        expect(normaliseRemote(text) !== undefined && localRemotePath(text) !== undefined).toBe(false);
      }),
    );
  });
});

describe("localRemotePath", () => {
  it("reads the path of a file address", () => {
    expect(localRemotePath("file:///srv/my%20git/b.git")).toBe("/srv/my git/b.git");
  });

  it("takes a relative path for local", () => {
    expect(localRemotePath("mirrors/billing")).toBe("mirrors/billing");
  });
});

describe("remoteLabel", () => {
  it("is owner and name", () => {
    expect(remoteLabel("github.com/acme/billing")).toBe("acme/billing");
    expect(remoteLabel("git.acme.test/group/sub/billing")).toBe("sub/billing");
  });
});
