import type { Migration } from '../db/dialect.ts';

/** Certificates of hosts, and accounts at the authorities that issue them. Private keys are sealed. */
export const certificates: Migration = {
  number: 31,
  name: 'certificates',
  statements: ({ integer, text, bytes, table }) => [
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
      proof ${text}
    )${table}`,
    'CREATE INDEX certificates_due ON certificates (due_at)',
    `CREATE TABLE acme_accounts (
      directory ${text} PRIMARY KEY,
      url ${text} NOT NULL,
      private_key ${bytes} NOT NULL
    )${table}`,
  ],
};
