/** Rows as lists under a key, both in the order of the rows. `Map.groupBy` is younger than the Node versions that we run on. */
export function groupBy<Item, Key, Value>(
  items: Iterable<Item>,
  entryOf: (item: Item) => readonly [Key, Value],
): Map<Key, Value[]> {
  const groups = new Map<Key, Value[]>();
  for (const item of items) {
    const [key, value] = entryOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [value]);
    else group.push(value);
  }
  return groups;
}
