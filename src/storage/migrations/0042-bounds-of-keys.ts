import type { Migration } from '../db/dialect.ts';

/**
 * The domains and folders that a key, or whoever accepts an invitation, is bound to, as JSON with the scopes of the key. Those of a
 * bound key stand there alone: to a server of the version before, which knows of no bounds, such a key may do nothing.
 */
export const boundsOfKeys: Migration = {
  number: 42,
  name: 'bounds-of-keys',
  statements: ({ text }) => [
    `ALTER TABLE api_keys ADD COLUMN bounds ${text}`,
    `ALTER TABLE invitations ADD COLUMN bounds ${text}`,
  ],
};
