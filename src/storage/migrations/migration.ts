/** The words in which engines differ when tables are made. */
export interface EngineWords {
  /** Column type and constraint of a primary key that the engine numbers. */
  readonly identity: string;
  /** A whole number of 64 bits. */
  readonly integer: string;
  readonly bytes: string;
  /** What follows the columns of a table. */
  readonly table: string;
  /** The same for a table that is kept in the order of its primary key. */
  readonly clustered: string;
  /** A query whose parameter is a table's name, and that answers a row when the table exists. */
  readonly tableExists: string;
}

/** One step of the schema, forward only. Its text must not change once published: see the checksum. */
export interface Migration {
  readonly number: number;
  readonly name: string;
  readonly statements: (words: EngineWords) => readonly string[];
}
