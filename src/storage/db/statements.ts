import type { Reads, Writes } from '../../model/storage.ts';
import type { Db } from './db.ts';

/** A read method of `Storage`, as a function that takes a connection. See `Storage` for its documentation. */
export type Read<K extends keyof Reads> = (db: Db, ...args: Parameters<Reads[K]>) => ReturnType<Reads[K]>;

/**
 * A write method of `Storage`, as a function that takes a connection in a transaction. See `Storage` for its
 * documentation.
 */
export type Write<K extends keyof Writes> = (db: Db, ...args: Parameters<Writes[K]>) => ReturnType<Writes[K]>;
