import type { Dialect } from '../db/dialect.ts';

/** Tables for webhooks and their deliveries. */
export function webhooksSchema({
  identity,
  integer,
  text,
  bytes,
  table,
  clustered,
  changing,
}: Dialect): readonly string[] {
  return [
    // Webhooks. The columns `clicks_…` are a webhook's position in `webhook_clicks`; NULL if the webhook does not
    // subscribe to clicks.
    `CREATE TABLE webhooks (
    id ${bytes} PRIMARY KEY CHECK (length(id) = 16),
    account_id ${integer} NOT NULL REFERENCES accounts (id),
    url ${text} NOT NULL,
    filter ${text} NOT NULL,
    description ${text},
    secret ${bytes} NOT NULL,
    old_secret ${bytes},
    old_until ${integer} NOT NULL DEFAULT 0,
    disabled ${text},
    failing_since ${integer},
    last_success_at ${integer},
    after_seq ${integer} NOT NULL,
    replay_after ${integer},
    replay_since ${integer},
    leased_until ${integer} NOT NULL DEFAULT 0,
    created_at ${integer} NOT NULL,
    updated_at ${integer} NOT NULL,
    clicks_after ${integer},
    clicks_had ${integer} NOT NULL DEFAULT 0,
    clicks_due_at ${integer} NOT NULL DEFAULT 0,
    created_by ${text}
  )${table}${changing}`,
    'CREATE INDEX webhooks_of_accounts ON webhooks (account_id)',
    'CREATE INDEX webhooks_to_replay ON webhooks (replay_after) WHERE replay_after IS NOT NULL',
    'CREATE INDEX webhooks_of_clicks ON webhooks (account_id) WHERE clicks_after IS NOT NULL',
    // Deliveries. When a webhook is deleted, its deliveries can no longer be accessed. They remain until they are old
    // enough to be deleted.
    `CREATE TABLE webhook_deliveries (
    delivery_row ${identity},
    id ${bytes} NOT NULL UNIQUE CHECK (length(id) = 16),
    webhook_id ${bytes} NOT NULL,
    event_id ${text} NOT NULL,
    type ${text} NOT NULL,
    body ${text} NOT NULL,
    created_at ${integer} NOT NULL,
    due_at ${integer},
    attempts ${integer} NOT NULL DEFAULT 0,
    delivered ${integer} NOT NULL DEFAULT 0,
    last_at ${integer},
    last_ms ${integer},
    last_status ${integer},
    last_answer ${text},
    UNIQUE (webhook_id, event_id)
  )${table}${changing}`,
    'CREATE INDEX webhook_deliveries_due ON webhook_deliveries (webhook_id, due_at, delivery_row) WHERE due_at IS NOT NULL',
    'CREATE INDEX webhook_deliveries_of_webhooks ON webhook_deliveries (webhook_id, delivery_row)',
    "CREATE INDEX webhook_deliveries_of_clicks ON webhook_deliveries (webhook_id, delivery_row) WHERE type = 'link.clicked'",
    // The last event in the log for which deliveries were created.
    `CREATE TABLE webhook_position (id ${integer} PRIMARY KEY CHECK (id = 1), seq ${integer} NOT NULL)${table}`,
    // Clicks that are still to be sent to webhooks.
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
  ];
}
