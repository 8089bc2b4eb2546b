import { Fields, rowsIn } from '../fields.ts';
import type { SourceRecord } from '../format.ts';
import { linkFrom, lostOf, namesIn, readDays, rulesFrom, utmFrom, visitFrom } from '../rows.ts';
import {
  type Choices,
  cursorPages,
  problemOnFailure,
  type ReadClicks,
  readRows,
  type Service,
} from '../service.ts';

const perPage = 100;
const eventsPerPage = 1_000;

const names = namesIn(`
  key:id domain code:key url title description:description|comments tags createdAt expiresAt expiredUrl password archived
  externalId clicks
`);

function linkOf(row: Fields, choices: Choices): SourceRecord[] {
  const variants = rowsIn(row.any('testVariants') ?? []).map((one) => new Fields(one, choices.zone));
  const split = variants.map((one) => ({ url: one.need('url'), weight: one.number('percentage') ?? 1 }));
  const targets = { ios: row.text('ios'), android: row.text('android') };
  return linkFrom(row, names, choices, {
    disabled: row.any('disabledAt') === undefined ? undefined : true,
    rules: rulesFrom(targets, row.inner('geo'), split.length === 0 ? [] : [{ when: [], to: { split } }]),
    utm: utmFrom(row, (name) => `utm_${name}`),
    lost: lostOf({
      card: row.flag('proxy'),
      cloaking: row.flag('rewrite'),
      comments: row.text('comments') !== undefined && row.text('description') !== undefined,
    }),
  });
}

const namesOfClick = namesIn('at:timestamp referrer:refererUrl|referer country browser os device');

/**
 * Returns a parser for clicks. Some fields of a click are at the top level and others are nested, so both are merged.
 */
function visitOf(key: string) {
  return (row: Fields): SourceRecord[] => visitFrom(row.over('click'), namesOfClick, key);
}

const clicksOf: ReadClicks = async function* (requestJson, key, choices) {
  const query = { event: 'clicks', linkId: key, interval: 'all' };
  for (let page = 1; ; page += 1) {
    const events = await requestJson('/events', { ...query, page, limit: eventsPerPage }, { optional: true });
    // Only some Dub plans provide individual clicks. For other plans, clicks per day are read below.
    if (events === undefined) break;
    const rows = rowsIn(events);
    yield* readRows(rows, `click of link ${key}`, choices, visitOf(key));
    if (rows.length < eventsPerPage) return;
  }
  const days = await requestJson('/analytics', { ...query, groupBy: 'timeseries' }, { optional: true });
  yield* readDays(rowsIn(days ?? []), key, choices, 'start', 'clicks');
};

export const dub: Service = {
  label: 'Dub',
  api: {
    at: 'https://api.dub.co',
    headers: ({ token }) => ({ authorization: `Bearer ${token}` }),
    everyMs: 150,
    async *read(requestJson, choices) {
      const pages = cursorPages(async (startingAfter) => {
        const rows = rowsIn(
          await requestJson('/links', { pageSize: perPage, startingAfter, showArchived: 'true' }),
        );
        const last = rows.at(-1) as { readonly id?: unknown } | undefined;
        return { rows, next: rows.length < perPage ? undefined : String(last?.id) };
      });
      for await (const rows of pages)
        for (const found of readRows(rows, 'link', choices, linkOf)) {
          yield found;
          if (found.type === 'counter' && found.clicks > 0 && choices.withClicks)
            yield* problemOnFailure(`clicks of link ${found.key}`, clicksOf(requestJson, found.key, choices));
        }
    },
  },
};
