/**
 * Patterns over all of Unicode take up to a millisecond to compile, and a hook is a new process each time: texts that
 * hold nothing but ASCII go by plain patterns.
 */

const ASCII = /^[\0-\x7f]*$/;

export function isAscii(text: string): boolean {
  return ASCII.test(text);
}
