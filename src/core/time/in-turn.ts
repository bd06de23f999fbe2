/** Work that must not run side by side. */

/** Runs what it is given one after the other for each key; what fails holds up nothing. */
export type InTurn<Key> = <Result>(key: Key, work: () => Promise<Result>) => Promise<Result>;

export function inTurn<Key extends object>(): InTurn<Key> {
  const last = new WeakMap<Key, Promise<unknown>>();
  return (key, work) => {
    const turn = (last.get(key) ?? Promise.resolve()).then(work);
    last.set(
      key,
      turn.catch(() => undefined),
    );
    return turn;
  };
}
