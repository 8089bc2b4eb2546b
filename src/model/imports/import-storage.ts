import type { MaybePromise } from '../maybe-promise.ts';
import type { Import, ImportBatch, ImportedLine, NewImport } from './imports.ts';

/** Reads of imports. */
export interface ImportReads {
  /** An account's imports, the last begun first. */
  imports(accountId: number, limit: number): MaybePromise<readonly Import[]>;
  import(accountId: number, id: string): MaybePromise<Import | undefined>;
  /** What became of the links of an import, in the order of the file. @param after the line behind which to go on; 0 to begin */
  importedLines(
    accountId: number,
    id: string,
    after: number,
    limit: number,
  ): MaybePromise<readonly ImportedLine[]>;
}

/** Writes of imports. */
export interface ImportWrites {
  /** Begins an import, or finds the one of the same file (source, instance, time of reading) that has not come to its end. */
  createImport(accountId: number, given: NewImport): Promise<{ found: Import; isNew: boolean }>;
  /** @throws Failure IMPORT_NOT_FOUND, IMPORT_STATE */
  pauseImport(accountId: number, id: string, isPaused: boolean, now: number): Promise<Import>;
  /**
   * Takes lines. Those that were taken already change nothing.
   * @throws Failure IMPORT_NOT_FOUND, IMPORT_STATE, IMPORT_POSITION
   */
  addImportLines(accountId: number, id: string, batch: ImportBatch): Promise<Import>;
  /** Begins to take back what is as it was imported. @throws Failure IMPORT_NOT_FOUND */
  undoImport(accountId: number, id: string, now: number): Promise<Import>;
  /**
   * Does a little of what imports need behind their lines: clicks without a date are counted, links are taken back.
   * @param max how many links
   * @returns whether there may be more
   */
  continueImports(max: number, now: number): Promise<boolean>;
}
