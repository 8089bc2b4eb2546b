/** Engine-specific SQL for creating tables. */
export interface Dialect {
  /** Column type and constraint of an auto-generated integer primary key. */
  readonly identity: string;
  /** Type of a 64-bit integer. */
  readonly integer: string;
  /** Type of text that is compared and sorted bytewise. */
  readonly text: string;
  readonly bytes: string;
  /** Suffix after the column list of a table. */
  readonly table: string;
  /** Suffix for a table stored in the order of its primary key. */
  readonly clustered: string;
  /** Additional suffix for a table with frequent updates. */
  readonly changing: string;
  /** Suffix of an index that includes additional columns. SQLite indexes always include the row number. */
  readonly including: (...columns: readonly string[]) => string;
  /**
   * Suffix after the column that refers to a link, in tables of click sums. On PostgreSQL a foreign key would lock the
   * link whenever a sum is added, and each lock writes to the link's page (`npm run bench -- --only sizes`). The
   * foreign key is not needed: sums are only added for existing links, and links are never deleted.
   */
  readonly ofLink: string;
  /** Keyword for a table that may be lost in a database crash and is therefore not written to the write-ahead log. */
  readonly unlogged: string;
  /**
   * Statements that disable compression for a column with short-lived values, because compressing them is not worth the
   * CPU time.
   */
  readonly storedUncompressed: (table: string, column: string) => readonly string[];
  /** Statements that create the index for substring search. */
  readonly searching: readonly string[];
  /** Query that returns a row if the table named by its parameter exists. */
  readonly tableExists: string;
}

/**
 * Migration of existing rows in small transactions, while servers of the previous version continue to write. Rows that
 * those servers write after the backfill get their values from a default, or from a trigger created by the migration.
 */
export interface Backfill {
  readonly table: string;
  /** An indexed column of positive integers. The table is processed in the order of this column. */
  readonly key: string;
  /**
   * SQL that changes the rows with keys above the first parameter, up to and including the second. Each row is
   * processed once.
   */
  readonly statement: string;
}

/**
 * An index on a table with existing rows. It is created after all other steps of the migration, concurrently with
 * writers where the engine supports that.
 */
export interface LateIndex {
  readonly name: string;
  /** Table, columns and condition, such as `links (created_at) WHERE deleted_at IS NULL`. */
  readonly on: string;
  /** True for a unique index. Only for columns that are still empty. */
  readonly unique?: true;
}

/** A schema migration, forward only. Must not change once published, because databases store its checksum. */
export interface Migration {
  readonly number: number;
  readonly name: string;
  readonly statements: (dialect: Dialect) => readonly string[];
  /** Runs after the migration's statements. The migration counts as applied when the backfill is complete. */
  readonly backfill?: Backfill;
  /** Created after the backfill. */
  readonly indexes?: readonly LateIndex[];
}
