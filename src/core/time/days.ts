/** Days are those of UTC, so that a journey changes nothing. */

export const DAY_MS = 86_400_000;

/** Midnight before, or at, a moment. */
export function startOfDay(at: Date): Date {
  return new Date(Math.floor(at.getTime() / DAY_MS) * DAY_MS);
}

/** Whole days from one moment to a later one; 0 where it is not later. */
export function daysBetween(from: Date, to: Date): number {
  return Math.max(0, Math.floor((to.getTime() - from.getTime()) / DAY_MS));
}

/** `2026-03-02`. */
export function dayOf(at: Date): string {
  return at.toISOString().slice(0, 10);
}
