import type { Dialect } from '../db/dialect.ts';

/** Tables for custom domains and their certificates. */
export function domainsSchema({
  identity,
  integer,
  text,
  bytes,
  table,
  clustered,
}: Dialect): readonly string[] {
  return [
    // Codes are unique within a `space`, which is the prefix of their keys (docs/decisions/codes-and-domains.md).
    // `found` is the result of the last DNS check.
    `CREATE TABLE domains (
    domain_row ${identity},
    id ${bytes} NOT NULL UNIQUE CHECK (length(id) = 16),
    account_id ${integer} NOT NULL REFERENCES accounts (id),
    host ${text} NOT NULL,
    space ${text} NOT NULL UNIQUE,
    status ${text} NOT NULL,
    is_default ${integer} NOT NULL,
    root_url ${text},
    unknown_url ${text},
    expired_url ${text},
    indexed ${integer} NOT NULL,
    token ${text} NOT NULL,
    found ${text} NOT NULL,
    created_at ${integer} NOT NULL,
    verified_at ${integer},
    checked_at ${integer},
    failing_since ${integer},
    next_check_at ${integer},
    deleted_at ${integer},
    apple_app_site_association ${text},
    asset_links ${text},
    UNIQUE (account_id, host)
  )${table}`,
    'CREATE UNIQUE INDEX domains_default ON domains (account_id) WHERE is_default = 1',
    // Hosts of verified domains, each with its domain.
    `CREATE TABLE hosts (
    host ${text} PRIMARY KEY,
    domain_row ${integer} NOT NULL REFERENCES domains (domain_row)
  )${clustered}`,
    // Private keys are encrypted.
    `CREATE TABLE certificates (
    host ${text} PRIMARY KEY,
    chain ${text},
    private_key ${bytes},
    issued_at ${integer},
    due_at ${integer} NOT NULL,
    failures ${integer} NOT NULL,
    problem ${text},
    claimed_by ${text},
    claimed_until ${integer} NOT NULL DEFAULT 0,
    token ${text},
    proof ${text},
    expires_at ${integer}
  )${table}`,
    'CREATE INDEX certificates_due ON certificates (due_at)',
    'CREATE INDEX certificates_expiry ON certificates (expires_at, failures)',
    `CREATE TABLE acme_accounts (
    directory ${text} PRIMARY KEY,
    url ${text} NOT NULL,
    private_key ${bytes} NOT NULL
  )${table}`,
    // Recent certificate orders, for rate limits. Orders are kept when their domain is deleted.
    `CREATE TABLE certificate_orders (
    order_row ${identity},
    account_id ${integer},
    ordered_at ${integer} NOT NULL
  )${table}`,
  ];
}
