import type { Dialect } from '../db/dialect.ts';

/** Tables for accounts, API keys, sessions, idempotency keys and rate limits. */
export function accountsSchema({
  identity,
  integer,
  text,
  bytes,
  table,
  clustered,
  changing,
  unlogged,
}: Dialect): readonly string[] {
  return [
    // Accounts. Rows are never deleted; a suspended account keeps its row.
    `CREATE TABLE accounts (
    id ${identity},
    name ${text} NOT NULL UNIQUE,
    created_at ${integer} NOT NULL,
    suspended_at ${integer},
    unwatched ${integer} NOT NULL DEFAULT 0
  )${table}`,
    // API keys, stored as digests. `ceiling` is the key's maximum role. `bounds` (JSON) restricts the key to domains
    // and folders, and also contains the scopes of a restricted key.
    `CREATE TABLE api_keys (
    id ${text} PRIMARY KEY,
    account_id ${integer} NOT NULL REFERENCES accounts (id),
    digest ${bytes} NOT NULL CHECK (length(digest) = 32),
    name ${text} NOT NULL,
    plan ${text} NOT NULL,
    scopes ${text} NOT NULL,
    created_at ${integer} NOT NULL,
    expires_at ${integer},
    revoked_at ${integer},
    last_used_at ${integer},
    replaced_by ${text},
    member_id ${text},
    bounds ${text},
    ceiling ${text}
  )${clustered}`,
    'CREATE INDEX api_keys_of_members ON api_keys (member_id) WHERE member_id IS NOT NULL',
    // Browser sessions. `start` is how the session began. `proved_at` is when the member last authenticated.
    `CREATE TABLE sessions (
    digest ${bytes} PRIMARY KEY CHECK (length(digest) = 32),
    id ${text} NOT NULL UNIQUE,
    account_id ${integer} NOT NULL REFERENCES accounts (id),
    key_id ${text} NOT NULL REFERENCES api_keys (id),
    agent ${text} NOT NULL,
    created_at ${integer} NOT NULL,
    last_seen_at ${integer} NOT NULL,
    start ${text} NOT NULL DEFAULT 'own',
    proved_at ${integer}
  )${clustered}`,
    'CREATE INDEX sessions_by_account ON sessions (account_id, key_id)',
    'CREATE INDEX sessions_by_use ON sessions (last_seen_at)',
    `CREATE TABLE login_links (
    digest ${bytes} PRIMARY KEY CHECK (length(digest) = 32),
    key_id ${text} NOT NULL REFERENCES api_keys (id),
    expires_at ${integer} NOT NULL,
    start ${text} NOT NULL DEFAULT 'own',
    proved_at ${integer}
  )${clustered}`,
    // An account's dashboard preferences, as JSON.
    `CREATE TABLE preferences (
    account_id ${integer} PRIMARY KEY REFERENCES accounts (id),
    value ${text} NOT NULL,
    updated_at ${integer} NOT NULL
  )${clustered}`,
    // Branding shown to visitors of an account's links.
    `CREATE TABLE branding (
    account_id ${integer} PRIMARY KEY REFERENCES accounts (id),
    name ${text},
    accent ${text},
    logo ${text},
    message ${text},
    contact ${text},
    expired_url ${text},
    updated_at ${integer} NOT NULL
  )${table}`,
    // Stored results, keyed by `Idempotency-Key`.
    `CREATE TABLE once (
    account_id ${integer} NOT NULL REFERENCES accounts (id),
    key ${text} NOT NULL,
    fingerprint ${text} NOT NULL,
    result ${text} NOT NULL,
    created_at ${integer} NOT NULL,
    PRIMARY KEY (account_id, key)
  )${clustered}`,
    'CREATE INDEX once_by_age ON once (created_at)',
    // Rate limit counts per minute; one row per node, so that nodes don't wait for each other.
    `CREATE${unlogged} TABLE limit_uses (
    since ${integer} NOT NULL,
    name ${text} NOT NULL,
    node ${integer} NOT NULL,
    uses ${integer} NOT NULL,
    PRIMARY KEY (since, name, node)
  )${clustered}${changing}`,
  ];
}
