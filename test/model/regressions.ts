import type { Step } from './steps.ts';

const own = { whose: 'own', pick: 0 } as const;
const firstCode = { word: 0, loud: false };
const secondCode = { word: 1, loud: false };
const url = 'https://example.net/regression';

function visits(visitor: number, times: number): Step {
  const how = { method: 'GET', preview: false, html: false, query: '' } as const;
  return { do: 'follow', code: firstCode, ...how, visitor, times };
}

/**
 * Sequences that once failed, which are always replayed first. They are stored as steps instead of seeds, because a
 * changed generator would create a different sequence from the same seed. When model.test.ts fails, it prints its steps
 * in this form.
 */
export const regressions: readonly { readonly why: string; readonly steps: readonly Step[] }[] = [
  {
    why: 'a link is used up for visitors too that a rule keeps away',
    steps: [
      {
        do: 'shorten',
        key: 3,
        body: {
          url,
          customCode: { code: firstCode },
          maxClicks: 2,
          rules: [{ when: [{ fact: 'class', values: ['bot'] }], to: { gone: true } }],
        },
      },
      visits(1, 1),
      visits(0, 2),
      visits(1, 1),
    ],
  },
  {
    why: 'a link is used up for browsers too that fetch ahead',
    steps: [
      { do: 'shorten', key: 3, body: { url, customCode: { code: firstCode }, maxClicks: 2 } },
      visits(3, 1),
      visits(0, 2),
      visits(3, 1),
    ],
  },
  {
    why: 'a button on a preview uses up no link of a visitor that a rule keeps away',
    steps: [
      {
        do: 'shorten',
        key: 3,
        body: {
          url,
          customCode: { code: firstCode },
          maxClicks: 1,
          rules: [{ when: [{ fact: 'class', values: ['bot'] }], to: { gone: true } }],
        },
      },
      ...[1, 0].map((visitor) => ({ ...visits(visitor, 1), method: 'POST', preview: true }) as Step),
    ],
  },
  {
    why: 'a search finds no restored link by an alias that it has lost',
    steps: [
      { do: 'shorten', key: 3, body: { url, customCode: { code: firstCode } } },
      { do: 'alias', key: 3, link: own, body: { customCode: { code: secondCode } } },
      { do: 'remove', key: 3, link: own },
      { do: 'shorten', key: 3, body: { url, customCode: { code: secondCode } } },
      { do: 'restore', key: 3, link: { whose: 'gone', pick: 0 } },
      { do: 'list', key: 3, query: { search: 'code1' } },
    ],
  },
  {
    why: 'a folder that there is not is refused also where a link would be reused',
    steps: [
      { do: 'shorten', key: 3, body: { url } },
      {
        do: 'shorten',
        key: 3,
        body: { url, ifExists: 'reuse', folderId: { which: { whose: 'unknown', pick: 0 } } },
      },
    ],
  },
  {
    why: 'a number out of its range is refused as one, not as a text of so many characters',
    steps: [{ do: 'shorten', key: 3, body: { url, maxClicks: 0 } }],
  },
];
