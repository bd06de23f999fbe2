/** The version in `package.json`, which lies at the same place beside `src` and `dist`. */
import { readFileSync } from "node:fs";

export function packageVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
  return (manifest as { readonly version: string }).version;
}
