import { countryOf, Fields, rowsIn } from '../fields.ts';
import type { SourceRecord } from '../format.ts';
import { linkFrom, namesIn } from '../rows.ts';
import { offsetPages, type ParseRow, readPages, type Service } from '../service.ts';

const perPage = 50;
const names = namesIn(
  'key:id domain code:address url:target description createdAt:created_at expiresAt:expire_in disabled:banned password clicks:visit_count',
);

const linkOf: ParseRow = (row, choices) => linkFrom(row, names, choices);

function sums(pairs: Iterable<readonly [string, number]>): Record<string, number> | undefined {
  const all = new Map<string, number>();
  for (const [word, count] of pairs) if (count > 0) all.set(word, (all.get(word) ?? 0) + count);
  return all.size === 0 ? undefined : Object.fromEntries(all);
}

/** Converts one hour of visits to a link. Kutt's database contains hourly totals. */
function hourOf(row: Fields): SourceRecord[] {
  const clicks = row.number('total') ?? 0;
  const at = row.needTime('created_at');
  const words = (name: string, read: (word: string) => string) =>
    sums(Object.entries(row.counts(name)).map(([word, count]) => [read(word), count]));
  const columns = (kind: string) => {
    const all = row.names().filter((name) => name.startsWith(kind));
    return sums(all.map((name) => [name.slice(kind.length), row.number(name) ?? 0]));
  };
  const by = {
    country: words('countries', (word) => countryOf(word) ?? ''),
    referrer: words('referrers', (word) => (word === 'direct' ? '' : word.replaceAll('[dot]', '.'))),
    browser: columns('br_'),
    os: columns('os_'),
  };
  const hour = `${at.slice(0, 13)}:00:00.000Z`;
  const key = row.need('link_id');
  return clicks === 0 ? [] : [{ type: 'bucket', key, at: hour, unit: 'hour', clicks, by }];
}

export const kutt: Service = {
  label: 'Kutt',
  hasRowKeys: true,
  api: {
    headers: ({ token }) => ({ 'x-api-key': token }),
    note: "Kutt's API returns only the links of the key's user. Read the database for the links of all users.",
    async *read(requestJson, choices) {
      const pages = offsetPages(
        async (skip) => {
          const list = new Fields(await requestJson('/api/v2/links', { limit: perPage, skip }), choices.zone);
          return { rows: rowsIn(list.any('data') ?? []), total: list.number('total') };
        },
        (row: { id?: unknown } | null) => String(row?.id),
      );
      yield* readPages(pages, choices, linkOf);
    },
  },
  links: linkOf,
  clicks: hourOf,
};
