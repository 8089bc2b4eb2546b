import type { Migration } from '../db/dialect.ts';

/**
 * New links are noted by what makes them where a trigger is dear. Of links that a worker of the version before makes in a rolling
 * upgrade, clients that follow what happens are not told there.
 */
export const newLinksNoted: Migration = {
  number: 30,
  name: 'new-links-noted',
  statements: ({ notingNewLinksApart }) => notingNewLinksApart,
};
