import type { Migration } from '../db/dialect.ts';

/** UTM parameters that an account uses together, by name; the key is the name without regard to case. */
export const utmTemplates: Migration = {
  number: 25,
  name: 'utm-templates',
  statements: ({ text, integer, bytes, clustered }) => [
    `CREATE TABLE utm_templates (
      account_id ${integer} NOT NULL REFERENCES accounts (id),
      key ${text} NOT NULL,
      id ${bytes} NOT NULL UNIQUE CHECK (length(id) = 16),
      name ${text} NOT NULL,
      utm ${text} NOT NULL,
      created_at ${integer} NOT NULL,
      updated_at ${integer} NOT NULL,
      PRIMARY KEY (account_id, key)
    )${clustered}`,
  ],
};
