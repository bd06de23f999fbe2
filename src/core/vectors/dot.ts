/** Likeness of vectors, where there are a few: shelves of them are scanned by the kernel. */

/** Dot product, of unit vectors the cosine; 0 where one is missing or they are of different models. */
export function dot(a: Float32Array | undefined, b: Float32Array | undefined): number {
  if (a === undefined || b === undefined || a.length !== b.length) return 0;
  let sum = 0;
  for (let at = 0; at < a.length; at += 1) sum += (a[at] ?? 0) * (b[at] ?? 0);
  return sum;
}
