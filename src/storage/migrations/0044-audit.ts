import type { Migration } from '../db/dialect.ts';

/** Keys that could do everything still can: they may read what happened in the account. */
export const audit: Migration = {
  number: 44,
  name: 'audit',
  statements: () => [
    `UPDATE api_keys SET scopes = scopes || ' audit:read'
     WHERE ' ' || scopes || ' ' LIKE '% links:read %' AND ' ' || scopes || ' ' LIKE '% links:write %'
       AND ' ' || scopes || ' ' LIKE '% analytics:read %' AND ' ' || scopes || ' ' LIKE '% keys:write %'
       AND ' ' || scopes || ' ' LIKE '% domains:write %'
       AND ' ' || scopes || ' ' LIKE '% people:write %'`,
  ],
};
