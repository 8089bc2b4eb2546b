import assert from 'node:assert/strict';
import { test } from 'node:test';
import { browsers, devices, systems } from '../../src/clicks/dimensions/agents.ts';
import { clickClasses } from '../../src/model/clicks/clicks.ts';
import { weekdays as days, maxConditions, maxRules, maxVariants, type Rule } from '../../src/rules/rule.ts';
import { normalUrl } from '../data/links/addresses.ts';
import {
  addRule,
  addWay,
  type ConditionDraft,
  faultAt,
  faultsLeft,
  faultsOf,
  most,
  moved,
  readRules,
  sharesOf,
  weekdays,
  withAction,
  withFact,
  writeRules,
} from './model.ts';
import { plainVisit, writeVisit } from './visit.ts';
import { actionText, conditionText, whenText, words, wordsOf } from './words.ts';

const every: Rule[] = [
  {
    name: 'All of it',
    when: [
      { fact: 'country', values: ['AT', ''] },
      { fact: 'language', not: true, values: ['de', 'pt-BR'] },
      { fact: 'query', name: 'ref' },
      { fact: 'query', name: 'x', values: ['1'] },
      { fact: 'date', from: '2027-03-01T08:00:00.000Z' },
      { fact: 'time', zone: 'Europe/Vienna', days: ['sat', 'sun'], from: '22:00', to: '02:00' },
    ],
    to: { url: 'https://example.com/a' },
  },
  {
    when: [],
    to: {
      split: [
        { url: 'https://example.com/b', weight: 3 },
        { url: 'https://example.com/c', weight: 0.5 },
      ],
    },
  },
  { when: [{ fact: 'class', values: ['bot'] }], to: { gone: true } },
  {
    when: [],
    to: {
      url: 'https://example.com/d',
      apps: {
        ios: { appUrl: 'acme://d', storeUrl: 'https://apps.apple.com/app/id1' },
        android: { appUrl: 'acme://d' },
      },
      language: 'de',
    },
  },
];
const asTyped = (text: string): string => text;
const isUrl = (text: string): boolean => normalUrl(text) !== undefined;

test('saves unedited rules exactly as loaded', () => {
  assert.deepEqual(writeRules(readRules(every as never), asTyped), every);
  assert.deepEqual(faultsOf(readRules(every as never), isUrl), new Map());
});

test('uses the same values, days and limits as the server', () => {
  assert.deepEqual([...words.device].sort(), [...devices].sort());
  assert.deepEqual([...words.os].sort(), [...systems].sort());
  assert.deepEqual([...words.browser].sort(), [...browsers].sort());
  assert.deepEqual(words.class, clickClasses);
  assert.deepEqual(weekdays, days);
  assert.deepEqual(most, { rules: maxRules, conditions: maxConditions, ways: maxVariants });
});

test("lists countries and languages by name, without codes that don't exist", () => {
  const found = new Map(wordsOf('country').map(({ value, label }) => [value, label]));
  assert.equal(found.get('AT'), 'Austria');
  assert.equal(found.get(''), 'Unknown');
  for (const none of ['ZZ', 'EU', 'DD', 'XA', 'UK']) assert.equal(found.has(none), false, none);
  assert.ok(found.size > 240 && found.size < 255, `${found.size}`);
  assert.ok(wordsOf('language').some(({ value, label }) => value === 'de' && label === 'German'));
});

test('moves a rule up or down, and not past either end', () => {
  assert.deepEqual(moved([1, 2, 3], 0, 2), [2, 3, 1]);
  assert.deepEqual(moved([1, 2, 3], 2, 1), [1, 3, 2]);
  const list = [1, 2, 3];
  for (const [from, to] of [
    [0, -1],
    [2, 3],
    [1, 1],
    [5, 0],
  ] as const)
    assert.equal(moved(list, from, to), list);
});

test('gives a new rule its own key and reports missing values with their place', () => {
  const rules = addRule(addRule(readRules(every as never).slice(0, 1), 'UTC'), 'UTC');
  assert.equal(new Set(rules.map(({ key }) => key)).size, 3);
  const faults = Object.fromEntries(faultsOf(rules, isUrl));
  assert.deepEqual(faults, {
    'rules[1].when[0]': 'values',
    'rules[1].to.url': 'url',
    'rules[2].when[0]': 'values',
    'rules[2].to.url': 'url',
  });
  assert.equal(faultAt(faults, 'rules[1]'), 'values');
  assert.equal(faultAt(faults, 'rules[1].to'), 'url');
  assert.equal(faultAt({ 'rules[10].to.url': 'url' }, 'rules[1]'), undefined);
  // Editing the second rule removes the errors in it; changing the order removes all errors.
  const first = rules[1];
  assert.ok(first !== undefined);
  const edited = rules.with(1, { ...first, name: 'x' });
  assert.deepEqual(Object.keys(faultsLeft(faults, rules, edited)), ['rules[2].when[0]', 'rules[2].to.url']);
  assert.deepEqual(faultsLeft(faults, rules, moved(rules, 1, 2)), {});
});

test('says what each condition is missing', () => {
  const [rule] = addRule([], 'Europe/Vienna');
  const condition = rule?.when[0];
  assert.ok(rule !== undefined && condition !== undefined);
  const faultWith = (changes: Partial<ConditionDraft>) => {
    const { fact = 'country' } = changes;
    const when = [{ ...withFact(condition, fact, 'Europe/Vienna'), ...changes }];
    return faultsOf([{ ...rule, url: 'example.com', when }], isUrl).get('rules[0].when[0]');
  };
  assert.equal(faultWith({ fact: 'query' }), 'name');
  assert.equal(faultWith({ fact: 'query', name: 'ref' }), undefined);
  assert.equal(faultWith({ fact: 'date' }), 'bounds');
  assert.equal(faultWith({ fact: 'date', from: '2027-01-02T00:00Z', to: '2027-01-01T00:00Z' }), 'order');
  assert.equal(faultWith({ fact: 'time' }), 'when');
  assert.equal(faultWith({ fact: 'time', days: ['mon'] }), undefined);
  assert.equal(faultWith({ fact: 'country', values: [''] }), undefined);
});

test("starts a split with the rule's target and computes shares from the weights", () => {
  const [rule] = readRules([{ when: [], to: { url: 'https://example.com/' } }]);
  assert.ok(rule !== undefined);
  const split = withAction(rule, 'split');
  assert.deepEqual(
    split.ways.map(({ url, weight }) => [url, weight]),
    [
      ['https://example.com/', '1'],
      ['', '1'],
    ],
  );
  assert.equal(withAction(withAction(split, 'gone'), 'split').ways, split.ways);
  assert.equal(addWay(split).ways.length, 3);
  assert.deepEqual(sharesOf([{ weight: '3' }, { weight: '1' }, { weight: 'x' }]), [0.75, 0.25, 0]);
  assert.equal(
    faultsOf([{ ...split, ways: [{ key: 1, url: 'a.example', weight: '-1' }] }], isUrl).get(
      'rules[0].to.split[0].weight',
    ),
    'weight',
  );
});

test('keeps the text typed for an app, and reports missing URLs', () => {
  const [rule] = readRules([{ when: [], to: { url: 'example.com' } }]);
  assert.ok(rule !== undefined);
  const app = withAction(rule, 'app');
  const faults = (apps: Partial<typeof app.apps>) => [
    ...faultsOf([{ ...app, apps: { ...app.apps, ...apps } }], isUrl),
  ];
  assert.deepEqual(faults({}), [['rules[0].to.apps.ios.appUrl', 'app']]);
  const onlyStore = { appUrl: ' ', storeUrl: 'https://play.google.com/' };
  assert.deepEqual(faults({ ios: { appUrl: 'acme:1', storeUrl: '' }, android: onlyStore }), [
    ['rules[0].to.apps.android.appUrl', 'app'],
  ]);
  assert.deepEqual(faultsOf([{ ...app, url: '' }], isUrl).get('rules[0].to.url'), 'url');
  const android = { appUrl: ' acme://a ', storeUrl: 'play.google.com' };
  const typed = { ...app, apps: { ...app.apps, android } };
  assert.deepEqual(writeRules([typed], (text) => `https://${text}`)[0]?.to, {
    url: 'https://example.com',
    apps: { android: { appUrl: 'acme://a', storeUrl: 'https://play.google.com' } },
  });
  assert.deepEqual(writeRules([withAction(typed, 'url')], asTyped)[0]?.to, { url: 'example.com' });
});

test('describes rules in words', () => {
  const [first, second, third] = every as never[] as Parameters<typeof actionText>[0][] & typeof every;
  assert.ok(first && second && third);
  const told = readRules(every as never);
  const [rule] = writeRules(told, asTyped);
  assert.deepEqual(rule?.when.slice(0, 4).map(conditionText), [
    'Country is Austria or Unknown',
    'Language is not German or Brazilian Portuguese',
    'Query parameter “ref” is set',
    'Query parameter “x” is 1',
  ]);
  assert.equal(
    conditionText(rule?.when[5] as never),
    'Day and time is Sat and Sun from 22:00 until 02:00 (Europe/Vienna)',
  );
  assert.equal(whenText([]), 'Every visit');
  assert.equal(actionText(second.to as never), '86% example.com/b, 14% example.com/c');
  assert.equal(actionText(third.to as never), 'Visitors are blocked');
});

test('includes only the given facts in a simulated visit', () => {
  assert.deepEqual(writeVisit(plainVisit), { class: 'human' });
  assert.deepEqual(writeVisit({ ...plainVisit, query: '?a=1', country: 'AT', visitor: '7' }), {
    class: 'human',
    query: 'a=1',
    country: 'AT',
    visitor: 7,
  });
  assert.equal(writeVisit({ ...plainVisit, visitor: '1.5' }).visitor, undefined);
});
