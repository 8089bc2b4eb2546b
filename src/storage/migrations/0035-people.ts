import type { Migration } from '../db/dialect.ts';

/**
 * People in accounts and the invitations that make them. What a person does is done with a key of their own, which nobody
 * has (decision 0087); a key that a person made names its maker.
 */
export const people: Migration = {
  number: 35,
  name: 'people',
  statements: ({ integer, text, bytes, clustered }) => [
    `CREATE TABLE members (
      id ${text} PRIMARY KEY,
      account_id ${integer} NOT NULL REFERENCES accounts (id),
      key_id ${text} NOT NULL UNIQUE REFERENCES api_keys (id),
      name ${text} NOT NULL,
      email ${text},
      role ${text} NOT NULL,
      folders ${text},
      preferences ${text},
      preferences_at ${integer},
      created_at ${integer} NOT NULL
    )${clustered}`,
    'CREATE INDEX members_by_account ON members (account_id, created_at)',
    `CREATE TABLE invitations (
      id ${text} PRIMARY KEY,
      digest ${bytes} NOT NULL UNIQUE CHECK (length(digest) = 32),
      account_id ${integer} NOT NULL REFERENCES accounts (id),
      role ${text} NOT NULL,
      plan ${text} NOT NULL,
      email ${text},
      folders ${text},
      inviter ${text},
      created_at ${integer} NOT NULL,
      expires_at ${integer} NOT NULL
    )${clustered}`,
    'CREATE INDEX invitations_by_account ON invitations (account_id, created_at)',
    `ALTER TABLE api_keys ADD COLUMN member_id ${text}`,
    // Keys that could do everything still can.
    `UPDATE api_keys SET scopes = scopes || ' people:write'
     WHERE ' ' || scopes || ' ' LIKE '% links:read %' AND ' ' || scopes || ' ' LIKE '% links:write %'
       AND ' ' || scopes || ' ' LIKE '% analytics:read %' AND ' ' || scopes || ' ' LIKE '% keys:write %'
       AND ' ' || scopes || ' ' LIKE '% domains:write %'`,
  ],
  indexes: [{ name: 'api_keys_of_members', on: 'api_keys (member_id) WHERE member_id IS NOT NULL' }],
};
