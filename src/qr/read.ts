import { type Level, levels } from './code.ts';
import { correct } from './correct.ts';

// Reads a code from its modules as a camera does once it has found them: format, mask, codewords, correction, text.
// What was drawn is read back by it before it is offered, a logo over its middle included.

type Modules = readonly (readonly boolean[])[];

/** Codewords for correction in a block, and blocks, by version from 1 to 40 (ISO/IEC 18004, table 9). */
const tables: Readonly<
  Record<Level, { readonly added: readonly number[]; readonly blocks: readonly number[] }>
> = {
  L: table(
    '7 10 15 20 26 18 20 24 30 18 20 24 26 30 22 24 28 30 28 28 28 28 30 30 26 28 30 30 30 30 30 30 30 30 30 30 30 30 30 30',
    '1 1 1 1 1 2 2 2 2 4 4 4 4 4 6 6 6 6 7 8 8 9 9 10 12 12 12 13 14 15 16 17 18 19 19 20 21 22 24 25',
  ),
  M: table(
    '10 16 26 18 24 16 18 22 22 26 30 22 22 24 24 28 28 26 26 26 26 28 28 28 28 28 28 28 28 28 28 28 28 28 28 28 28 28 28 28',
    '1 1 1 2 2 4 4 4 5 5 5 8 9 9 10 10 11 13 14 16 17 17 18 20 21 23 25 26 28 29 31 33 35 37 38 40 43 45 47 49',
  ),
  Q: table(
    '13 22 18 26 18 24 18 22 20 24 28 26 24 20 30 24 28 28 26 30 28 30 30 30 30 28 30 30 30 30 30 30 30 30 30 30 30 30 30 30',
    '1 1 2 2 4 4 6 6 8 8 8 10 12 16 12 17 16 18 21 20 23 23 25 27 29 34 34 35 38 40 43 45 48 51 53 56 59 62 65 68',
  ),
  H: table(
    '17 28 22 16 22 28 26 26 24 28 24 28 22 24 24 30 28 28 26 28 30 24 30 30 30 30 30 30 30 30 30 30 30 30 30 30 30 30 30 30',
    '1 1 2 4 4 4 5 6 8 8 11 11 16 16 18 16 19 21 25 25 25 34 30 32 35 37 40 42 45 48 51 54 57 60 63 66 70 74 77 81',
  ),
};

function table(added: string, blocks: string) {
  return { added: added.split(' ').map(Number), blocks: blocks.split(' ').map(Number) };
}

/** @returns the text; undefined when it cannot be read */
export function readModules(modules: Modules): string | undefined {
  const size = modules.length;
  const version = (size - 17) / 4;
  const format = formatOf(modules);
  if (format === undefined || !Number.isInteger(version) || version < 1 || version > 40) return undefined;
  const codewords = codewordsOf(modules, version, format.mask);
  const data = dataOf(codewords, version, format.level);
  return data === undefined ? undefined : textOf(data, version);
}

/** Bits of the level in the format, by their number. */
const levelOfBits = ['M', 'L', 'H', 'Q'] as const satisfies readonly Level[];

/** The format stands twice; of each copy as many as three of fifteen bits may be wrong. */
function formatOf(modules: Modules): { readonly level: Level; readonly mask: number } | undefined {
  const size = modules.length;
  const bit = (x: number, y: number): number => Number(modules[y]?.[x] ?? false);
  const near = [0, 1, 2, 3, 4, 5, 7, 8].map((y) => bit(8, y));
  near.push(bit(7, 8), ...[5, 4, 3, 2, 1, 0].map((x) => bit(x, 8)));
  const far = Array.from({ length: 8 }, (_, at) => bit(size - 1 - at, 8));
  far.push(...Array.from({ length: 7 }, (_, at) => bit(8, size - 7 + at)));
  const seen = [near, far].map((bits) => bits.reduce((sum, one, at) => sum | (one << at), 0));
  let best: { format: number; distance: number } | undefined;
  for (let format = 0; format < 32; format += 1) {
    for (const one of seen) {
      const distance = bitsIn(one ^ formatBits(format));
      if (best === undefined || distance < best.distance) best = { format, distance };
    }
  }
  if (best === undefined || best.distance > 3) return undefined;
  return { level: levelOfBits[best.format >> 3] ?? levels[0], mask: best.format & 7 };
}

/** Five bits with ten that protect them, as they are drawn. */
function formatBits(format: number): number {
  let rest = format;
  for (let at = 0; at < 10; at += 1) rest = (rest << 1) ^ ((rest >> 9) * 0x537);
  return ((format << 10) | rest) ^ 0x5412;
}

function bitsIn(number: number): number {
  return number.toString(2).replaceAll('0', '').length;
}

const masks: readonly ((x: number, y: number) => boolean)[] = [
  (x, y) => (x + y) % 2 === 0,
  (_x, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
];

/** The bytes in the order in which they are drawn: in columns of two, up and down, from the right. */
function codewordsOf(modules: Modules, version: number, mask: number): number[] {
  const size = modules.length;
  const isFixed = fixedIn(version);
  const inverts = masks[mask] ?? masks[0];
  const bytes: number[] = [];
  let bits = 0;
  let byte = 0;
  let isUp = true;
  for (let right = size - 1; right > 0; right -= 2) {
    if (right === 6) right = 5; // the column of the timing pattern
    for (let step = 0; step < size; step += 1) {
      const y = isUp ? size - 1 - step : step;
      for (const x of [right, right - 1]) {
        if (isFixed(x, y)) continue;
        const isDark = (modules[y]?.[x] ?? false) !== (inverts?.(x, y) ?? false);
        byte = (byte << 1) | Number(isDark);
        bits += 1;
        if (bits % 8 !== 0) continue;
        bytes.push(byte);
        byte = 0;
      }
    }
    isUp = !isUp;
  }
  return bytes;
}

/** Whether a module is part of what every code of a version has. */
function fixedIn(version: number): (x: number, y: number) => boolean {
  const size = version * 4 + 17;
  const centres = centresIn(version);
  return (x, y) => {
    const isFinder = (x < 9 && y < 9) || (x > size - 9 && y < 9) || (x < 9 && y > size - 9);
    if (isFinder || x === 6 || y === 6) return true;
    if (version >= 7 && ((x < 6 && y > size - 12) || (y < 6 && x > size - 12))) return true;
    const near = (one: number): number | undefined => centres.find((centre) => Math.abs(centre - one) <= 2);
    const [column, row] = [near(x), near(y)];
    if (column === undefined || row === undefined) return false;
    const last = size - 7;
    const isUnderFinder = (column === 6 && (row === 6 || row === last)) || (column === last && row === 6);
    return !isUnderFinder;
  };
}

/** Where alignment patterns have their centres, in both directions. */
function centresIn(version: number): number[] {
  if (version === 1) return [];
  const count = Math.floor(version / 7) + 2;
  const step = Math.floor((version * 8 + count * 3 + 5) / (count * 4 - 4)) * 2;
  const last = version * 4 + 10;
  return [6, ...Array.from({ length: count - 1 }, (_, at) => last - step * (count - 2 - at))];
}

/** Undoes the mixing of the blocks, and corrects each. */
function dataOf(codewords: readonly number[], version: number, level: Level): number[] | undefined {
  const added = tables[level].added[version - 1] ?? 0;
  const count = tables[level].blocks[version - 1] ?? 1;
  const shortLength = Math.floor(codewords.length / count);
  const longOnes = codewords.length % count;
  const blocks: number[][] = Array.from({ length: count }, () => []);
  const dataLength = (block: number): number => shortLength - added + Number(block >= count - longOnes);
  let at = 0;
  for (let place = 0; place < shortLength - added + 1; place += 1)
    for (const [index, block] of blocks.entries())
      if (place < dataLength(index)) block.push(codewords[at++] ?? 0);
  for (let place = 0; place < added; place += 1) for (const block of blocks) block.push(codewords[at++] ?? 0);
  const data: number[] = [];
  for (const block of blocks) {
    if (correct(block, added) === undefined) return undefined;
    data.push(...block.slice(0, -added));
  }
  return data;
}

const letters = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:';

/** Digits, capital letters or bytes: what is encoded says so itself. */
function textOf(data: readonly number[], version: number): string | undefined {
  let at = 0;
  const take = (length: number): number => {
    let value = 0;
    for (let bit = 0; bit < length; bit += 1, at += 1)
      value = value * 2 + (((data[at >> 3] ?? 0) >> (7 - (at & 7))) & 1);
    return value;
  };
  const size = version < 10 ? 0 : version < 27 ? 1 : 2;
  let text = '';
  while (at + 4 <= data.length * 8) {
    const mode = take(4);
    if (mode === 0) break;
    if (mode === 1) {
      let left = take([10, 12, 14][size] ?? 10);
      for (; left > 0; left -= 3) {
        const digits = Math.min(3, left);
        text += String(take(digits * 3 + 1)).padStart(digits, '0');
      }
    } else if (mode === 2) {
      let left = take([9, 11, 13][size] ?? 9);
      for (; left > 1; left -= 2) {
        const pair = take(11);
        text += `${letters[Math.floor(pair / 45)]}${letters[pair % 45]}`;
      }
      if (left === 1) text += letters[take(6)];
    } else if (mode === 4) {
      const length = take(size === 0 ? 8 : 16);
      text += new TextDecoder().decode(Uint8Array.from({ length }, () => take(8)));
    } else return undefined;
  }
  return text;
}
