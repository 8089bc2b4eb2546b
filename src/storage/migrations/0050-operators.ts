import type { Migration } from '../db/dialect.ts';

/** Since when a person is an operator of the installation; null for everybody else. */
export const operators: Migration = {
  number: 50,
  name: 'operators',
  statements: ({ integer }) => [`ALTER TABLE members ADD COLUMN operator_at ${integer}`],
};
