import type { Migration } from '../db/dialect.ts';

/** The person or the key that created a webhook, as JSON: kind, id and name of then. */
export const webhookAuthors: Migration = {
  number: 56,
  name: 'webhook-authors',
  statements: ({ text }) => [`ALTER TABLE webhooks ADD COLUMN created_by ${text}`],
};
