import type { Dialect } from '../db/dialect.ts';

/** Accounts, their keys and sessions, idempotency and limits. */
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
    // Accounts of the installation. Rows stay, also of accounts that are suspended.
    `CREATE TABLE accounts (
    id ${identity},
    name ${text} NOT NULL UNIQUE,
    created_at ${integer} NOT NULL,
    suspended_at ${integer},
    unwatched ${integer} NOT NULL DEFAULT 0
  )${table}`,
    // Keys by digest. `ceiling` is the role that the key never exceeds, `bounds` (JSON) the domains and folders that it is bound
    // to; the scopes of a restricted key are in its bounds.
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
    // Sessions of browsers. `start` says how one began, `proved_at` when the person last proved who they are.
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
    // What an account prefers to see in the dashboard, as JSON.
    `CREATE TABLE preferences (
    account_id ${integer} PRIMARY KEY REFERENCES accounts (id),
    value ${text} NOT NULL,
    updated_at ${integer} NOT NULL
  )${clustered}`,
    // What visitors of an account's links see of its owner.
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
    // Answers by `Idempotency-Key`.
    `CREATE TABLE once (
    account_id ${integer} NOT NULL REFERENCES accounts (id),
    key ${text} NOT NULL,
    fingerprint ${text} NOT NULL,
    result ${text} NOT NULL,
    created_at ${integer} NOT NULL,
    PRIMARY KEY (account_id, key)
  )${clustered}`,
    'CREATE INDEX once_by_age ON once (created_at)',
    // Uses of rate limits in a minute: by node, so that none waits for another.
    `CREATE${unlogged} TABLE limit_uses (
    since ${integer} NOT NULL,
    name ${text} NOT NULL,
    node ${integer} NOT NULL,
    uses ${integer} NOT NULL,
    PRIMARY KEY (since, name, node)
  )${clustered}${changing}`,
  ];
}
