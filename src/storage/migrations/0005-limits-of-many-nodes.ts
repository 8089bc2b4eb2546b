import type { Migration } from '../db/dialect.ts';

/** How much each node counted against its limits in a minute: by nodes, so that none waits for another. */
export const limitsOfManyNodes: Migration = {
  number: 5,
  name: 'limits-of-many-nodes',
  statements: ({ integer, text, clustered, changing, unlogged: passing }) => [
    `CREATE${passing} TABLE limit_uses (
      since ${integer} NOT NULL,
      name ${text} NOT NULL,
      node ${integer} NOT NULL,
      uses ${integer} NOT NULL,
      PRIMARY KEY (since, name, node)
    )${clustered}${changing}`,
  ],
};
