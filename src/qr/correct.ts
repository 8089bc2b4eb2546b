// Reed-Solomon correction of codewords, over the field of 256 numbers that QR codes use (ISO/IEC 18004).

const powers = new Uint8Array(510);
const logarithms = new Uint8Array(256);
for (let at = 0, value = 1; at < 255; at += 1) {
  powers[at] = value;
  powers[at + 255] = value;
  logarithms[value] = at;
  value = value < 128 ? value << 1 : (value << 1) ^ 0x11d;
}

function power(exponent: number): number {
  return powers[((exponent % 255) + 255) % 255] ?? 0;
}

function multiply(a: number, b: number): number {
  return a === 0 || b === 0 ? 0 : (powers[(logarithms[a] ?? 0) + (logarithms[b] ?? 0)] ?? 0);
}

function divide(a: number, b: number): number {
  return a === 0 ? 0 : power((logarithms[a] ?? 0) - (logarithms[b] ?? 0));
}

/** The value of a polynomial, its constant first. */
function valueAt(polynomial: readonly number[], x: number): number {
  return polynomial.reduceRight((sum, coefficient) => multiply(sum, x) ^ coefficient, 0);
}

/**
 * Corrects a block in place: data, then as many codewords as were added to mend it.
 * @returns how many were wrong; undefined when there are more of them than can be mended
 */
export function correct(block: number[], added: number): number | undefined {
  const reversed = block.toReversed();
  const syndromes = Array.from({ length: added }, (_, at) => valueAt(reversed, power(at)));
  if (syndromes.every((one) => one === 0)) return 0;
  const locator = locatorOf(syndromes);
  const count = locator.length - 1;
  if (count * 2 > added) return undefined;
  const places = block.keys().filter((place) => valueAt(locator, power(-place)) === 0);
  const wrong = [...places];
  if (wrong.length !== count) return undefined;
  const evaluator = evaluatorOf(syndromes, locator);
  for (const place of wrong) {
    const inverse = power(-place);
    // The formal derivative: the odd terms, each of one degree less.
    const slope = locator.reduce(
      (sum, coefficient, degree) =>
        degree % 2 === 1 ? sum ^ multiply(coefficient, power(-place * (degree - 1))) : sum,
      0,
    );
    if (slope === 0) return undefined;
    const error = multiply(power(place), divide(valueAt(evaluator, inverse), slope));
    const index = block.length - 1 - place;
    block[index] = (block[index] ?? 0) ^ error;
  }
  return count;
}

/** The polynomial whose roots tell which codewords are wrong (Berlekamp and Massey). */
function locatorOf(syndromes: readonly number[]): number[] {
  let locator = [1];
  let before = [1];
  let shift = 1;
  let discrepancyBefore = 1;
  let length = 0;
  for (const [at, syndrome] of syndromes.entries()) {
    let discrepancy = syndrome;
    for (let back = 1; back <= length; back += 1)
      discrepancy ^= multiply(locator[back] ?? 0, syndromes[at - back] ?? 0);
    if (discrepancy === 0) {
      shift += 1;
      continue;
    }
    const factor = divide(discrepancy, discrepancyBefore);
    const next = [...locator];
    for (const [degree, coefficient] of before.entries())
      next[degree + shift] = (next[degree + shift] ?? 0) ^ multiply(factor, coefficient);
    for (let degree = 0; degree < next.length; degree += 1) next[degree] ??= 0;
    if (2 * length <= at) {
      before = locator;
      discrepancyBefore = discrepancy;
      length = at + 1 - length;
      shift = 1;
    } else shift += 1;
    locator = next;
  }
  while (locator.length > 1 && locator.at(-1) === 0) locator.pop();
  return locator;
}

/** Tells by how much they are wrong (Forney): syndromes times locator, up to the number of syndromes. */
function evaluatorOf(syndromes: readonly number[], locator: readonly number[]): number[] {
  return syndromes.map((_, degree) =>
    locator.reduce(
      (sum, coefficient, at) =>
        at <= degree ? sum ^ multiply(coefficient, syndromes[degree - at] ?? 0) : sum,
      0,
    ),
  );
}
