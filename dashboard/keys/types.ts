import type { CreateKeyResult, ListKeysResult } from '../../src/client/client.ts';

export type Key = ListKeysResult[number];
export type NewKey = CreateKeyResult;
