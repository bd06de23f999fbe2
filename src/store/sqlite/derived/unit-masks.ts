/**
 * Who may answer under a filter, as one byte for each key: asked once in SQL, kept until a memory, chunk or project
 * changes. Every searcher applies it before it ranks.
 */
import type { UnitFilter } from "../../store.ts";
import { type Connection, text } from "../connection.ts";
import { filterSql } from "./unit-filter.ts";

const MAX_KEPT = 16;

export interface UnitMask {
  /** 1 at the keys that may answer. */
  readonly open: Uint8Array;
  readonly units: number;
}

export class UnitMasks {
  readonly #db: Connection;
  readonly #kept = new Map<string, UnitMask>();
  /** By filter: the searchers of one query share one, and its name takes longer to make than the mask to find. */
  #found = new WeakMap<UnitFilter, UnitMask>();
  #stamp = -1;

  constructor(db: Connection) {
    this.#db = db;
  }

  of(filter: UnitFilter): UnitMask {
    const { units } = this.#db.stamps();
    if (units !== this.#stamp) this.#found = new WeakMap();
    if (units !== this.#stamp || this.#kept.size >= MAX_KEPT) this.#kept.clear();
    this.#stamp = units;
    const found = this.#found.get(filter) ?? this.#named(filter);
    this.#found.set(filter, found);
    return found;
  }

  #named(filter: UnitFilter): UnitMask {
    const { table, where, parameters } = filterSql(filter);
    const name = `${where}|${JSON.stringify(parameters)}`;
    const known = this.#kept.get(name);
    if (known !== undefined) return known;
    // One row for all keys: handing over ten thousand rows takes longer than any search.
    const row = this.#db.get(`SELECT group_concat(u.key) AS keys FROM ${table} WHERE ${where}`, parameters);
    const mask = maskOf(integersIn(text(row, "keys")));
    this.#kept.set(name, mask);
    return mask;
  }
}

function maskOf(keys: Int32Array): UnitMask {
  const open = new Uint8Array(keys.reduce((most, key) => Math.max(most, key), 0) + 1);
  for (const key of keys) open[key] = 1;
  return { open, units: keys.length };
}

/** Numbers of a text with commas between them, as `group_concat` makes it; not negative. */
export function integersIn(list: string): Int32Array {
  if (list === "") return new Int32Array(0);
  const numbers = new Int32Array(Math.ceil(list.length / 2));
  let count = 0;
  let value = 0;
  for (let at = 0; at < list.length; at += 1) {
    const digit = list.charCodeAt(at) - 48;
    if (digit >= 0) value = value * 10 + digit;
    else {
      numbers[count] = value;
      count += 1;
      value = 0;
    }
  }
  numbers[count] = value;
  return numbers.subarray(0, count + 1);
}
