import type { Migration } from '../db/dialect.ts';

const live = 'deleted_at IS NULL';

/**
 * Finds links by their texts, and lists them in other orders than that of their creation. What links have already is taken
 * in later, by work in the background (statements/link-index.ts): a start does not wait for it.
 */
export const linkSearch: Migration = {
  number: 12,
  name: 'link-search',
  statements: ({ integer, text, changing, table, searching }) => [
    // The folded texts of a link whose texts are not all ASCII; what is ASCII the database folds by itself.
    `ALTER TABLE links ADD COLUMN search_text ${text}`,
    // Of the link, so that one index holds an account's links by their clicks.
    `ALTER TABLE link_clicks ADD COLUMN account_id ${integer}`,
    // The last hour with a click, in hours since the epoch.
    `ALTER TABLE link_clicks ADD COLUMN last_hour ${integer}`,
    // One row: up to which link the work in the background has come.
    `CREATE TABLE link_index (id ${integer} PRIMARY KEY, reached ${integer} NOT NULL)${table}${changing}`,
    'INSERT INTO link_index (id, reached) VALUES (1, 0)',
    ...searching,
  ],
  indexes: [
    { name: 'links_by_created', on: `links (account_id, created_at, id, deleted_at) WHERE ${live}` },
    { name: 'links_by_updated', on: `links (account_id, updated_at, link_row, deleted_at) WHERE ${live}` },
    {
      name: 'links_by_expiry',
      on: `links (account_id, expires_at, link_row, deleted_at) WHERE ${live} AND expires_at IS NOT NULL`,
    },
    {
      name: 'links_by_title',
      on: `links (account_id, lower(title), link_row, deleted_at) WHERE ${live} AND title IS NOT NULL`,
    },
    { name: 'link_clicks_by_total', on: 'link_clicks (account_id, total, link_row)' },
    { name: 'link_clicks_by_last', on: 'link_clicks (account_id, last_hour, link_row)' },
    {
      name: 'links_by_text',
      on: `links USING gin ((COALESCE(search_text, lower(code || '\n' || destination || '\n' || COALESCE(location, '') || '\n' || COALESCE(title, '') || '\n' || COALESCE(description, '')))) gin_trgm_ops) WHERE ${live}`,
      operators: 'gin_trgm_ops',
    },
  ],
};
