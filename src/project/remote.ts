/**
 * One name for a remote repository, however its address is written: the same over ssh, https and scp form, with and
 * without port, credentials and `.git`.
 */

/** Other names under which big hosts serve the same repositories. */
const HOST_ALIASES: Readonly<Record<string, string>> = {
  "www.github.com": "github.com",
  "ssh.github.com": "github.com",
  "www.gitlab.com": "gitlab.com",
  "altssh.gitlab.com": "gitlab.com",
  "www.bitbucket.org": "bitbucket.org",
  "altssh.bitbucket.org": "bitbucket.org",
  "ssh.dev.azure.com": "dev.azure.com",
  "vs-ssh.visualstudio.com": "dev.azure.com",
};

/** Hosts that take owner and name in any case. Elsewhere case may tell two repositories apart. */
const CASELESS_HOSTS = new Set(["github.com", "gitlab.com", "bitbucket.org", "codeberg.org", "dev.azure.com"]);

const DEFAULT_PORTS: Readonly<Record<string, string>> = { http: "80", https: "443", git: "9418" };

const URL_FORM = /^(?:git\+)?([a-z][a-z0-9+.-]*):\/\/(?:[^/@]*@)?(\[[^\]]*\]|[^/:]*)(?::(\d*))?(?:\/(.*))?$/is;
const SCP_FORM = /^(?:[^/@:]+@)?(\[[^\]]+\]|[^/:[\]]{2,}):(?!\/\/)(.+)$/s;
const WINDOWS_PATH = /^(?:[a-z]:[\\/]|\\\\)/i;

/**
 * `host/owner/name`, without scheme, credentials, port and `.git`.
 *
 * Any ssh port is dropped: ssh on an odd port and https on the usual one serve the same repositories. An odd web port
 * stays: it is another server, and a wrong merge can't be taken apart again while a split can be merged.
 *
 * @returns undefined for local paths and for what is no address of a repository.
 */
export function normaliseRemote(url: string): string | undefined {
  const text = url.trim();
  if (text === "" || localRemotePath(text) !== undefined) return undefined;
  const web = URL_FORM.exec(text);
  if (web) {
    const [, scheme = "", host = "", port = "", path = ""] = web;
    const kind = scheme.toLowerCase().replace(/^git\+|\+git$/g, "");
    const keepsPort = port !== "" && kind in DEFAULT_PORTS && DEFAULT_PORTS[kind] !== port;
    return assemble(host, keepsPort ? `:${port}` : "", kind.startsWith("http") ? withoutScm(path) : path);
  }
  const scp = SCP_FORM.exec(text);
  return scp ? assemble(scp[1] ?? "", "", scp[2] ?? "") : undefined;
}

/** The path behind a `file://` address or a plain path; undefined for everything that lies on another machine. */
export function localRemotePath(url: string): string | undefined {
  const text = url.trim();
  const file = /^file:\/\/(?:localhost)?(\/.*)$/is.exec(text);
  if (file) return decode(file[1] ?? "");
  if (WINDOWS_PATH.test(text)) return text;
  if (URL_FORM.test(text) || text.includes("::")) return undefined;
  if (/^(?:\/|\.\.?(?:\/|$)|~\/)/.test(text)) return text;
  return SCP_FORM.test(text) || text === "" ? undefined : text;
}

/** The last two parts of a normalised remote: what people call the project. */
export function remoteLabel(remote: string): string {
  return remote.split("/").slice(1).slice(-2).join("/") || remote;
}

/** Bitbucket Server serves over https below `/scm/`, over ssh at the root. */
function withoutScm(path: string): string {
  return path.replace(/^\/*scm\/(?=[^/]+\/[^/]+\/?$)/, "");
}

function assemble(rawHost: string, port: string, rawPath: string): string | undefined {
  const lower = rawHost.toLowerCase().replace(/\.$/, "");
  const host = HOST_ALIASES[lower] ?? lower;
  let path = decode(rawPath)
    .replace(/[?#].*$/s, "")
    .replace(/\/{2,}/g, "/")
    .replace(/^\/|\/$/g, "")
    .replace(/\.git$/i, "")
    .replace(/\/$/, "");
  if (host === "dev.azure.com") path = path.replace(/^v3\//, "").replace(/\/_git\//, "/");
  if (CASELESS_HOSTS.has(host)) path = path.toLowerCase();
  return host === "" || path === "" ? undefined : `${host}${port}/${path}`;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // a lone percent sign: the address is taken as it stands
  }
}
