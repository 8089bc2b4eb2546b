import type { Reads, Writes } from '../../model/storage.ts';
import type { Db } from './db.ts';

/** A read of `Storage`, as a function of a connection. The interface describes it. */
export type Read<K extends keyof Reads> = (db: Db, ...args: Parameters<Reads[K]>) => ReturnType<Reads[K]>;

/** A write of `Storage`, as a function of a connection in a transaction. The interface describes it. */
export type Write<K extends keyof Writes> = (db: Db, ...args: Parameters<Writes[K]>) => ReturnType<Writes[K]>;
