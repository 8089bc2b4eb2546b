import { Fields, rowsIn } from '../fields.ts';
import type { Found } from '../format.ts';
import { linkFrom, lostOf, namesIn, rulesFrom, visitFrom } from '../rows.ts';
import { type Choices, cursorPages, type Service, taken } from '../service.ts';

const names = namesIn(`
  key:slug code:slug url title description:comment|description tags createdAt expiresAt:expiration disabled:unsafe
  forwardQuery:redirectWithQuery
`);
/** A row of its data set, which stands for as many clicks as the sampling left out. */
const namesOfVisit = namesIn(`
  key:slug|blob1 at:timestamp clicks:sample_interval|_sample_interval userAgent:ua|blob3 referrer:referer|blob5
  country:country|blob6 language:language|blob10 os:os|blob11 browser:browser|blob12 device:deviceType|blob15
`);

function linkOf(row: Fields, choices: Choices): Found[] {
  const password = row.text('password');
  // Newer versions keep a hash, which names its own kind.
  const isHash = /^(?:pbkdf2|\$)/i.test(password ?? '');
  return linkFrom(row, names, choices, {
    password: isHash ? undefined : password,
    rules: rulesFrom({ ios: row.text('apple'), android: row.text('google') }, row.inner('geo')),
    lost: lostOf({
      cloaking: row.flag('cloaking'),
      password: isHash,
      card: row.any('title', 'description', 'image') !== undefined,
    }),
  });
}

export const sink: Service = {
  label: 'Sink',
  api: {
    headers: ({ token }) => ({ authorization: `Bearer ${token}` }),
    async *read(ask, choices) {
      const pages = cursorPages(async (cursor) => {
        const page = new Fields(await ask('/api/link/export', { cursor }), choices.zone);
        const next = page.flag('list_complete') ? undefined : page.text('cursor');
        return { rows: rowsIn(page.any('links') ?? []), next };
      });
      for await (const rows of pages) yield* taken(rows, 'link', choices, linkOf);
    },
  },
  links: linkOf,
  clicks: (row) => visitFrom(row, namesOfVisit),
};
