/** Switches in the environment. `hooks/run-hook.ts` reads one too, by the same words: it ends before anything is loaded. */
const OFF: readonly string[] = ["", "0", "false", "no", "off"];

/** Any value but empty, `0`, `false`, `no` and `off`, whatever their case. */
export function isOn(value: string | undefined): boolean {
  return !OFF.includes(value?.trim().toLowerCase() ?? "");
}
