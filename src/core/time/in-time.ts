/** Waiting with an end. */

const LATE = Symbol("late");

/**
 * @param late - What stands in for an answer that takes longer than `milliseconds`; it may throw. A later failure of the
 * work is nobody's concern any more.
 */
export async function inTime<Answer, Substitute>(
  work: Promise<Answer>,
  milliseconds: number,
  late: () => Substitute,
): Promise<Answer | Substitute> {
  let timer: NodeJS.Timeout | undefined;
  const end = new Promise<typeof LATE>((resolve) => {
    timer = setTimeout(() => resolve(LATE), milliseconds);
  });
  try {
    const first = await Promise.race([work, end]);
    return first === LATE ? late() : first;
  } finally {
    clearTimeout(timer);
  }
}
