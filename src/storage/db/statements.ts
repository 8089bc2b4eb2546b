import type { Reads, Writes } from '../../model/storage.ts';
import type { Db } from './db.ts';

/** A read of `Storage`, which documents it, as a function of a connection. */
export type Read<K extends keyof Reads> = (db: Db, ...args: Parameters<Reads[K]>) => ReturnType<Reads[K]>;

/** A write of `Storage`, which documents it, as a function of a connection in a transaction. */
export type Write<K extends keyof Writes> = (db: Db, ...args: Parameters<Writes[K]>) => ReturnType<Writes[K]>;
