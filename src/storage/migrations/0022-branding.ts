import type { Migration } from '../db/dialect.ts';

/** What visitors of an account's links see of its owner. */
export const branding: Migration = {
  number: 22,
  name: 'branding',
  statements: ({ integer, text }) => [
    `CREATE TABLE branding (
      account_id ${integer} PRIMARY KEY REFERENCES accounts (id),
      name ${text},
      accent ${text},
      logo ${text},
      message ${text},
      contact ${text},
      expired_url ${text},
      updated_at ${integer} NOT NULL
    )`,
  ],
};
