/**
 * Addresses with a private short name for their host (`gh:owner/name`, `git@github-work:owner/name`) mean a real host
 * that only the user's own files tell: git's `insteadOf` and ssh's `HostName`. Resolved, so that a colleague's clone
 * and the user's are one project.
 */
import { join } from "node:path";
import { type GitConfigEntry, readGitConfig, readSmallFile, userConfigFiles } from "./git-config.ts";

const SHORT_HOST =
  /^(?:[a-z][a-z0-9+.-]*:\/\/(?:[^/@]*@)?([^/@:.[\]]+)(?=[:/])|(?:[^/@:]+@)?([^/@:.[\]]{2,})(?=:(?!\/\/)))/i;

/** Applies `url.<base>.insteadOf`: the longest matching prefix counts. */
function applyInsteadOf(url: string, entries: readonly GitConfigEntry[]): string {
  const match = entries
    .filter(
      ({ section, key, value }) => section === "url" && key === "insteadof" && value !== "" && url.startsWith(value),
    )
    .sort((one, other) => other.value.length - one.value.length)[0];
  return match ? match.subsection + url.slice(match.value.length) : url;
}

/**
 * An address with its host's private short name replaced. Opens the user's files only for a host without a dot.
 *
 * @param entries - The repository's own git config, which goes before the user's.
 */
export function resolveAlias(url: string, entries: readonly GitConfigEntry[], home: string): string {
  const local = applyInsteadOf(url, entries);
  if (shortHost(local) === undefined) return local;
  const own = userConfigFiles(home).flatMap((file) => readGitConfig(file));
  const rewritten = applyInsteadOf(local, own);
  const host = shortHost(rewritten);
  if (host === undefined) return rewritten;
  const real = sshHostName(readSmallFile(join(home, ".ssh", "config")) ?? "", host);
  return real === undefined ? rewritten : rewritten.replace(host, real);
}

/** The `HostName` of a `Host` block that names exactly this alias; the first one counts, as in ssh. */
function sshHostName(config: string, alias: string): string | undefined {
  let applies = false;
  for (const line of config.split(/\r?\n/)) {
    const [, keyword = "", argument = ""] = /^\s*([A-Za-z]+)(?:\s*=\s*|\s+)"?([^"#]*?)"?\s*(?:#.*)?$/.exec(line) ?? [];
    const key = keyword.toLowerCase();
    if (key === "match") applies = false;
    if (key === "host") applies = argument.split(/\s+/).includes(alias);
    if (key === "hostname" && applies && argument !== "") return argument.replaceAll("%h", alias);
  }
  return undefined;
}

function shortHost(url: string): string | undefined {
  const found = SHORT_HOST.exec(url);
  const host = found?.[1] ?? found?.[2];
  return host?.toLowerCase() === "localhost" ? undefined : host;
}
