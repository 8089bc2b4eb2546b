import type { Migration } from '../db/dialect.ts';

/** Sessions of browsers and the links that begin one, by digests of what proves them; what an account prefers to see. */
export const sessions: Migration = {
  number: 14,
  name: 'sessions',
  statements: ({ integer, text, bytes, clustered }) => [
    `CREATE TABLE sessions (
      digest ${bytes} PRIMARY KEY CHECK (length(digest) = 32),
      id ${text} NOT NULL UNIQUE,
      account_id ${integer} NOT NULL REFERENCES accounts (id),
      key_id ${text} NOT NULL REFERENCES api_keys (id),
      agent ${text} NOT NULL,
      created_at ${integer} NOT NULL,
      last_seen_at ${integer} NOT NULL
    )${clustered}`,
    'CREATE INDEX sessions_by_account ON sessions (account_id, key_id)',
    'CREATE INDEX sessions_by_use ON sessions (last_seen_at)',
    `CREATE TABLE login_links (
      digest ${bytes} PRIMARY KEY CHECK (length(digest) = 32),
      key_id ${text} NOT NULL REFERENCES api_keys (id),
      expires_at ${integer} NOT NULL
    )${clustered}`,
    `CREATE TABLE preferences (
      account_id ${integer} PRIMARY KEY REFERENCES accounts (id),
      value ${text} NOT NULL,
      updated_at ${integer} NOT NULL
    )${clustered}`,
  ],
};
