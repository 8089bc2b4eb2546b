import type { Migration } from '../db/dialect.ts';

/** Certificates that were ordered lately, for the limits: they outlive the domains. */
export const certificateOrders: Migration = {
  number: 53,
  name: 'certificate-orders',
  statements: ({ identity, integer, table }) => [
    `CREATE TABLE certificate_orders (
      order_row ${identity},
      account_id ${integer},
      ordered_at ${integer} NOT NULL
    )${table}`,
  ],
};
