import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { temporaryFolder } from '../../../test/support/files/temporary.ts';
import { awkwardTexts } from '../../../test/support/random/awkward-texts.ts';
import { countries, countryNumber, type Geolocate, openCountries, unknownLocation } from './countries.ts';
import { openGeoDatabase } from './geo-database.ts';

let geolocate: Geolocate;
before(async () => {
  geolocate = await openCountries();
});
const countryOf = (address: string): string | undefined => countries[geolocate(address).country];

test("finds the source database's country for each address", () => {
  const lines = readFileSync(join(import.meta.dirname, 'countries.sample.txt'), 'utf8')
    .trim()
    .split('\n');
  assert.equal(lines.length, 400);
  assert.equal(lines.filter((line) => line.includes(':')).length, 200);
  assert.ok(new Set(lines.map((line) => line.split(' ')[1])).size > 40, 'of many countries');
  for (const line of lines) {
    const [address = '', country = ''] = line.split(' ');
    assert.equal(countryOf(address), country, address);
    // Looks up the network as well, because visitors with IPv6 addresses are identified by network.
    if (address.endsWith('::')) assert.equal(countryOf(`${address}/64`), country, address);
    else assert.equal(countryOf(`::ffff:${address}`), country, address);
  }
});

test('treats all spellings of an address alike', () => {
  const [network] =
    readFileSync(join(import.meta.dirname, 'countries.sample.txt'), 'utf8').match(
      /^2a\S+(?=:: [A-Z]{2}$)/m,
    ) ?? [];
  const [a, b, c, d] = String(network).split(':');
  const country = countryOf(`${network}::`);
  assert.notEqual(country, '');
  for (const written of [
    `${a}:${b}:${c}:${d}:0:0:0:1`,
    `${network}::1:2:3`,
    `${network}::AbCd`,
    `${network}:1::2`,
  ])
    assert.equal(countryOf(written), country, written);
  assert.equal(countryOf(String(network).toUpperCase().concat('::')), country);
});

test('finds no country for private, special and invalid addresses', () => {
  for (const address of [
    '',
    'x',
    '::',
    '::1',
    'fe80::1',
    'fe80::1%eth0',
    'fd00::/64',
    '::2:3',
    '127.0.0.1',
    '10.0.0.1',
    '192.168.1.1',
    '0.0.0.0',
    '255.255.255.255',
    '1.2.3',
    '1.2.3.4.5',
    '01.2.3.4',
    '8.8.8.8:80',
    '1:2:3',
    'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
    '__proto__',
    'unknown',
    'unix:',
  ])
    assert.deepEqual(geolocate(address), unknownLocation, address);
  for (const { text, unit } of awkwardTexts('203.0.113.7', 60_000))
    assert.deepEqual(geolocate(text), unknownLocation, unit);
});

test('keeps the country numbers stored in existing clicks', () => {
  assert.equal(countries.length, 677);
  assert.deepEqual([countries[1], countries[2], countries[27], countries[676]], ['AA', 'AB', 'BA', 'ZZ']);
  assert.deepEqual(['DE', 'US', 'us', 'GB', 'XK'].map(countryNumber), [83, 539, 539, 158, 609]);
  for (const code of ['', 'XX', 'ZZ', 'D', 'DEU', 'D1', 'T1', '__proto__', 'ÄÖ', 'd\n'])
    assert.equal(countryNumber(code), 0, code);
  for (const [number, code] of countries.entries())
    if (!/^(?:XX|ZZ)$/.test(code)) assert.equal(countryNumber(code), number, code);
});

test("names the data's source, license and date in NOTICE", () => {
  const notice = readFileSync(join(import.meta.dirname, '..', '..', '..', 'NOTICE'), 'utf8');
  for (const text of [
    'DB-IP',
    'https://db-ip.com',
    'https://creativecommons.org/licenses/by/4.0/',
    '2026-06-01',
  ])
    assert.ok(notice.includes(text), text);
});

// A hand-written database in MaxMind's format: https://maxmind.github.io/MaxMind-DB/

type Value = string | number | { readonly [key: string]: Value } | readonly Value[];

function encoded(value: Value): Buffer {
  const head = (type: number, size: number): Buffer => {
    const length = size < 29 ? [size] : [29, size - 29];
    const [first = 0, ...more] = length;
    return Buffer.from(type > 7 ? [first, type - 7, ...more] : [(type << 5) | first, ...more]);
  };
  if (typeof value === 'string')
    return Buffer.concat([head(2, Buffer.byteLength(value)), Buffer.from(value)]);
  if (typeof value === 'number') {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(value);
    return Buffer.concat([head(6, 4), bytes]);
  }
  if (Array.isArray(value)) return Buffer.concat([head(11, value.length), ...value.map(encoded)]);
  const entries = Object.entries(value);
  return Buffer.concat([
    head(7, entries.length),
    ...entries.flatMap(([key, inner]) => [encoded(key), encoded(inner)]),
  ]);
}

/** Returns a database with `entry` for IPv4 addresses below 128.0.0.0, and no entry for other addresses. */
function databaseOf(entry: Value): Buffer {
  const node = Buffer.alloc(6);
  node.writeUIntBE(1 + 16, 0, 3);
  node.writeUIntBE(1, 3, 3);
  const metadata = {
    node_count: 1,
    record_size: 24,
    ip_version: 4,
    database_type: 'Test',
    languages: ['en'],
    build_epoch: 1,
    binary_format_major_version: 2,
    binary_format_minor_version: 0,
    description: { en: 'Test' },
  };
  const marker = Buffer.from('\xab\xcd\xefMaxMind.com', 'latin1');
  return Buffer.concat([node, Buffer.alloc(16), encoded(entry), marker, encoded(metadata)]);
}

const entries: readonly (readonly [Value, string, string, string?])[] = [
  [
    { country: { iso_code: 'DE' }, subdivisions: [{ iso_code: 'BY', names: { en: 'Bavaria' } }] },
    'DE',
    'DE-BY',
  ],
  [{ country: { iso_code: 'DE' }, subdivisions: [{ names: { en: 'Bavaria' } }] }, 'DE', 'Bavaria'],
  [{ country: { iso_code: 'DE' } }, 'DE', ''],
  [{ country: 'US', region: 'California', as_name: 'Example Cloud' }, 'US', 'California', 'Example Cloud'],
  [{ autonomous_system_organization: 'Example Net' }, '', '', 'Example Net'],
  [{ country_code: 'US', state1: 'x'.repeat(200) }, 'US', 'x'.repeat(50)],
  [{ subdivisions: [{ iso_code: 'BY' }] }, '', ''],
  [{ country: { iso_code: 7 }, subdivisions: [] }, '', ''],
  ['just a text', '', ''],
];

test('reads countries, regions and networks from databases of several vendors', async () => {
  const path = join(temporaryFolder('geo'), 'test.mmdb');
  for (const [entry, country, region, network = ''] of entries) {
    writeFileSync(path, databaseOf(entry));
    const place = await openGeoDatabase(path).then((find) => [
      find('8.8.8.8'),
      find('203.0.113.7'),
      find('x'),
      find(''),
    ]);
    assert.deepEqual(place, [
      { country: countryNumber(country), region, network },
      unknownLocation,
      unknownLocation,
      unknownLocation,
    ]);
  }
});

test('rejects an invalid database at once and finds nothing in a damaged one', async () => {
  const path = join(temporaryFolder('geo'), 'test.mmdb');
  await assert.rejects(openGeoDatabase(path), /ENOENT/);
  writeFileSync(path, 'something else');
  await assert.rejects(openGeoDatabase(path), Error);
  const bytes = databaseOf({ country: { iso_code: 'DE' } });
  bytes.fill(0xff, 22, 30);
  writeFileSync(path, bytes);
  assert.deepEqual((await openGeoDatabase(path))('8.8.8.8'), unknownLocation);
});
