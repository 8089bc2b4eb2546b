import type { MaybePromise } from '../maybe-promise.ts';
import type { Import, ImportBatch, ImportedLine, NewImport } from './imports.ts';

/** Read operations for imports. */
export interface ImportReads {
  /** Lists an account's imports, newest first. */
  imports(accountId: number, limit: number): MaybePromise<readonly Import[]>;
  import(accountId: number, id: string): MaybePromise<Import | undefined>;
  /** Lists results per link, in file order. @param after line after which to continue; 0 to start at the first line */
  importedLines(
    accountId: number,
    id: string,
    after: number,
    limit: number,
  ): MaybePromise<readonly ImportedLine[]>;
}

/** Write operations for imports. */
export interface ImportWrites {
  /**
   * Starts an import, or returns the unfinished import of the same file (same source, installation and export time).
   */
  createImport(accountId: number, given: NewImport): Promise<{ found: Import; isNew: boolean }>;
  /** @throws Failure IMPORT_NOT_FOUND, IMPORT_STATE */
  pauseImport(accountId: number, id: string, isPaused: boolean, now: number): Promise<Import>;
  /**
   * Imports lines. Ignores lines that were already imported.
   * @throws Failure IMPORT_NOT_FOUND, IMPORT_STATE, IMPORT_POSITION
   */
  addImportLines(accountId: number, id: string, batch: ImportBatch): Promise<Import>;
  /** Starts undoing an import. Keeps links that were changed after the import. @throws Failure IMPORT_NOT_FOUND */
  undoImport(accountId: number, id: string, now: number): Promise<Import>;
  /**
   * Continues the background work for imports: adds undated clicks to statistics, and removes the links of imports that
   * are being undone.
   * @param max maximum number of links
   * @returns true if there may be more work
   */
  continueImports(max: number, now: number): Promise<boolean>;
}
