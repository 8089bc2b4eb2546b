import { Fields, rowsIn } from '../fields.ts';
import type { SourceRecord } from '../format.ts';
import { keyOfCode, linkFrom, lostOf, namesIn, rulesFrom, visitFrom } from '../rows.ts';
import { type Choices, cursorPages, readPages, type Service } from '../service.ts';

/** Half of the maximum page size. One request to Sink may read at most 1,000 keys from Cloudflare's storage. */
const perPage = 500;
const names = namesIn(`
  code:slug url title description:comment|description tags createdAt expiresAt:expiration disabled:unsafe password
  forwardQuery:redirectWithQuery
`);
/** Column names in Sink's analytics data set. A row represents several clicks if the clicks were sampled. */
const namesOfVisit = namesIn(`
  at:timestamp clicks:sample_interval|_sample_interval userAgent:ua|blob3 referrer:referer|blob5
  country:country|blob6 language:language|blob10 os:os|blob11 browser:browser|blob12 device:deviceType|blob15
`);

function linkOf(row: Fields, choices: Choices): SourceRecord[] {
  return linkFrom(row, names, choices, {
    rules: rulesFrom({ ios: row.text('apple'), android: row.text('google') }, row.inner('geo')),
    lost: lostOf({
      cloaking: row.flag('cloaking'),
      card: row.any('title', 'description', 'image') !== undefined,
    }),
  });
}

export const sink: Service = {
  label: 'Sink',
  redirectStatus: 301,
  api: {
    headers: ({ token }) => ({ authorization: `Bearer ${token}` }),
    async *read(requestJson, choices) {
      // Sink up to version 0.2 has no export endpoint, only a list.
      let hasExport = true;
      const pages = cursorPages(async (cursor) => {
        let answer = hasExport
          ? await requestJson('/api/link/export', { cursor }, { optional: true })
          : undefined;
        hasExport = answer !== undefined;
        answer ??= await requestJson('/api/link/list', { cursor, limit: perPage });
        const page = new Fields(answer, choices.zone);
        const next = page.flag('list_complete') ? undefined : page.text('cursor');
        // Links that were deleted while the list was being created are null.
        return { rows: rowsIn(page.any('links') ?? []).filter((row) => row !== null), next };
      });
      yield* readPages(pages, choices, linkOf);
    },
  },
  links: linkOf,
  clicks: (row, choices) => visitFrom(row, namesOfVisit, keyOfCode(choices, row.need('slug', 'blob1'))),
};
