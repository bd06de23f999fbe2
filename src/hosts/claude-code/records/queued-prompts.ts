/**
 * What a person types while the agent works waits in a queue. The same words can stand in up to three records; here it
 * is decided which `enqueue` records must be read because nothing else delivered their text.
 */

export interface QueueTracker {
  /** @param key - Of the text, where the record has one. */
  operation(operation: string, key: string | undefined): void;
  /** A user record or an attachment brought this text to the agent. */
  delivered(key: string): void;
  /** Numbers of `enqueue` operations, from 0, that were neither delivered nor taken back. */
  undelivered(): ReadonlySet<number>;
}

interface Queued {
  readonly number: number;
  readonly key: string;
}

export function createQueueTracker(): QueueTracker {
  const deliveries = new Map<string, number>();
  const sent: Queued[] = [];
  let waiting: Queued[] = [];
  let count = 0;
  const takeFirst = (matches: (queued: Queued) => boolean): Queued[] => {
    const at = waiting.findIndex(matches);
    return at === -1 ? [] : waiting.splice(at, 1);
  };
  const enqueue = (key: string | undefined): void => {
    if (key !== undefined) waiting.push({ number: count, key });
    count += 1;
  };
  return {
    operation(operation, key) {
      const isMeant = (queued: Queued): boolean => key === undefined || queued.key === key;
      if (operation === "enqueue") enqueue(key);
      else if (operation === "popAll") waiting = waiting.filter((queued) => !isMeant(queued));
      else if (operation === "remove") takeFirst(isMeant);
      else if (operation === "dequeue") sent.push(...takeFirst(isMeant));
    },
    delivered: (key) => {
      deliveries.set(key, (deliveries.get(key) ?? 0) + 1);
    },
    undelivered() {
      const left = new Map(deliveries);
      const numbers = [...sent, ...waiting]
        .sort((a, b) => a.number - b.number)
        .flatMap(({ number, key }) => {
          const remaining = left.get(key) ?? 0;
          left.set(key, remaining - 1);
          return remaining > 0 ? [] : [number];
        });
      return new Set(numbers);
    },
  };
}
