import type { Migration } from '../db/dialect.ts';

/**
 * Clicks that endpoints are still to be told of, and how far each has come: behind so many of them wholly, and behind some of the
 * next. Null for one that is not told of clicks.
 */
export const webhooksOfClicks: Migration = {
  number: 49,
  name: 'webhooks-of-clicks',
  statements: ({ integer, bytes, clustered }) => [
    `CREATE TABLE webhook_clicks (
      account_id ${integer} NOT NULL,
      seq ${integer} NOT NULL,
      at ${integer} NOT NULL,
      layout ${integer} NOT NULL,
      clicks ${integer} NOT NULL,
      records ${bytes} NOT NULL,
      PRIMARY KEY (account_id, seq)
    )${clustered}`,
    'CREATE INDEX webhook_clicks_by_age ON webhook_clicks (at)',
    `ALTER TABLE webhooks ADD COLUMN clicks_after ${integer}`,
    `ALTER TABLE webhooks ADD COLUMN clicks_had ${integer} NOT NULL DEFAULT 0`,
    `ALTER TABLE webhooks ADD COLUMN clicks_due_at ${integer} NOT NULL DEFAULT 0`,
    'CREATE INDEX webhooks_of_clicks ON webhooks (account_id) WHERE clicks_after IS NOT NULL',
    "CREATE INDEX webhook_deliveries_of_clicks ON webhook_deliveries (webhook_id, delivery_row) WHERE type = 'link.clicked'",
  ],
};
