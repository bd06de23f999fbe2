/** Ids and times of a written session: the same for every build, unlike one another. */
import { createHash } from "node:crypto";

export interface Ticks {
  /** ISO time; each call is some seconds later than the last. */
  now(): string;
  wait(minutes: number): void;
  /** @returns So many hex digits, never the same twice. */
  hex(digits: number): string;
  uuid(): string;
}

export function createTicks(name: string, start: string): Ticks {
  let at = new Date(start).getTime();
  let count = 0;
  const hex = (digits: number): string => {
    count += 1;
    return createHash("sha256").update(`${name}/${count}`).digest("hex").slice(0, digits);
  };
  return {
    now() {
      at += 1_500 + (Number.parseInt(hex(4), 16) % 9_000);
      return new Date(at).toISOString();
    },
    wait: (minutes) => {
      at += minutes * 60_000;
    },
    hex,
    uuid: () =>
      hex(32)
        .replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, "$1-$2-4$3-8$4-$5")
        .slice(0, 36),
  };
}
