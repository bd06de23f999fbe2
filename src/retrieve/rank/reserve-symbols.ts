/** A unit that carries a rare symbol of the query has a place near the top, whatever the other searchers think of it. */

const RESERVED_PLACES = 3;

/**
 * Moves up what carries a rare symbol and stands below the third place.
 *
 * @param ranked - Best first.
 * @param isReserved - Whether a unit carries a rare symbol; the first three that do are moved.
 * @returns The same units; those that did not have to move keep their order.
 */
export function reserveSymbols<Unit>(ranked: readonly Unit[], isReserved: (unit: Unit) => boolean): Unit[] {
  const reserved = ranked.filter(isReserved).slice(0, RESERVED_PLACES);
  const others = ranked.filter((unit) => !reserved.includes(unit)).slice(0, RESERVED_PLACES - reserved.length);
  const top = new Set([...reserved, ...others]);
  return [...ranked.filter((unit) => top.has(unit)), ...ranked.filter((unit) => !top.has(unit))];
}
