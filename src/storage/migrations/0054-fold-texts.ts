import type { Migration } from '../db/dialect.ts';

/** The texts of links are folded again, by more rules: indexing starts over, and searches read the rows until it is done. */
export const foldTexts: Migration = {
  number: 54,
  name: 'fold-texts',
  statements: () => ['UPDATE link_index SET reached = 0'],
};
