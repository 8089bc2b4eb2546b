/** What engines write differently when tables are made. */
export interface Dialect {
  /** Column type and constraint of a primary key that the engine numbers. */
  readonly identity: string;
  /** A whole number of 64 bits. */
  readonly integer: string;
  /** A text that is compared and ordered by its bytes. */
  readonly text: string;
  readonly bytes: string;
  /** What follows the columns of a table. */
  readonly table: string;
  /** Same as above, for a table that is kept in the order of its primary key. */
  readonly clustered: string;
  /** What follows that for a table whose rows are changed over and over. */
  readonly changing: string;
  /** What follows the columns of an index that holds further columns. In SQLite's each index has the row's number already. */
  readonly including: (...columns: readonly string[]) => string;
  /**
   * What follows the link's row in a table of sums of clicks. With a reference PostgreSQL would lock the link for every
   * sum, which writes to the link's page: `npm run bench:sizes`. Sums are only added for links that exist, and links stay.
   */
  readonly ofLink: string;
  /** The word for a table that need not outlive a crash of the database, and so is not written to its log. */
  readonly unlogged: string;
  /** Statements after which a column's large values are stored as they are: to compress them takes longer than they live. */
  readonly storedUncompressed: (table: string, column: string) => readonly string[];
  /** Statements that make what a search for parts of texts needs. */
  readonly searching: readonly string[];
  /** A query whose parameter is a table's name, and that answers a row when the table exists. */
  readonly tableExists: string;
}

/**
 * Work on the rows that a table has already, in small transactions between which servers of the version before continue writing.
 * A row that they write behind the backfill gets its values from a default, or from a trigger that the migration's statements
 * make.
 */
export interface Backfill {
  readonly table: string;
  /** A column of whole numbers above 0 in whose order the table is walked; it has an index. */
  readonly key: string;
  /** Changes the rows whose key is above its first parameter and not above its second. Each row comes once. */
  readonly statement: string;
}

/** An index on a table that has rows already: made last, in addition to running writers where the engine can do that. */
export interface LateIndex {
  readonly name: string;
  /** What it is on, such as `links (created_at) WHERE deleted_at IS NULL`. */
  readonly on: string;
  /** Whether no two rows may have the same values; a migration may ask it only of columns that are still empty. */
  readonly unique?: true;
}

/** One step of the schema, forward only. Once published it must not change: databases keep its checksum. */
export interface Migration {
  readonly number: number;
  readonly name: string;
  readonly statements: (dialect: Dialect) => readonly string[];
  /** What follows the statements; the migration counts as applied when it is done. */
  readonly backfill?: Backfill;
  /** What follows that. */
  readonly indexes?: readonly LateIndex[];
}
