import type { Migration } from '../db/dialect.ts';

/** Adds an index of codes without their hyphens, because golinks domains ignore hyphens. */
export const codesWithoutHyphens: Migration = {
  number: 5,
  name: 'codes-without-hyphens',
  statements: () => [
    "CREATE INDEX codes_without_hyphens ON codes (replace(key, '-', '')) WHERE replace(key, '-', '') <> key",
  ],
};
