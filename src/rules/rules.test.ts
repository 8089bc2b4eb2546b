import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { chooseVariant, compileRules, explainRules } from './decide.ts';
import { createNegotiate } from './languages.ts';
import { stateOf } from './outcome.ts';
import { ruleProblems } from './problems.ts';
import { type Condition, type Rule, type VisitFacts, weekdays, wordFacts } from './rule.ts';
import { minuteIn } from './week.ts';

const usual: VisitFacts = {
  country: 'DE',
  region: 'BY',
  os: 'ios',
  device: 'mobile',
  browser: 'safari',
  class: 'human',
  languages: 'de-DE,de;q=0.9,en;q=0.8',
  referrer: 'news.example.com',
  query: 'ref=a&x=1',
  at: Date.UTC(2026, 9, 25, 0, 30),
  visitor: 7,
};

const isLanguage = ({ fact }: Condition): boolean => fact === 'language';

/** Reference implementation of language negotiation, for headers without unusual whitespace. */
function negotiated(rules: readonly Rule[], facts: VisitFacts, ofLink?: string): string | undefined {
  const possible = rules.filter(({ when }) => when.every((one) => isLanguage(one) || plainly(one, facts)));
  const end = possible.findIndex(({ when }) => !when.some(isLanguage));
  const open = end === -1 ? possible : possible.slice(0, end);
  const languageOf = ({ to }: Rule) => ('gone' in to ? undefined : to.language?.toLowerCase());
  const fallback = possible[end];
  const own = fallback === undefined ? ofLink?.toLowerCase() : languageOf(fallback);
  const offered = open.flatMap((one) => {
    const about = one.when.flatMap((asked) => (asked.fact === 'language' ? [asked] : []));
    const stated = about.every(({ not }) => not === true) ? languageOf(one) : undefined;
    return [stated ?? [], ...about.map(({ values }) => values)].flat().map((tag) => tag.toLowerCase());
  });
  const ranges = facts.languages.split(',').map((range) => {
    const [tag = '', quality = 'q=1'] = range.trim().toLowerCase().split(';');
    return { tag, quality: Number(quality.slice(2)) };
  });
  const accepted = ranges.filter(({ tag, quality }) => tag !== '' && quality > 0);
  const best = Math.max(...accepted.map(({ quality }) => quality));
  const primary = (tag: string) => tag.split('-')[0];
  const preferred = accepted
    .filter(({ quality }) => quality > best * 0.9 - 1e-9)
    .map(({ tag }) => primary(tag));
  const rank = (one: { tag: string; quality: number }) => one.quality - (one.tag === '*' ? 1e-6 : 0);
  for (const { tag } of accepted.toSorted((one, other) => rank(other) - rank(one))) {
    if (tag === '*') return own;
    const all = own === undefined ? offered : [own, ...offered];
    const above = all
      .filter((offer) => tag.startsWith(`${offer}-`))
      .toSorted((one, other) => other.length - one.length);
    const found = all.includes(tag) ? tag : (all.find((offer) => offer.startsWith(`${tag}-`)) ?? above[0]);
    if (found === undefined) continue;
    const [closest] = ranges
      .filter((range) => `${found}-`.startsWith(`${range.tag}-`))
      .toSorted((one, other) => other.tag.length - one.tag.length);
    if (closest?.quality === 0) continue;
    if (own !== undefined || preferred.includes(primary(tag))) return found;
  }
  return undefined;
}

/** Reference implementation of conditions, as simple as possible. */
function plainly(condition: Condition, facts: VisitFacts, best?: string): boolean {
  const holds = ((): boolean => {
    switch (condition.fact) {
      case 'language':
        return condition.values.some((value) =>
          condition.not === true
            ? `${best}-`.startsWith(`${value.toLowerCase()}-`)
            : value.toLowerCase() === best,
        );
      case 'referrer':
        return condition.values.some((value) =>
          value === '' ? facts.referrer === '' : `.${facts.referrer}`.endsWith(`.${value.toLowerCase()}`),
        );
      case 'query':
        return facts.query.split('&').some((pair) => {
          const [name, value = ''] = pair.split('=');
          return pair !== '' && name === condition.name && (condition.values?.includes(value) ?? true);
        });
      case 'date':
        return (
          !(condition.from !== undefined && facts.at < Date.parse(condition.from)) &&
          !(condition.to !== undefined && facts.at >= Date.parse(condition.to))
        );
      case 'time': {
        const parts = new Intl.DateTimeFormat('en-GB', {
          timeZone: condition.zone,
          weekday: 'short',
          hour: '2-digit',
          minute: '2-digit',
          hourCycle: 'h23',
        }).formatToParts(facts.at);
        const part = (type: string): string => parts.find((one) => one.type === type)?.value ?? '';
        const today = (weekdays as readonly string[]).indexOf(part('weekday').toLowerCase());
        const minute = Number(part('hour')) * 60 + Number(part('minute'));
        const { days = weekdays } = condition;
        const [from, to] = [minuteIn(condition.from ?? '00:00'), minuteIn(condition.to ?? '24:00')];
        const length = from < to ? to - from : to - from + 1_440;
        // The period may have started today or yesterday.
        return [0, 1].some((back) => {
          const since = minute - from + back * 1_440;
          return since >= 0 && since < length && days.some((day) => day === weekdays[(today - back + 7) % 7]);
        });
      }
      default:
        return condition.values.some((value) => value.toLowerCase() === facts[condition.fact].toLowerCase());
    }
  })();
  return holds !== (condition.not === true);
}

/**
 * Values that visitors have, and values that rules contain. Some rule values match no visitor or are spelled
 * differently.
 */
const wordsOf = {
  country: { visitors: ['DE', 'AT', ''], asked: ['DE', 'at', 'fr', ''] },
  region: { visitors: ['BY', 'W', ''], asked: ['by', 'W', 'NRW', ''] },
  os: { visitors: ['ios', 'android', 'windows', ''], asked: ['iOS', 'android', 'linux', ''] },
  device: { visitors: ['mobile', 'desktop', 'tablet'], asked: ['mobile', 'Desktop', 'tv'] },
  browser: { visitors: ['safari', 'chrome'], asked: ['safari', 'CHROME', 'firefox'] },
  class: {
    visitors: ['human', 'bot', 'preview', 'prefetch'],
    asked: ['human', 'Bot', 'preview', 'prefetch'],
  },
} as const;
const visitorsWord = (fact: keyof typeof wordsOf) => fc.constantFrom(...wordsOf[fact].visitors);
const tags = fc.constantFrom('de', 'de-AT', 'en', 'pt-BR', 'fr');
const hosts = fc.constantFrom('example.com', 'news.example.com', 'ample.com', '');
const moments = fc.integer({ min: Date.UTC(2026, 9, 20), max: Date.UTC(2026, 10, 2) });
const dates = moments.map((at) => new Date(at).toISOString());
const clock = (minute: number) =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
const condition: fc.Arbitrary<Condition> = fc
  .oneof(
    ...wordFacts.map((fact) => {
      const values = fc.array(fc.constantFrom(...wordsOf[fact].asked), { minLength: 1, maxLength: 3 });
      return fc.record({ fact: fc.constant(fact), values });
    }),
    fc.record({ fact: fc.constant('language'), values: fc.array(tags, { minLength: 1, maxLength: 2 }) }),
    fc.record({ fact: fc.constant('referrer'), values: fc.array(hosts, { minLength: 1, maxLength: 2 }) }),
    fc.record({
      fact: fc.constant('query'),
      name: fc.constantFrom('ref', 'x', 'none'),
      values: maybe(fc.array(fc.constantFrom('a', '1', ''), { minLength: 1, maxLength: 2 })),
    }),
    fc.record({ fact: fc.constant('date'), from: maybe(dates), to: maybe(dates) }),
    fc.record({
      fact: fc.constant('time'),
      zone: fc.constantFrom(
        'Europe/Berlin',
        'Asia/Kathmandu',
        'America/St_Johns',
        'UTC',
        'Australia/Lord_Howe',
      ),
      days: maybe(fc.subarray([...weekdays], { minLength: 1 })),
      from: maybe(fc.integer({ min: 0, max: 1_439 }).map(clock)),
      to: maybe(fc.integer({ min: 1, max: 1_440 }).map(clock)),
    }),
  )
  .chain((fact) => maybe(fc.boolean()).map((not) => ({ ...fact, not }) as Condition));
const rule: fc.Arbitrary<Rule> = fc.record({
  name: maybe(fc.constantFrom('Spring', 'Bots')),
  when: fc.array(condition, { maxLength: 3 }),
  to: fc.oneof(
    fc.constant({ gone: true as const }),
    fc.record({ url: fc.constant('https://a.example'), language: maybe(tags) }),
    fc.record({
      language: maybe(tags),
      split: fc.array(fc.record({ url: fc.webUrl(), weight: fc.integer({ min: 1, max: 100 }) }), {
        minLength: 1,
        maxLength: 3,
      }),
    }),
  ),
});
const visit: fc.Arbitrary<VisitFacts> = fc.record({
  country: visitorsWord('country'),
  region: visitorsWord('region'),
  os: visitorsWord('os'),
  device: visitorsWord('device'),
  browser: visitorsWord('browser'),
  class: fc.constantFrom(...wordsOf.class.visitors),
  languages: fc.constantFrom(
    '',
    'de',
    'de-AT,en;q=0.5',
    'en;q=0.2,fr;q=0.9',
    'pt',
    '*',
    'de;q=0, en',
    'DE-at-1996,fr',
    'pt-PT,pt;q=0.9,en;q=0.8',
    'it,*;q=0.1',
    'it;q=0.8,en;q=0.72,de;q=0.7',
    '*,fr',
    'de-CH,de;q=0,fr;q=0.9',
    'en,de-AT;q=0',
  ),
  referrer: fc.constantFrom('', 'example.com', 'news.example.com', 'example.org'),
  query: fc.constantFrom('', 'ref=a', 'x=1&ref=', 'y'),
  at: moments,
  visitor: fc.integer({ min: 0, max: 2 ** 32 - 1 }),
});

test('applies the first rule whose conditions all match the visit', () => {
  const seen = new Set<string>();
  fc.assert(
    fc.property(fc.array(rule, { maxLength: 4 }), maybe(tags), visit, (rules, language, facts) => {
      const best = negotiated(rules, facts, language);
      for (const one of rules.flatMap(({ when }) => when)) {
        const kind = `${one.not === true ? 'not ' : ''}${one.fact}`;
        seen.add(`${kind} ${plainly(one, facts, best) ? 'holds' : 'fails'}`);
      }
      const expected = rules.findIndex(({ when }) => when.every((one) => plainly(one, facts, best)));
      const decision = compileRules(rules, language)(facts);
      assert.equal(decision?.rule ?? -1, expected);
      assert.equal(
        explainRules(rules, facts, language).rules.findIndex(({ holds }) => holds),
        expected,
      );
      const to = rules[expected]?.to;
      seen.add(
        to === undefined ? 'own destination' : String(Object.keys(to).filter((name) => name !== 'language')),
      );
      if (to === undefined) return;
      assert.equal(decision?.name, rules[expected]?.name);
      if ('gone' in to) assert.equal(decision?.url, undefined);
      else if ('url' in to) assert.equal(decision?.url, to.url);
      else assert.equal(decision?.url, to.split[decision?.variant ?? -1]?.url);
    }),
    { numRuns: 3_000 },
  );
  const facts = [...wordFacts, 'language', 'referrer', 'query', 'date', 'time'];
  const conditions = facts.flatMap((fact) =>
    ['', 'not '].flatMap((not) => ['holds', 'fails'].map((how) => `${not}${fact} ${how}`)),
  );
  for (const kind of [...conditions, 'own destination', 'url', 'split', 'gone'])
    assert.ok(seen.has(kind), `No visit saw "${kind}".`);
});

test('matches any value of a repeated query parameter', () => {
  const when: Condition[] = [{ fact: 'query', name: 'ref', values: ['b'] }];
  const decide = compileRules([{ when, to: { url: 'https://b.example' } }]);
  const matches = ['ref=a&ref=b', 'ref=b&ref=a', 'ref=a'].map(
    (query) => decide({ ...usual, query }) !== undefined,
  );
  assert.deepEqual(matches, [true, true, false]);
});

test('gives a visitor the same split variant every time, and all visitors together the weights', () => {
  const split = [
    { url: 'https://a.example', weight: 1 },
    { url: 'https://b.example', weight: 3 },
  ];
  let second = 0;
  for (let visitor = 1; visitor <= 20_000; visitor += 1) {
    const way = chooseVariant(split, visitor, 0);
    assert.equal(chooseVariant(split, visitor, 0), way);
    second += way;
  }
  assert.ok(Math.abs(second / 20_000 - 0.75) < 0.02, `${second}`);
});

test('splits independently by rule', () => {
  const split = ['https://a.example', 'https://b.example'].map((url) => ({ url, weight: 1 }));
  const decide = compileRules([
    { when: [{ fact: 'query', name: 'x' }], to: { split } },
    { when: [], to: { split } },
  ]);
  const ways = (visitor: number) => ['x=1', ''].map((query) => decide({ ...usual, query, visitor })?.variant);
  const both = Array.from({ length: 4_000 }, (_, visitor) => ways(visitor + 1)).filter(
    ([one, other]) => one === other,
  );
  assert.ok(
    Math.abs(both.length / 4_000 - 0.5) < 0.05,
    `${both.length} of 4000 visits take the same branch twice`,
  );
});

test('starts and expires a link at the exact millisecond', () => {
  const special = { disabled: 0, maxClicks: null, usedClicks: 0, startsAt: 1_000 } as const;
  const at = [999, 1_000, 1_999, 2_000].map((now) => stateOf({ ...special, expiresAt: 2_000 }, now));
  assert.deepEqual(at, ['scheduled', 'active', 'active', 'expired']);
});

describe('a language is negotiated', () => {
  const italian = 'it-IT,it;q=0.9,en-US;q=0.8,en;q=0.7';
  for (const [header, offered, own, expected] of [
    ['de-AT,de;q=0.9,en;q=0.8', ['en', 'de'], undefined, 'de rule'],
    ['en;q=0.3, fr;q=0.8', ['en', 'fr'], undefined, 'fr rule'],
    ['pt-PT', ['pt-br', 'en'], undefined, 'no-match'],
    ['pt', ['pt-br'], undefined, 'pt-br rule'],
    ['de;q=0,en', ['de', 'en'], undefined, 'en rule'],
    ['', ['it'], undefined, 'no-match'],
    ['zh-Hant-TW', ['zh', 'zh-hant'], undefined, 'zh-hant rule'],
    [`${'a,'.repeat(10_000)}de`, ['de'], undefined, 'no-match'],
    // A language that the visitor prefers less wins only if the destination's language is known.
    [italian, ['fr', 'de', 'en'], undefined, 'less-preferred'],
    [italian, ['fr', 'de', 'en'], 'it', 'it destination'],
    [italian, ['fr', 'de', 'en'], 'it-ch', 'it-ch destination'],
    [italian, ['fr', 'de', 'en'], 'ja', 'en rule'],
    ['it,en;q=0.9', ['en'], undefined, 'en rule'],
    ['it,en;q=0.89', ['en'], undefined, 'less-preferred'],
    ['es-ES,es;q=0.9,fr;q=0.1', ['fr'], undefined, 'less-preferred'],
    ['es-ES,es;q=0.9,fr;q=0.1', ['fr'], 'en', 'fr rule'],
    ['de-AT,de;q=0.8,en;q=0.5', ['de-ch', 'en'], undefined, 'de-ch rule'],
    // `*` never selects a rule.
    ['*', ['it'], undefined, 'any'],
    ['*', ['it'], 'de', 'de any'],
    ['it,*;q=0.1', ['fr'], undefined, 'any'],
    ['*,fr', ['fr'], undefined, 'fr rule'],
    ['*;q=0', ['fr'], undefined, 'no-match'],
    // A rejected language (q=0) is not chosen because of a wider or narrower range.
    ['de-CH,de;q=0,fr;q=0.5', ['de', 'fr'], 'it', 'fr rule'],
    ['de,de-AT;q=0,fr;q=0.5', ['de-at', 'fr'], 'it', 'fr rule'],
    ['it;q=0,en;q=0.1', ['en'], 'it', 'en rule'],
    // If the rule and the destination have the same language, the rule wins.
    ['en', ['en'], 'en', 'en rule'],
    ['en', ['en-gb'], 'en-us', 'en-us destination'],
    ['en-NZ', ['en-gb'], 'en', 'en destination'],
  ] as const) {
    test(`picks among ${offered.join(' and ')} for ${header.slice(0, 40)}, default ${own}`, () => {
      const offers = offered.map((tag, place) => ({ place, tags: [tag] }));
      const { language, reason } = createNegotiate(offers)(header, 2 ** offered.length - 1, own);
      assert.equal([language, reason].filter((part) => part !== undefined).join(' '), expected);
    });
  }

  test('negotiates among the rules whose other conditions match, and the default destination', () => {
    const to = (language: string) => ({ url: `https://${language}.example`, language });
    const decide = compileRules(
      [
        {
          when: [
            { fact: 'language', values: ['fr'] },
            { fact: 'country', values: ['CA'] },
          ],
          to: to('fr'),
        },
        { when: [{ fact: 'language', values: ['en'] }], to: to('en') },
        { when: [{ fact: 'country', values: ['CH'] }], to: to('de') },
        { when: [{ fact: 'language', not: true, values: ['it'] }], to: to('es') },
      ],
      'it',
    );
    for (const [country, languages, rule] of [
      ['CA', 'fr,en;q=0.8', 0],
      ['BE', 'fr,en;q=0.8', 1],
      ['CH', 'de,en;q=0.9', 2],
      ['CH', 'en,de;q=0.9', 1],
      ['IT', 'it-CH,en;q=0.9', undefined],
      ['ES', 'es,it;q=0.9,en;q=0.8', 3],
      ['JP', '', 3],
    ] as const)
      assert.equal(decide({ ...usual, country, languages })?.rule, rule, `${country} ${languages}`);
  });
});

test('evaluates the maximum number of conditions quickly, whatever the headers', () => {
  const many = <T>(count: number, make: (at: number) => T): T[] =>
    Array.from({ length: count }, (_, at) => make(at));
  const tagOf = (at: number): string => `${String.fromCharCode(97 + (at % 26))}q-${at}`.padEnd(8, '0');
  const languages: Condition[][] = many(20, (rule) =>
    many(10, (at) => ({ fact: 'language', values: many(100, (one) => tagOf((rule * 10 + at) * 100 + one)) })),
  );
  const parameters = many(20, (rule) =>
    many(10, (at): Condition => ({ fact: 'query', name: `x${rule}y${at}` })),
  );
  const started = performance.now();
  for (const all of [languages, parameters]) {
    // Nine conditions match and the tenth does not, so that all ten are evaluated.
    const when = all.map((few) => few.map((one, at) => ({ ...one, not: at < 9 })));
    const decide = compileRules(when.map((few) => ({ when: few, to: { gone: true } })));
    for (let visit = 0; visit < 5; visit += 1) {
      const header = `${many(31, (at) => `zz-zz-zz-${at}`).join(',')},z${visit}`;
      const query = `${'a&'.repeat(8_000)}b=${visit}`;
      assert.equal(decide({ ...usual, languages: header, query }), undefined);
    }
  }
  const ms = performance.now() - started;
  assert.ok(ms < 20_000, `ten visits took ${ms} ms`);
});

test('evaluates hours in the time zone with daylight saving time', () => {
  const open: Rule = {
    when: [{ fact: 'time', zone: 'Europe/Berlin', days: ['sun'], from: '02:00', to: '03:00' }],
    to: { url: 'https://a.example' },
  };
  const decide = compileRules([open]);
  // On 25 October 2026, a Sunday, the hour from 2 to 3 occurs twice.
  for (const [hour, holds] of [
    [0, true],
    [1, true],
    [2, false],
  ] as const) {
    assert.equal(decide({ ...usual, at: Date.UTC(2026, 9, 25, hour, 30) }) !== undefined, holds, `${hour}`);
  }
});

test('reports errors in rules with their place', () => {
  const checks = {
    readUrl: (url: string) =>
      url.startsWith('https://')
        ? { url, location: url }
        : ({
            field: 'url',
            reason: 'invalid_format',
            message: 'url must be a URL.',
            code: 'INVALID_URL',
          } as const),
    readPage: (url: string) => ({ url, location: url }),
    appSchemes: new Set<string>(),
    wordsOf: () => new Set(['ios']),
  };
  const rules: Rule[] = [
    { when: [{ fact: 'os', values: ['IOS', 'amiga'] }], to: { url: 'https://a.example' } },
    { when: [{ fact: 'time', zone: 'Mars/Base' }], to: { split: [{ url: 'ftp://a', weight: 1 }] } },
    { when: [{ fact: 'date', from: '2027-01-01', to: '2027-01-01T00:00:00Z' }], to: { gone: true } },
    { when: [{ fact: 'language', values: ['german'] }], to: { gone: true } },
    { when: [{ fact: 'country', values: ['at', '', 'Austria'] }], to: { gone: true } },
    { when: [], to: { url: 'ftp://a', apps: { ios: { appUrl: 'acme://x' } } } },
  ];
  assert.deepEqual(
    ruleProblems(rules, checks).map(({ field, reason }) => [field, reason]),
    [
      ['rules[0].when[0].values[1]', 'unknown_value'],
      ['rules[1].when[0].zone', 'unknown_value'],
      ['rules[1].to.split[0].url', 'invalid_format'],
      ['rules[2].when[0].to', 'out_of_range'],
      ['rules[3].when[0].values[0]', 'invalid_format'],
      ['rules[4].when[0].values[2]', 'invalid_format'],
      ['rules[5].to.url', 'invalid_format'],
      ['rules[5].to.apps.ios.appUrl', 'not_allowed'],
    ],
  );
});
