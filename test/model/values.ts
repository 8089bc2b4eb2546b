import fc from 'fast-check';
import { origin } from './basics.ts';

/** The record that a step uses. `pick` selects one of the records that exist when the step runs. */
export interface Which {
  readonly whose: 'own' | 'foreign' | 'gone' | 'foreignGone' | 'unknown' | 'noId' | 'capitals';
  readonly pick: number;
}

/** A code: either one that both accounts try to use, or the code of a current or former link. */
export type WhichCode =
  | { readonly word: number; readonly loud: boolean }
  | { readonly of: Which; readonly loud: boolean; readonly alias?: boolean };

const { constantFrom, constant, nat, record, oneof, boolean } = fc;
const day = 86_400_000;

/** Generates usual values, and occasionally an odd one. */
export function often<T>(usual: fc.Arbitrary<T>, odd: fc.Arbitrary<T>, weight = 24): fc.Arbitrary<T> {
  return oneof({ weight, arbitrary: usual }, { weight: 1, arbitrary: odd });
}

export const which: fc.Arbitrary<Which> = record({
  whose: often(
    constant<Which['whose']>('own'),
    constantFrom<Which['whose'][]>('foreign', 'foreignGone', 'gone', 'gone', 'unknown', 'noId', 'capitals'),
    4,
  ),
  pick: nat(5),
});
/** Contested codes reveal the most bugs: codes of live and deleted links, in the same account and in other accounts. */
const held = constantFrom<Which['whose'][]>('own', 'foreign', 'gone', 'foreignGone');
export const code: fc.Arbitrary<WhichCode> = oneof(
  record({ word: nat(3), loud: boolean() }),
  record({ of: record({ whose: held, pick: nat(2) }), loud: boolean() }),
);
export const url: fc.Arbitrary<unknown> = often<unknown>(
  constantFrom(
    ...[
      'https://example.com/a?b=c&d=%20#e',
      ' http://bücher.example/ü ',
      'http://[2001:db8::1]:8080/',
      'HTTPS://EXAMPLE.COM',
    ],
    ...['https://example.com/@me', 'http://10.0.0.1/x?y=https://other.example/'],
  ),
  constantFrom<unknown>(
    undefined,
    null,
    5,
    '',
    '  ',
    'ftp://example.com',
    'https://user@example.com/',
    'https://exa mple.com',
    'example.com',
    ...[`${origin}/x`, `https://example.com/${'x'.repeat(2048)}`],
  ),
);
export const title: fc.Arbitrary<unknown> = often<unknown>(
  constantFrom('Spring', 'Größe 🦊', '', null, undefined),
  constantFrom<unknown>('x'.repeat(256), '🦊'.repeat(255), 7, 'two\nlines'),
);
export const description: fc.Arbitrary<unknown> = often<unknown>(
  constantFrom('two\nlines\tand a tab', '', null, undefined, undefined),
  constantFrom<unknown>('x'.repeat(2001), true, 'nul\u0000'),
);
export const expiresAt: fc.Arbitrary<unknown> = often<unknown>(
  oneof(
    constantFrom(undefined, null),
    record({ inMs: constantFrom(1, 1000, 3_600_000, day, 10 * day, 400 * day), form: nat(2) }),
  ),
  constantFrom<unknown>('soon', '', 12, '2001-02-03', { inMs: 0, form: 0 }, { inMs: -day, form: 0 }),
);

/** Generates a value for a link option. Most links have few options, because otherwise no visit would succeed. */
function rarely(usual: fc.Arbitrary<unknown>, odd: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return oneof(
    { weight: 60, arbitrary: constantFrom<unknown>(undefined, undefined, null) },
    { weight: 20, arbitrary: usual },
    { weight: 1, arbitrary: odd },
  );
}

const isBot = { fact: 'class', values: ['bot', 'preview'] };
const rules = fc.array(
  record({
    when: constantFrom<object[]>(
      [isBot],
      [{ fact: 'class', not: true, values: ['human'] }],
      [{ fact: 'query', name: 'vip' }],
      [{ fact: 'date', from: '2030-01-20T00:00:00Z' }],
      [isBot, { fact: 'query', not: true, name: 'b' }],
      [],
    ),
    to: constantFrom<object>(...[{ url: 'https://rules.example/a?ref=1' }, { gone: true }, { gone: true }], {
      split: [{ url: 'https://rules.example/split', weight: 3 }],
    }),
  }),
  { maxLength: 3 },
);

/** A link's options other than its destination. */
export const settings: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  startsAt: rarely(
    record({ inMs: constantFrom(-day, 0, 1000, 3_600_000, day), form: nat(2) }),
    constantFrom<unknown>('soon', 5, { inMs: 500 * day, form: 0 }),
  ),
  disabled: rarely(constantFrom(true, false, false), constantFrom<unknown>('yes', 1)),
  expiredUrl: rarely(
    constantFrom('https://over.example', ' https://over.example/%20?a#b'),
    constantFrom<unknown>('ftp://over.example', '', 4, `${origin}/over`),
  ),
  redirectStatus: rarely(constantFrom(301, 302, 307, 308), constantFrom<unknown>(303, '301', 200)),
  forwardQuery: rarely(constantFrom('add', 'override', 'none'), constantFrom<unknown>('all', true)),
  rules: rarely(
    rules,
    constantFrom<unknown>(
      'bots',
      {},
      [{ when: [], to: { url: 'ftp://rules.example' } }],
      [{ when: [], to: { split: [{ url: `${origin}/x`, weight: 1 }] } }],
    ),
  ),
  // The limit is often raised, because links are soon exhausted.
  maxClicks: rarely(constantFrom(1, 2, 2, 3, 9), constantFrom<unknown>(0, 1.5, '2', 1_000_000_001)),
  utm: rarely(
    constantFrom<object>(
      { source: 'mail' },
      { content: 'Größe 1', source: 'a&b' },
      { medium: 'print', campaign: 'b' },
      {},
    ),
    constantFrom<unknown>({ source: '' }, { term: 'x'.repeat(101) }, { other: 'x' }, 'source=a'),
  ),
  archived: rarely(boolean(), constantFrom<unknown>('no', 0)),
};
