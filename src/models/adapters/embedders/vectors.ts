/** Vectors from outside, checked and brought into the one form that the store takes: floats of unit length. */
import { ModelError } from "../../../core/errors.ts";

/**
 * @param from - Who made the vector, for the message.
 * @throws {ModelError} for another number of dimensions, for values that are no finite numbers, for a vector of zeros.
 */
export function unitVector(values: ArrayLike<unknown>, dimensions: number, from: string): Float32Array {
  if (values.length !== dimensions) {
    throw new ModelError(`${from} gave a vector of ${values.length} dimensions instead of ${dimensions}.`, {
      retryable: false,
      hint: "Set embedder.dimensions to what the model gives, or unset it to have it found out.",
    });
  }
  let squares = 0;
  const vector = new Float32Array(dimensions);
  for (let at = 0; at < dimensions; at += 1) {
    const value = values[at];
    vector[at] = typeof value === "number" ? value : Number.NaN;
    squares += (vector[at] ?? 0) ** 2;
  }
  if (!Number.isFinite(squares) || squares === 0) {
    throw new ModelError(`${from} gave a vector that has no direction.`, { retryable: false });
  }
  const length = Math.sqrt(squares);
  return vector.map((value) => value / length);
}

/** One vector for the parts of a text: their mean by length, of unit length again. */
export function meanVector(parts: readonly { readonly vector: Float32Array; readonly weight: number }[]): Float32Array {
  const [first] = parts;
  if (first === undefined || parts.length === 1) return first?.vector ?? new Float32Array(0);
  const sum = new Float32Array(first.vector.length);
  for (const { vector, weight } of parts) {
    for (let at = 0; at < sum.length; at += 1) sum[at] = (sum[at] ?? 0) + (vector[at] ?? 0) * weight;
  }
  return unitVector(sum, sum.length, "a mean");
}
