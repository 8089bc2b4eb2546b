import type { Migration } from '../db/dialect.ts';

/** Passkeys of people, and what begins at a provider or an authenticator and is answered once. */
export const passkeys: Migration = {
  number: 38,
  name: 'passkeys',
  statements: ({ integer, text, bytes, clustered }) => [
    `CREATE TABLE passkeys (
      id ${text} PRIMARY KEY,
      member_id ${text} NOT NULL REFERENCES members (id),
      credential ${text} NOT NULL UNIQUE,
      public_key ${bytes} NOT NULL,
      counter ${integer} NOT NULL,
      name ${text} NOT NULL,
      is_synced ${integer} NOT NULL,
      created_at ${integer} NOT NULL,
      last_used_at ${integer}
    )${clustered}`,
    'CREATE INDEX passkeys_by_member ON passkeys (member_id, created_at)',
    `CREATE TABLE challenges (
      digest ${bytes} PRIMARY KEY CHECK (length(digest) = 32),
      member_id ${text},
      data ${text} NOT NULL,
      expires_at ${integer} NOT NULL
    )${clustered}`,
  ],
};
