import type { Migration } from '../db/dialect.ts';

/**
 * Endpoints that are told of events, and what each was told and answered. Keys that could do everything still can: they may
 * manage endpoints. Deliveries of an endpoint that is deleted stay until they are old: nothing leads to them.
 */
export const webhooks: Migration = {
  number: 46,
  name: 'webhooks',
  statements: ({ identity, integer, text, bytes, table, changing }) => [
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
      updated_at ${integer} NOT NULL
    )${table}${changing}`,
    'CREATE INDEX webhooks_of_accounts ON webhooks (account_id)',
    'CREATE INDEX webhooks_to_replay ON webhooks (replay_after) WHERE replay_after IS NOT NULL',
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
    // Up to which event of the log deliveries were made.
    `CREATE TABLE webhook_position (id ${integer} PRIMARY KEY CHECK (id = 1), seq ${integer} NOT NULL)${table}`,
    `UPDATE api_keys SET scopes = scopes || ' webhooks:write'
     WHERE ' ' || scopes || ' ' LIKE '% links:read %' AND ' ' || scopes || ' ' LIKE '% links:write %'
       AND ' ' || scopes || ' ' LIKE '% analytics:read %' AND ' ' || scopes || ' ' LIKE '% keys:write %'
       AND ' ' || scopes || ' ' LIKE '% domains:write %'
       AND ' ' || scopes || ' ' LIKE '% people:write %'
       AND ' ' || scopes || ' ' LIKE '% audit:read %'`,
  ],
};
