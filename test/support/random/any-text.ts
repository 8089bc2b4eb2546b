import * as fc from 'fast-check';

/** Generates any code point that is a valid character. */
const codePoint = fc
  .integer({ min: 0, max: 0x10f7ff })
  .map((at) => String.fromCodePoint(at < 0xd800 ? at : at + 0x800));

/**
 * Generates strings of any code points. fast-check's own unit `binary` is not used, because it first numbers a million
 * code points, which takes two seconds.
 */
export function anyText(bounds: fc.StringConstraints = {}): fc.Arbitrary<string> {
  return fc.string({ ...bounds, unit: codePoint });
}
