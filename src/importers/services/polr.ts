import { linkFrom, namesIn, visitFrom } from '../rows.ts';
import type { Service } from '../service.ts';

const names = namesIn('key:id url:long_url createdAt:created_at disabled:is_disabled clicks');
const namesOfVisit = namesIn(
  'key:link_id at:created_at userAgent:user_agent referrer:referer|referer_host country',
);

/** Polr. Its links are read from its database, because its API cannot list links. */
export const polr: Service = {
  label: 'Polr',
  redirectStatus: 301,
  hasRowKeys: true,
  links: (row, choices) => {
    // The short URL of a secret link ends with its secret key as a second segment.
    const code = [row.need('short_url'), row.text('secret_key')]
      .filter((part) => part !== undefined)
      .join('/');
    return linkFrom(row, names, choices, { code });
  },
  clicks: (row) => visitFrom(row, namesOfVisit),
};
