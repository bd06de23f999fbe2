/** Texts that nobody would write: any UTF-16 unit, lone surrogates and control characters among them. */
import fc from "fast-check";

/** Mostly ASCII, so that patterns meet; the rest is anything. */
export function anyText(maxUnits: number): fc.Arbitrary<string> {
  const unit = fc.oneof(
    { weight: 4, arbitrary: fc.integer({ min: 0x20, max: 0x7e }) },
    { weight: 1, arbitrary: fc.integer({ min: 0, max: 0xffff }) },
  );
  return fc.array(unit, { maxLength: maxUnits }).map((units) => String.fromCharCode(...units));
}
