import type { Migration } from '../db/dialect.ts';
import { accountsSchema } from '../schema/accounts.ts';
import { clicksSchema } from '../schema/clicks.ts';
import { domainsSchema } from '../schema/domains.ts';
import { eventsSchema } from '../schema/events.ts';
import { importsSchema } from '../schema/imports.ts';
import { linksSchema } from '../schema/links.ts';
import { membersSchema } from '../schema/members.ts';
import { webhooksSchema } from '../schema/webhooks.ts';

/** The schema of version 1.0.0-rc.1. Later versions change it with migrations. */
export const baseline: Migration = {
  number: 1,
  name: 'baseline',
  statements: (dialect) => [
    ...accountsSchema(dialect),
    ...membersSchema(dialect),
    ...linksSchema(dialect),
    ...domainsSchema(dialect),
    ...clicksSchema(dialect),
    ...eventsSchema(dialect),
    ...webhooksSchema(dialect),
    ...importsSchema(dialect),
  ],
};
