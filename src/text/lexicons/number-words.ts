/** The English numbers that most texts spell out, in order from one. */
export const ONE_TO_TWELVE: readonly string[] = "one two three four five six seven eight nine ten eleven twelve".split(
  " ",
);
