import { rowsIn } from '../fields.ts';
import { linkFrom, namesIn } from '../rows.ts';
import { cursorPages, type ParseRow, readPages, type Service } from '../service.ts';

const perPage = 1_000;
const names = namesIn('url:longlink|long_url description:notes clicks:hits');

const linkOf: ParseRow = (row, choices) => {
  const code = row.need('shortlink', 'short_url');
  // Zero means that the link does not expire.
  const expiresAt = row.text('expiry_time') === '0' ? undefined : row.time('expiry_time');
  return linkFrom(row, names, choices, { code, expiresAt });
};

/** Chhoto URL stores neither creation dates nor individual clicks. */
export const chhotoUrl: Service = {
  label: 'Chhoto URL',
  redirectStatus: 308,
  api: {
    headers: ({ token }) => ({ 'x-api-key': token }),
    async *read(requestJson, choices) {
      const pages = cursorPages(async (page_after) => {
        const rows = rowsIn(await requestJson('/api/all', { page_after, page_size: perPage }));
        // The first link on a page is the oldest, and its code is the cursor for the next page. Older versions of
        // Chhoto URL return all links at once.
        const first = rows[0] as { readonly shortlink?: unknown } | undefined;
        return { rows, next: rows.length === perPage ? String(first?.shortlink) : undefined };
      });
      yield* readPages(pages, choices, linkOf);
    },
  },
  links: linkOf,
};
