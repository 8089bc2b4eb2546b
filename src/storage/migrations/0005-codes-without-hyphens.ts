import type { Migration } from '../db/dialect.ts';

/** Adds an index for codes that differ only in hyphens, which are the same on golinks domains. */
export const codesWithoutHyphens: Migration = {
  number: 5,
  name: 'codes-without-hyphens',
  statements: () => [
    "CREATE INDEX codes_without_hyphens ON codes (replace(key, '-', '')) WHERE replace(key, '-', '') <> key",
  ],
};
