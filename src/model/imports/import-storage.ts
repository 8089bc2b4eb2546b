import type { MaybePromise } from '../maybe-promise.ts';
import type { Import, ImportBatch, ImportedLine, NewImport } from './imports.ts';

/** Reads of imports. */
export interface ImportReads {
  /** Imports of an account, newest first. */
  imports(accountId: number, limit: number): MaybePromise<readonly Import[]>;
  import(accountId: number, id: string): MaybePromise<Import | undefined>;
  /** Results per link, in file order. @param after the line after which to continue; 0 to start */
  importedLines(
    accountId: number,
    id: string,
    after: number,
    limit: number,
  ): MaybePromise<readonly ImportedLine[]>;
}

/** Writes of imports. */
export interface ImportWrites {
  /** Starts an import, or returns the unfinished one of the same file (source, instance, time of export). */
  createImport(accountId: number, given: NewImport): Promise<{ found: Import; isNew: boolean }>;
  /** @throws Failure IMPORT_NOT_FOUND, IMPORT_STATE */
  pauseImport(accountId: number, id: string, isPaused: boolean, now: number): Promise<Import>;
  /**
   * Imports lines. Lines that were already imported are ignored.
   * @throws Failure IMPORT_NOT_FOUND, IMPORT_STATE, IMPORT_POSITION
   */
  addImportLines(accountId: number, id: string, batch: ImportBatch): Promise<Import>;
  /** Starts to undo an import; records that changed since are left alone. @throws Failure IMPORT_NOT_FOUND */
  undoImport(accountId: number, id: string, now: number): Promise<Import>;
  /**
   * Continues background work of imports: counts clicks without a date, and undoes links.
   * @param max number of links
   * @returns true if there may be more
   */
  continueImports(max: number, now: number): Promise<boolean>;
}
