import type { Dialect } from '../db/dialect.ts';

/** Tables for folders, links and their codes, tags, link counts and the text index. */
export function linksSchema({
  identity,
  integer,
  text,
  bytes,
  table,
  clustered,
  changing,
  including,
  ofLink,
  searching,
}: Dialect): readonly string[] {
  return [
    // Folders. Deleting a folder only marks the folder's row. Its links keep the folder's id at first. `deleted_at` is
    // set while the folder can be restored.
    `CREATE TABLE folders (
    id ${bytes} NOT NULL UNIQUE CHECK (length(id) = 16),
    account_id ${integer} NOT NULL REFERENCES accounts (id),
    name ${text} NOT NULL,
    created_at ${integer} NOT NULL,
    updated_at ${integer} NOT NULL,
    deleted ${integer} NOT NULL DEFAULT 0,
    expired_url ${text},
    deleted_at ${integer},
    PRIMARY KEY (account_id, id)
  )${clustered}`,
    'CREATE INDEX folders_deleted ON folders (account_id, id) WHERE deleted = 1',
    // Links. Rows are never deleted, because clicks in a journal refer to row numbers, which must not be reused.
    // `location` is NULL if it equals the destination. `search_text` contains the case-folded search columns, unless
    // the database can fold them itself.
    `CREATE TABLE links (
    link_row ${identity},
    id ${bytes} NOT NULL UNIQUE CHECK (length(id) = 16),
    account_id ${integer} NOT NULL REFERENCES accounts (id),
    code ${text} NOT NULL,
    destination ${text} NOT NULL,
    location ${text},
    title ${text},
    description ${text},
    expires_at ${integer},
    folder_id ${bytes},
    created_at ${integer} NOT NULL,
    updated_at ${integer} NOT NULL,
    deleted_at ${integer},
    external_id ${text},
    search_text ${text},
    starts_at ${integer},
    disabled ${integer} NOT NULL DEFAULT 0,
    expired_url ${text},
    redirect_status ${integer},
    forward_query ${text},
    rules ${text},
    max_clicks ${integer},
    used_clicks ${integer} NOT NULL DEFAULT 0,
    utm ${text},
    archived ${integer} NOT NULL DEFAULT 0,
    password_hash ${text},
    card ${text},
    space ${text} NOT NULL DEFAULT '',
    unwatched ${integer} NOT NULL DEFAULT 0,
    revision ${integer} NOT NULL DEFAULT 1,
    managed_by ${text},
    language ${text},
    FOREIGN KEY (account_id, folder_id) REFERENCES folders (account_id, id)
  )${table}`,
    // At any page depth, list queries find a page's links by reading only these indexes. `deleted_at` is always NULL
    // here. It is included because SQLite's planner otherwise does not recognize that the index covers the query.
    `CREATE INDEX links_live ON links (account_id, id, deleted_at)${including('link_row')} WHERE deleted_at IS NULL`,
    `CREATE INDEX links_live_by_folder ON links (account_id, folder_id, id, deleted_at)${including('link_row')} WHERE deleted_at IS NULL`,
    // The index includes deleted links, because deleting a folder must clear their `folder_id` too.
    'CREATE INDEX links_by_folder ON links (folder_id) WHERE folder_id IS NOT NULL',
    'CREATE INDEX links_deleted ON links (account_id, deleted_at, id) WHERE deleted_at IS NOT NULL',
    'CREATE UNIQUE INDEX links_by_external_id ON links (account_id, external_id) WHERE deleted_at IS NULL AND external_id IS NOT NULL',
    'CREATE INDEX links_by_created ON links (account_id, created_at, id, deleted_at) WHERE deleted_at IS NULL',
    'CREATE INDEX links_by_updated ON links (account_id, updated_at, link_row, deleted_at) WHERE deleted_at IS NULL',
    'CREATE INDEX links_by_expiry ON links (account_id, expires_at, link_row, deleted_at) WHERE deleted_at IS NULL AND expires_at IS NOT NULL',
    'CREATE INDEX links_by_title ON links (account_id, lower(title), link_row, deleted_at) WHERE deleted_at IS NULL AND title IS NOT NULL',
    // Uses `substr` because PostgreSQL limits an index entry to 2,704 bytes, and `link_row + 0` so that only this index
    // has this sort order. Otherwise PostgreSQL would scan another index that has this order until it finds the first
    // row.
    'CREATE INDEX links_by_location ON links (account_id, substr(COALESCE(location, destination), 1, 2048), (link_row + 0)) WHERE deleted_at IS NULL',
    'CREATE INDEX links_archived ON links (account_id, folder_id) WHERE archived = 1 AND deleted_at IS NULL',
    'CREATE INDEX links_deleted_by_external_id ON links (account_id, external_id, deleted_at, id) WHERE deleted_at IS NOT NULL AND external_id IS NOT NULL',
    "CREATE INDEX links_of_spaces ON links (space, link_row) WHERE space <> ''",
    'CREATE INDEX links_to_expire ON links (expires_at, link_row) WHERE deleted_at IS NULL AND expires_at IS NOT NULL',
    'CREATE INDEX links_by_manifest ON links (account_id, managed_by) WHERE deleted_at IS NULL AND managed_by IS NOT NULL',
    // Codes outlive their links: a code stays reserved for its account. `alias` is an alias as it was entered; NULL
    // for the link's own code and for removed aliases.
    `CREATE TABLE codes (
    key ${text} PRIMARY KEY,
    account_id ${integer} NOT NULL REFERENCES accounts (id),
    link_row ${integer} NOT NULL REFERENCES links (link_row),
    live ${integer} NOT NULL CHECK (live IN (0, 1)),
    alias ${text}
  )${clustered}`,
    'CREATE INDEX codes_of_aliases ON codes (link_row, key) WHERE alias IS NOT NULL',
    // Number of live links by scope. The scope is 00 for all links, 01 for links in no folder, the 16-byte id of a
    // folder or tag, or the space of a domain. Each scope has several slots, so that concurrent writers don't wait for
    // the same row.
    `CREATE TABLE link_counts (
    account_id ${integer} NOT NULL REFERENCES accounts (id),
    scope ${bytes} NOT NULL,
    slot ${integer} NOT NULL,
    links ${integer} NOT NULL,
    PRIMARY KEY (account_id, scope, slot)
  )${clustered}${changing}`,
    // `key` is the case-folded name. Rows of `link_tags` that still refer to a deleted tag count for its successor, or
    // for no tag if there is no successor.
    `CREATE TABLE tags (
    tag_row ${identity},
    id ${bytes} NOT NULL UNIQUE CHECK (length(id) = 16),
    account_id ${integer} NOT NULL REFERENCES accounts (id),
    name ${text} NOT NULL,
    key ${text} NOT NULL,
    created_at ${integer} NOT NULL,
    updated_at ${integer} NOT NULL,
    deleted ${integer} NOT NULL DEFAULT 0,
    successor ${integer}
  )${table}`,
    'CREATE UNIQUE INDEX tags_by_key ON tags (account_id, key) WHERE deleted = 0',
    'CREATE INDEX tags_deleted ON tags (account_id, tag_row) WHERE deleted = 1',
    `CREATE TABLE link_tags (
    tag_row ${integer} NOT NULL REFERENCES tags (tag_row),
    link_row ${integer} NOT NULL${ofLink},
    PRIMARY KEY (tag_row, link_row)
  )${clustered}`,
    'CREATE INDEX link_tags_by_link ON link_tags (link_row, tag_row)',
    // A single row. `reached` is the last link that is in the text index.
    `CREATE TABLE link_index (id ${integer} PRIMARY KEY, reached ${integer} NOT NULL)${table}${changing}`,
    'INSERT INTO link_index (id, reached) VALUES (1, 0)',
    ...searching,
    // UTM templates by name; `key` is the case-folded name.
    `CREATE TABLE utm_templates (
    account_id ${integer} NOT NULL REFERENCES accounts (id),
    key ${text} NOT NULL,
    id ${bytes} NOT NULL UNIQUE CHECK (length(id) = 16),
    name ${text} NOT NULL,
    utm ${text} NOT NULL,
    created_at ${integer} NOT NULL,
    updated_at ${integer} NOT NULL,
    PRIMARY KEY (account_id, key)
  )${clustered}`,
    // Public shares of statistics, by the digest of their secret.
    `CREATE TABLE shares (
    id ${bytes} PRIMARY KEY CHECK (length(id) = 16),
    account_id ${integer} NOT NULL REFERENCES accounts (id),
    link_row ${integer} NOT NULL REFERENCES links (link_row),
    digest ${bytes} NOT NULL UNIQUE CHECK (length(digest) = 32),
    created_at ${integer} NOT NULL,
    expires_at ${integer}
  )${clustered}`,
    'CREATE INDEX shares_by_link ON shares (link_row)',
    // The last check of each link's destination, and the time of the next check. A row is valid only while the link has
    // this destination.
    `CREATE TABLE destination_checks (
    link_row ${integer} PRIMARY KEY REFERENCES links (link_row),
    account_id ${integer} NOT NULL,
    due_at ${integer} NOT NULL,
    clicks ${integer} NOT NULL,
    destination ${text},
    state ${text},
    problem ${text},
    notice ${text},
    status ${integer},
    redirects ${integer},
    certificate_ends_at ${integer},
    since ${integer},
    checked_at ${integer}
  )${table}${changing}`,
    'CREATE INDEX destination_checks_due ON destination_checks (due_at)',
    "CREATE INDEX destination_checks_failing ON destination_checks (account_id) WHERE state = 'failing'",
  ];
}
