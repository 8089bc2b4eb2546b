import type { Migration } from '../db/dialect.ts';

/** Who members are at a provider of OpenID Connect: issuer and subject, in each account once. */
export const identities: Migration = {
  number: 43,
  name: 'identities',
  statements: ({ integer, text, clustered }) => [
    `CREATE TABLE identities (
      issuer ${text} NOT NULL,
      subject ${text} NOT NULL,
      account_id ${integer} NOT NULL REFERENCES accounts (id),
      member_id ${text} NOT NULL REFERENCES members (id),
      by_group ${integer} NOT NULL,
      created_at ${integer} NOT NULL,
      last_used_at ${integer} NOT NULL,
      PRIMARY KEY (issuer, subject, account_id)
    )${clustered}`,
    'CREATE INDEX identities_by_member ON identities (member_id)',
  ],
};
