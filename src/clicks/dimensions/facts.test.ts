import assert from 'node:assert/strict';
import { isIP } from 'node:net';
import { test } from 'node:test';
import { createRandom, type Random } from '../../../test/support/random/random.ts';
import { clickWords } from '../../model/clicks/click-dimensions.ts';
import { type ClickFacts, unknownFacts } from '../../model/clicks/click-facts.ts';
import type { ClickClass } from '../../model/clicks/clicks.ts';
import {
  countryNumber,
  type Geolocate,
  geolocateWhenReady,
  openCountries,
  unknownLocation,
} from './countries.ts';
import { dimensions } from './dimensions.ts';
import { createReadFacts, type FactsOptions, type VisitSource } from './facts.ts';
import { createReadVisitHeaders } from './visit-headers.ts';
import { digestOf, saltFrom, visitorOf } from './visitors.ts';

const salt = saltFrom(Uint8Array.from({ length: 16 }, (_, index) => 7 * index));
const options: FactsOptions = {
  classOfAgent: (agent) => (agent.includes('bot') ? 'bot' : 'human'),
  ownHosts: ['sho.rt'],
  geolocate: await openCountries(),
  salt: () => salt,
  honoursOptOut: true,
};
const nothing: VisitSource = {
  agent: '',
  referer: '',
  language: '',
  optsOut: false,
  query: '',
  domain: '',
  address: '',
  country: '',
  prefetch: false,
};
const chrome =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';
const usual: VisitSource = {
  agent: chrome,
  referer: 'https://www.google.com/',
  language: 'de-DE,de;q=0.9',
  optsOut: false,
  query: 'utm_source=News&utm_medium=mail&trigger=qr',
  domain: 'go.example.com',
  address: '8.8.8.8',
  country: '',
  prefetch: false,
};

/** Converts a click's facts to the names used by the API. */
function toNames(facts: ClickFacts): Record<string, string> {
  return Object.fromEntries(
    dimensions.map((dimension) => [
      dimension.name,
      dimension.kind === 'word' ? facts[dimension.name] : dimension.decode(facts[dimension.name]),
    ]),
  );
}

const unknown = Object.fromEntries(dimensions.map(({ name }) => [name, '']));

test('reads every dimension from a visit', () => {
  const read = createReadFacts(options);
  const expected = {
    class: 'human',
    trigger: 'qr',
    country: 'US',
    region: '',
    browser: 'chrome',
    os: 'windows',
    device: 'desktop',
    language: 'de',
    referrer: 'google.com',
    referrerKind: 'search',
    utmSource: 'News',
    utmMedium: 'mail',
    utmCampaign: '',
    utmTerm: '',
    utmContent: '',
    rule: '',
    variant: '',
    network: '',
    utmFrom: '',
    domain: 'go.example.com',
    imported: '',
  };
  // Reads twice, because the second result comes from the cache.
  for (const facts of [read(usual), read(usual)]) {
    assert.deepEqual(toNames(facts), expected);
    assert.equal(facts.visitor, visitorOf(salt, digestOf(chrome), '8.8.8.8'));
  }
  assert.deepEqual(toNames(read(nothing)), { ...unknown, class: 'human', trigger: 'link' });
  assert.equal(toNames(read({ ...usual, agent: 'a bot' }))['class'], 'bot');
  assert.equal(toNames(read({ ...usual, prefetch: true }))['class'], 'prefetch');
});

test('prefers a trusted country header over the address; uses a region only with its country', () => {
  const bavaria = { country: countryNumber('DE'), region: 'DE-BY', network: 'Example Net' };
  const read = createReadFacts({ ...options, geolocate: () => bavaria });
  const locationOf = (said: string) => {
    const { country, region, network } = read({ ...usual, country: said });
    return { country, region, network };
  };
  assert.deepEqual(locationOf(''), bavaria);
  assert.deepEqual(locationOf('de'), bavaria);
  assert.deepEqual(locationOf('FR'), { country: countryNumber('FR'), region: '', network: 'Example Net' });
  for (const country of ['XX', 'T1', 'FRA', '__proto__']) assert.deepEqual(locationOf(country), bavaria);
});

test('does not distinguish visitors who opt out, have no address, or come before the first salt', () => {
  const visitor = (more: Partial<VisitSource>, others: Partial<FactsOptions> = {}): number =>
    createReadFacts({ ...options, ...others })({ ...usual, ...more }).visitor;
  assert.notEqual(visitor({}), 0);
  assert.equal(visitor({ optsOut: true }), 0);
  assert.equal(visitor({ optsOut: true }, { honoursOptOut: false }), visitor({}));
  assert.equal(visitor({ address: '' }), 0);
  assert.equal(visitor({}, { salt: () => undefined }), 0);
  assert.notEqual(visitor({ agent: 'another' }), visitor({}));
  assert.notEqual(visitor({ address: '8.8.4.4' }), visitor({}));
});

test('finds no country before the data is loaded or if it cannot be read', async () => {
  const opening = Promise.withResolvers<Geolocate>();
  const location = { country: 1, region: '', network: '' };
  const geolocate = geolocateWhenReady(opening.promise);
  assert.deepEqual(geolocate('8.8.8.8'), unknownLocation);
  opening.resolve(() => location);
  await opening.promise;
  assert.deepEqual(geolocate('8.8.8.8'), location);
  const failed = geolocateWhenReady(Promise.reject(new Error('a test')));
  await new Promise(setImmediate);
  assert.deepEqual(failed('8.8.8.8'), unknownLocation);
});

test('reads headers case-insensitively, and the first of several', () => {
  const none = { agent: '', referer: '', language: '', optsOut: false, prefetch: false, country: '' };
  const readHeaders = createReadVisitHeaders('cf-ipcountry');
  for (const [raw, expected] of [
    [[], none],
    [['Host', 'x', 'odd'], none],
    [['User-Agent', 'a', 'user-agent', 'b'], { ...none, agent: 'a' }],
    [['REFERER', 'a', 'Accept-Language', 'de'], { ...none, referer: 'a', language: 'de' }],
    [['referrer', 'a', 'accept-languages', 'de', '__proto__', 'c'], none],
    [['Sec-GPC', '1'], { ...none, optsOut: true }],
    [['DNT', '1', 'dnt', '0'], { ...none, optsOut: true }],
    [['DNT', '0', 'Sec-GPC', '?1'], none],
    [['CF-IPCountry', ' DE ', 'cf-ipcountry', 'FR'], { ...none, country: 'DE' }],
    [['Sec-Purpose', 'something-else'], none],
    [['Sec-Purpose', 'prefetch'], { ...none, prefetch: true }],
    [['sec-purpose', 'prefetch;prerender'], { ...none, prefetch: true }],
    [['Purpose', 'prefetch', 'purpose', 'no'], { ...none, prefetch: true }],
    [['X-Purpose', 'preview'], { ...none, prefetch: true }],
    [['X-Moz', 'prefetch'], { ...none, prefetch: true }],
  ] as const)
    assert.deepEqual(readHeaders(raw), expected, raw.join(' '));
  assert.deepEqual(createReadVisitHeaders('')(['CF-IPCountry', 'DE', '', 'x']), none);
});

const pieces = [
  'https://',
  'android-app://',
  'www.',
  'google.',
  'com',
  '[::1]',
  '203.0.113.7',
  ':',
  '/',
  '?',
  '#',
  '@',
  'utm_source=',
  'utm_term=',
  '&',
  '=',
  '%',
  '%00',
  '%F0%9F',
  '%E2%80%AE',
  '+',
  'trigger=',
  'qr',
  'preview',
  'Mozilla/5.0 ',
  '(iPhone; ',
  'Android',
  'Chrome/1',
  'Mobile',
  'Safari/',
  ' TV',
  'de',
  'en-US',
  ',',
  ';q=0.5',
  '\0',
  '\n',
  '\x7f',
  '\x9b',
  '\xff',
  ' ',
  '\t',
  '__proto__',
  'constructor',
  'toString',
  'DE',
  'us',
  '::/64',
];

function randomText(random: Random): string {
  if (random.chance(0.05)) return random.pick(pieces).repeat(Math.ceil(60_000 / 8));
  return Array.from({ length: random.below(8) }, () => random.pick(pieces)).join('');
}

test('returns a valid number or a short, safe value for any visit', (t) => {
  const seed = Math.floor(Math.random() * 2 ** 31);
  t.diagnostic(`seed ${seed}`);
  const random = createRandom(seed);
  const classes: readonly ClickClass[] = ['human', 'bot', 'preview'];
  const read = createReadFacts({ ...options, classOfAgent: () => random.pick(classes) });
  for (let count = 0; count < 5_000; count += 1) {
    const visit: VisitSource = {
      agent: randomText(random),
      referer: randomText(random),
      language: randomText(random),
      query: randomText(random),
      domain: '',
      address: randomText(random),
      country: randomText(random),
      optsOut: random.chance(0.5),
      prefetch: random.chance(0.5),
    };
    const facts = read(visit);
    assert.deepEqual(read(visit), facts, `seed ${seed}`);
    assert.ok(Number.isInteger(facts.visitor) && facts.visitor >= 0 && facts.visitor < 2 ** 32);
    for (const dimension of dimensions) {
      const { name } = dimension;
      if (dimension.kind === 'number') {
        const number = facts[dimension.name];
        assert.ok(
          Number.isInteger(number) && number >= 0 && number < 256 ** dimension.bytes,
          `${name}, seed ${seed}`,
        );
        assert.equal(dimension.encode(dimension.decode(number)), number, `${name}, seed ${seed}`);
      } else {
        const word = facts[dimension.name];
        assert.ok([...word].length <= dimension.longest && word.isWellFormed(), `${name}, seed ${seed}`);
        assert.doesNotMatch(word, /[\p{Cc}\p{Cf}]/u, `${name}, seed ${seed}`);
        if (name === 'referrer') assert.equal(isIP(word), 0, `seed ${seed}`);
      }
    }
  }
});

test('parses each distinct text once and evicts old ones in order', () => {
  let reads = 0;
  const read = createReadFacts({
    ...options,
    classOfAgent: () => {
      reads += 1;
      return 'human';
    },
  });
  for (let count = 0; count < 3; count += 1) read(usual);
  assert.equal(reads, 1);
  for (let count = 0; count < 10_000; count += 1) read({ ...usual, agent: `agent ${count}` });
  read({ ...usual, agent: 'agent 9999' });
  assert.equal(reads, 10_001);
  read(usual);
  assert.equal(reads, 10_002);
  // User agents that differ only beyond the maximum length are treated as the same.
  for (const end of ['a', 'b']) read({ ...usual, agent: 'x'.repeat(512) + end });
  assert.equal(reads, 10_003);
});

test('records exactly the defined dimensions', () => {
  const words = dimensions.filter(({ kind }) => kind === 'word').map(({ name }) => name);
  assert.deepEqual(words, [...clickWords]);
  assert.deepEqual(
    Object.keys(unknownFacts(0)).toSorted(),
    [...dimensions.map(({ name }) => name), 'visitor'].toSorted(),
  );
});

test('keeps the order and bytes of dimensions stored in existing clicks', () => {
  const stored = dimensions.map((one) => `${one.name} ${one.kind === 'word' ? 'word' : one.bytes}`);
  assert.deepEqual(stored.slice(0, 17), [
    'class 1',
    'trigger 1',
    'country 2',
    'region word',
    'browser 1',
    'os 1',
    'device 1',
    'language 1',
    'referrer word',
    'referrerKind 1',
    'utmSource word',
    'utmMedium word',
    'utmCampaign word',
    'utmTerm word',
    'utmContent word',
    'rule word',
    'variant word',
  ]);
  for (const one of dimensions)
    if (one.kind === 'number') {
      assert.notEqual(one.decode(0), undefined);
      assert.equal(one.decode(256 ** one.bytes - 1), 'other', 'written by a later version');
      for (const word of ['toString', '__proto__', 'no such word']) assert.equal(one.encode(word), undefined);
    }
});
