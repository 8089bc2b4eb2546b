import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DestinationRules } from './destinations.ts';
import { isProblem } from './destinations.ts';
import { appendPath, compileTemplate, readTemplate, type TemplateVisit } from './templates.ts';

const rules: DestinationRules = {
  maxLength: 2_048,
  ownHosts: new Set(['go.example.com']),
  blockedHosts: ['evil.example', '*.blocked.example'],
  blockPrivate: false,
  isListed: () => false,
};
const nothing: TemplateVisit = {
  code: 'jira',
  rest: [],
  query: '',
  user: () => '',
  at: Date.UTC(2027, 0, 31, 23, 30),
  zone: 'Europe/Berlin',
};

function read(text: string) {
  const destination = readTemplate(text, rules);
  if (isProblem(destination)) throw new Error(destination.message);
  return destination;
}
/** Returns the redirect URL for a visit. Reads and compiles the template as the server does. */
function expand(text: string, visit: Partial<TemplateVisit> = {}): string {
  const made = compileTemplate(read(text).location).expand({ ...nothing, ...visit });
  return 'location' in made ? made.location : 'unfilled' in made ? `unfilled ${made.unfilled}` : 'refused';
}
function refusal(text: string): string {
  const read = readTemplate(text, rules);
  return isProblem(read) ? `${read.code}: ${read.message}` : 'allowed';
}

test('fills placeholders with values from a visit, encoded for their position', () => {
  const rest = ['a b', 'c/d?#', 'ü'];
  assert.equal(expand('https://x.test/{path}', { rest }), 'https://x.test/a%20b/c/d%3F%23/%C3%BC');
  assert.equal(
    expand('https://x.test/?q={path}', { rest }),
    'https://x.test/?q=a%20b%2Fc%2Fd%3F%23%2F%C3%BC',
  );
  assert.equal(expand('https://x.test/#{2}-{1}', { rest }), 'https://x.test/#c%2Fd%3F%23-a%20b');
  assert.equal(expand('https://x.test/{code}/{3}', { rest }), 'https://x.test/jira/%C3%BC');
  assert.equal(expand('https://x.test/{user}', { user: () => 'ada@x' }), 'https://x.test/ada%40x');
  assert.equal(expand('https://x.test/{query.q}', { query: 'p=1&q=a%26b+c' }), 'https://x.test/a%26b%20c');
  assert.equal(expand('https://x.test/?{query}', { query: 'p=1&q=%C3%BC' }), 'https://x.test/?p=1&q=%C3%BC');
  assert.equal(
    expand('https://x.test/?all={query}', { query: 'p=1&q=2' }),
    'https://x.test/?all=p%3D1%26q%3D2',
  );
});

test('uses a default for a missing value; without one the visit is unfilled', () => {
  assert.equal(expand('https://x.test/{1|dashboard}'), 'https://x.test/dashboard');
  assert.equal(expand('https://x.test/{1|dashboard}', { rest: ['list'] }), 'https://x.test/list');
  assert.equal(expand('https://x.test/{1|a%20b|c}'), 'https://x.test/a%20b%7Cc');
  assert.equal(expand('https://x.test/?q={query.q|}'), 'https://x.test/?q=');
  assert.equal(expand('https://x.test/{1}/{2}', { rest: ['one'] }), 'unfilled {2}');
  assert.equal(expand('https://x.test/{query.q}', { query: 'q=' }), 'unfilled {query.q}');
});

test("uses the link's time zone for dates", () => {
  assert.equal(expand('https://x.test/{date}'), 'https://x.test/2027-02-01');
  assert.equal(expand('https://x.test/{date}', { zone: 'UTC' }), 'https://x.test/2027-01-31');
  assert.equal(expand('https://x.test/{date:d.M.yy HH-mm}'), 'https://x.test/1.2.27%2000-30');
});

test('lets one label of the host vary, and nothing else in the origin', () => {
  const host = 'https://{1|www}.team.example.com/x';
  assert.equal(expand(host), 'https://www.team.example.com/x');
  assert.equal(expand(host, { rest: ['Wiki-2'] }), 'https://wiki-2.team.example.com/x');
  for (const label of [
    'a.b',
    'a/b',
    'a@b',
    'a:1',
    '-a',
    'a-',
    'ü',
    'xn--4ca',
    'a%2e',
    'a'.repeat(64),
    ' ',
    '\\',
  ])
    assert.equal(expand(host, { rest: [label] }), 'refused', label);
});

test('refuses a path that browsers would resolve', () => {
  const visits = [['..'], ['a', '..', 'b'], ['.']];
  for (const rest of visits) assert.equal(expand('https://x.test/team/{path}', { rest }), 'refused');
  assert.equal(expand('https://x.test/team/.{1}', { rest: ['.'] }), 'refused');
  assert.equal(expand('https://x.test/team/%2e{1}', { rest: ['.'] }), 'refused');
  assert.equal(expand('https://x.test/team/{1}{2}/x', { rest: ['.', '.'] }), 'refused');
  assert.equal(
    expand('https://x.test/?q={path}', { rest: ['a', '..', 'b'] }),
    'https://x.test/?q=a%2F..%2Fb',
  );
});

test('omits an optional part if its placeholder has no value', () => {
  const search = 'https://x.test/{path?search?q={path}}';
  assert.equal(expand(search), 'https://x.test/');
  assert.equal(expand(search, { rest: ['a', 'b'] }), 'https://x.test/search?q=a%2Fb');
  assert.equal(expand('https://x.test/{1?c/{1}/}end', { rest: ['x'] }), 'https://x.test/c/x/end');
});

test('supports the examples on the golink help page', () => {
  const at = Date.UTC(2022, 5, 8);
  const search = 'https://cloudsearch.google.com/{path?cloudsearch/search?q={path}}';
  assert.equal(expand(search), 'https://cloudsearch.google.com/');
  assert.equal(
    expand(search, { rest: ['pangolins'] }),
    'https://cloudsearch.google.com/cloudsearch/search?q=pangolins',
  );
  const slack = 'https://company.slack.com/{path?channels/{path}}';
  assert.equal(expand(slack), 'https://company.slack.com/');
  assert.equal(expand(slack, { rest: ['general'] }), 'https://company.slack.com/channels/general');
  const host = 'http://{path|host}.example/debug/varz';
  assert.equal(expand(host), 'http://host.example/debug/varz');
  assert.equal(expand(host, { rest: ['db1'] }), 'http://db1.example/debug/varz');
  assert.equal(expand('http://wiki/{date:MM-dd-yyyy}', { at }), 'http://wiki/06-08-2022');
  assert.deepEqual(appendPath('http://directory/', ['amelie']), { location: 'http://directory/amelie' });
  assert.deepEqual(appendPath('http://directory/team', ['..']), { refused: true });
});

test('reads a doubled brace as a brace', () => {
  assert.equal(expand('https://x.test/?q={{1}}&r={1}', { rest: ['v'] }), 'https://x.test/?q={1}&r=v');
  assert.equal(expand('https://x.test/{{}}/{1}', { rest: ['v'] }), 'https://x.test/%7B%7D/v');
});

test('rejects an invalid template and names the problem', () => {
  const refused: readonly (readonly [string, RegExp])[] = [
    ['https://x.test/{foo}', /^INVALID_TEMPLATE: url has the unknown placeholder \{foo\}\.$/],
    ['https://x.test/{0}', /unknown placeholder \{0\}/],
    ['https://x.test/{date:hello}', /unknown placeholder \{date:hello\}/],
    ['https://x.test/{query.}', /unknown placeholder/],
    ['https://x.test/{1', /single "\{"/],
    ['https://x.test/1}', /single "\}"/],
    ['https://x.test/{path?a{path}', /optional part that is not closed/],
    ['https://x.test/{path?a{1?b}}', /optional part inside another/],
    ['https://x.test/{1|%zz}', /malformed "%"/],
    ['https://x.test/{path?a?b={path}}/c', /after an optional part/],
    ['{1}://x.test/', /^INVALID_TEMPLATE: url has \{1\} in its scheme/],
    ['https://{1}@x.test/', /^INVALID_TEMPLATE: url has \{1\} in its user info/],
    ['https://x.test:{1}/', /^INVALID_TEMPLATE: url has \{1\} in its port/],
    ['https://a{1}.x.example.com/', /only the first label can be a placeholder/],
    ['https://www.{1}.example.com/', /only the first label can be a placeholder/],
    ['https://{1}.{2}.example.com/', /only the first label can be a placeholder/],
    ['https://{path?a}.example.com/', /only the first label can be a placeholder/],
    ['https://{1}/', /only the first label can be a placeholder/],
    ['https://{1}.com/', /registrable domain/],
    ['https://{1}.co.uk/', /registrable domain/],
    ['https://{1|a.b}.example.com/', /not a host label/],
    [`https://x.test/${'{1}'.repeat(21)}`, /more than 20 placeholders/],
    ['https://{1}.blocked.example/', /^DESTINATION_BLOCKED/],
    ['https://evil.example/{1}', /^DESTINATION_BLOCKED/],
    ['https://go.example.com/{1}', /^SELF_REFERENTIAL_URL/],
    ['ftp://x.test/{1}', /^INVALID_URL/],
    [`https://x.test/{1}${'a'.repeat(2_048)}`, /at most 2048 characters/],
  ];
  for (const [text, message] of refused) assert.match(refusal(text), message, text);
});

test('stores a template in another script as ASCII and parses it back unchanged', () => {
  const { url, location } = read('https://münchen.example/straße/{1|größe}?q={query.straße}#{{ü}}');
  assert.equal(url, 'https://münchen.example/straße/{1|größe}?q={query.straße}#{{ü}}');
  assert.match(location, /^[\x21-\x7e]+$/);
  assert.equal(compileTemplate(location).text, location);
  assert.equal(
    expand(url, { query: 'stra%C3%9Fe=1' }),
    'https://xn--mnchen-3ya.example/stra%C3%9Fe/gr%C3%B6%C3%9Fe?q=1#{%C3%BC}',
  );
});

/** Creates a seeded pseudo-random number generator (mulberry32). */
function randomFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

const pieces = [
  ...['{1}', '{2|x}', '{path}', '{path|a/b}', '{query}', '{query.q|z}', '{code}', '{user|u}', '{date:yy}'],
  ...[
    '{1?/{1}}',
    '{path??p={path}}',
    '/',
    '//',
    '?',
    '#',
    '&',
    '=',
    '.',
    '..',
    '%2e',
    'a',
    'ü',
    ' ',
    '{{',
    '}}',
    '@',
    ':',
  ],
  ...['\\', "'", '|', '%', '%25', ';', '-', 'lf0z', '[', ']', '\u00ad', '8080'],
];
const values = [
  ...[
    '',
    'a',
    '..',
    '.',
    '%2e',
    '/',
    '//evil.test',
    '\\\\evil.test',
    '@evil.test',
    ':80',
    '?q',
    '#f',
    'ü',
    '\u202e',
    '\0',
    '\r\n',
  ],
  ...[
    'evil.test',
    'xn--a',
    '-',
    '1',
    '{1}',
    '%',
    '&a=b',
    "'",
    '|',
    'a b',
    'https://evil.test',
    'javascript:alert(1)',
  ],
];

test("keeps the host within what the template's author allowed, for any visit", () => {
  const random = randomFrom(45);
  const pick = (of: readonly string[]): string => of[random(of.length)] ?? '';
  const many = (of: readonly string[], most: number): string =>
    Array.from({ length: random(most) }, () => pick(of)).join('');
  const hosts = [
    'x.test',
    '{1}.x.test',
    '{path|www}.a.example.com',
    'x.test:8080',
    'ü.test',
    '{1}{2}.x.test',
    '[::1]',
  ];
  let expanded = 0;
  for (let round = 0; round < 30_000; round += 1) {
    const host = pick(hosts);
    const template = readTemplate(`https://${host}${pick(['/', '/', '?', '#'])}${many(pieces, 8)}`, rules);
    if (isProblem(template)) continue;
    assert.match(template.location, /^[\x21-\x7e]+$/);
    const compiled = compileTemplate(template.location);
    assert.equal(compiled.text, template.location, 'the stored template parses to the same value');
    const made = compiled.expand({
      ...nothing,
      rest: Array.from({ length: random(4) }, () => pick(values)),
      query: many(['q=', '&', 'a', '%2F', '#', "'", '%', '//evil.test', 'trigger=qr'], 8),
      user: () => pick(values),
    });
    if (!('location' in made)) continue;
    expanded += 1;
    const url = new URL(made.location);
    const context = `${template.url} became ${made.location}`;
    assert.equal(url.href, made.location, `${context}, which parses differently`);
    assert.equal(url.protocol, 'https:', context);
    assert.equal(url.username + url.password, '', context);
    const fixed = new URL(`https://${host.replace(/^\{.*\}(?=\.)/, 'label')}`);
    assert.equal(url.port, fixed.port, context);
    if (!host.startsWith('{')) assert.equal(url.hostname, fixed.hostname, context);
    else {
      const [label = '', ...rest] = url.hostname.split('.');
      assert.match(label, /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/, context);
      assert.equal(rest.join('.'), fixed.hostname.slice('label.'.length), context);
    }
  }
  assert.ok(expanded > 2_000, `only ${expanded} URLs were made`);
});
