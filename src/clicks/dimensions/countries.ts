import { readFile } from 'node:fs/promises';
import { isIPv6 } from 'node:net';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import { ipv4Of } from '../../model/ipv4.ts';
import { createYield, type Yield } from '../../runtime/yield.ts';

const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];

/**
 * Every code that ISO 3166-1 alpha-2 has room for, so that the numbers, which are stored with every click, never
 * change: `''` is 0, `AA` 1, `AB` 2, `ZZ` 676.
 */
export const countries: readonly string[] = ['', ...letters.flatMap((a) => letters.map((b) => a + b))];

const codesForNowhere = new Set(['', 'XX', 'ZZ']);

/** @returns the place of a code in {@link countries}; 0 when it is none */
export function countryNumber(code: string): number {
  if (!/^[A-Z]{2}$/i.test(code) || codesForNowhere.has(code.toUpperCase())) return 0;
  const [a = 0, b = 0] = Buffer.from(code.toUpperCase(), 'latin1');
  return (a - 65) * letters.length + (b - 65) + 1;
}

/** Where an address is. */
export interface GeoLocation {
  /** A place in {@link countries}. */
  readonly country: number;
  /** By ISO 3166-2 (`DE-BY`), or by its name; empty where the data has none. */
  readonly region: string;
  /** Who runs the network of the address; empty where the data does not say. */
  readonly network: string;
}

/**
 * @param address numeric, IPv6 ones also as the network that {@link createAddressOf} gives (`2001:db8:0:1::/64`).
 *   Never throws; what is no address is nowhere.
 */
export type Geolocate = (address: string) => GeoLocation;

export const nowhere: GeoLocation = { country: 0, region: '', network: '' };
const placesByCountry: readonly GeoLocation[] = countries.map((_, country) => ({
  country,
  region: '',
  network: '',
}));

/** Until the data is there, every address is nowhere: no visitor waits for it. */
export function geolocateOnceOpen(opening: Promise<Geolocate>): Geolocate {
  let placeOf: Geolocate = () => nowhere;
  opening.then(
    (opened) => (placeOf = opened),
    // Told by the part that opens it.
    () => {},
  );
  return (address) => placeOf(address);
}

/**
 * Prefers what a trusted proxy says of a visitor's country to what the address says.
 * @param code empty when it says nothing
 */
export function withProxyCountry(code: string, place: GeoLocation): GeoLocation {
  const country = countryNumber(code);
  if (country === 0 || country === place.country) return place;
  return place.network === ''
    ? (placesByCountry[country] ?? nowhere)
    : { country, region: '', network: place.network };
}

const packedFile = new URL('countries.bin.br', import.meta.url);

/**
 * Reads the data that comes with Linkfold (see NOTICE; `scripts/pack-countries.ts` makes it), off the critical path: it
 * is unpacked in slices, 40 ms in all, and takes 7 MB of memory.
 */
export async function openCountries(pause: Yield = createYield()): Promise<Geolocate> {
  const ranges = await unpack(await promisify(brotliDecompress)(await readFile(packedFile)), pause);
  return (address) => (parse(address) ? (placesByCountry[find(ranges, high, low)] ?? nowhere) : nowhere);
}

/** Where ranges of one country begin, in order: the two halves of 64 bits, and the place of the country. */
interface Ranges {
  readonly highs: Uint32Array;
  readonly lows: Uint32Array;
  readonly places: Uint16Array;
  /** By the first 16 bits of an IPv4 address: how many ranges begin before all addresses that have them. */
  readonly before: Uint32Array;
}

function find({ highs, lows, places, before }: Ranges, wantedHigh: number, wantedLow: number): number {
  const block = wantedLow >>> 16;
  let first = wantedHigh === 0 ? Math.max(0, (before[block] as number) - 1) : 0;
  let after = wantedHigh === 0 ? (before[block + 1] as number) : places.length;
  while (after - first > 1) {
    const middle = (first + after) >>> 1;
    const there = highs[middle] ?? 0;
    if (there < wantedHigh || (there === wantedHigh && (lows[middle] ?? 0) <= wantedLow)) first = middle;
    else after = middle;
  }
  return places[first] ?? 0;
}

/** What is read of the first line of the file. */
interface Head {
  readonly countries: readonly string[];
  readonly ranges: number;
}

/** Ranges between two readings of the clock. */
const atOnce = 4096;

/**
 * The file has for each range where it begins, by the distance from the one before in two numbers of variable length,
 * low half first; then one byte for each range's country. IPv4 addresses come first, as if their high half were 0.
 */
async function unpack(bytes: Buffer, pause: Yield): Promise<Ranges> {
  const headEnd = bytes.indexOf('\n');
  const { countries: codes, ranges } = JSON.parse(bytes.toString('utf8', 0, headEnd)) as Head;
  const numbers = codes.map(countryNumber);
  const highs = new Uint32Array(ranges);
  const lows = new Uint32Array(ranges);
  const places = new Uint16Array(ranges);
  const before = new Uint32Array(65_537).fill(ranges);
  let block = -1;

  let at = headEnd + 1;
  const next = (): number => {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = bytes[at++] ?? 0;
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
  };
  const placesAt = bytes.length - ranges;
  let beginHigh = 0;
  let beginLow = 0;
  for (let range = 0; range < ranges; range += 1) {
    beginLow += next();
    beginHigh += next() + (beginLow > 0xffffffff ? 1 : 0);
    beginLow >>>= 0;
    highs[range] = beginHigh;
    lows[range] = beginLow;
    places[range] = numbers[bytes[placesAt + range] ?? 0] ?? 0;
    for (; block < (beginHigh === 0 ? beginLow >>> 16 : 65_536); block += 1) before[block + 1] = range;
    if (range % atOnce === 0) await pause();
  }
  return { highs, lows, places, before };
}

/** The upper 64 bits of the address that was parsed last; of an IPv4 one the address itself, below 0. */
let high = 0;
let low = 0;

/** Sets the two above. @returns whether it is an address */
function parse(text: string): boolean {
  const slash = text.indexOf('/');
  const address = slash === -1 ? text : text.slice(0, slash);
  high = 0;
  low = ipv4Of(address);
  if (low >= 0) return true;
  if (!isIPv6(address)) return false;
  parseV6(address);
  return true;
}

/** Mapped IPv4 addresses (`::ffff:203.0.113.7`) are read as IPv4; below 2000::/3 no other address is of the Internet. */
function parseV6(address: string): void {
  if (address.includes('.')) {
    low = ipv4Of(address.slice(address.lastIndexOf(':') + 1));
    return;
  }
  const gap = address.indexOf('::');
  groups.fill(0);
  readGroups(address, 0, gap === -1 ? address.length : gap, 0);
  if (gap !== -1) readGroups(address, gap + 2, address.length, 8 - countGroups(address, gap + 2));
  high = (groups[0] ?? 0) * 65_536 + (groups[1] ?? 0);
  low = high === 0 ? 0 : (groups[2] ?? 0) * 65_536 + (groups[3] ?? 0);
}
const groups = new Uint16Array(8);

function readGroups(address: string, from: number, to: number, group: number): void {
  let into = group;
  for (let index = from; index < to && into < 4; index += 1) {
    const unit = address.charCodeAt(index);
    if (unit === 0x3a) into += 1;
    else groups[into] = (groups[into] ?? 0) * 16 + (unit < 0x3a ? unit - 0x30 : (unit | 0x20) - 0x57);
  }
}

function countGroups(address: string, from: number): number {
  let count = address.length > from ? 1 : 0;
  for (let index = from; index < address.length; index += 1)
    if (address.charCodeAt(index) === 0x3a) count += 1;
  return count;
}
