import { randomFillSync } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import type { Config } from './config.ts';
import type { RandomBytes } from './domain/ids.ts';
import type { Storage } from './domain/storage.ts';
import { migrationStatus, openStorage } from './storage/open.ts';

/** What the operator's commands work with, beside a running server or without one. */
export interface Tools {
  readonly storage: Storage;
  readonly now: () => number;
  readonly randomBytes: RandomBytes;
  close(): Promise<void>;
}

export const randomBytes: RandomBytes = (size) => randomFillSync(new Uint8Array(size));

/** Opens this installation's storage, migrated. */
export const openTools = async (config: Config): Promise<Tools> => {
  mkdirSync(config.DATA_DIR, { recursive: true, mode: 0o700 });
  const storage = await openStorage(config.DATABASE_URL);
  return { storage, now: Date.now, randomBytes, close: () => storage.close() };
};

export const status = (config: Config) => migrationStatus(config.DATABASE_URL);
