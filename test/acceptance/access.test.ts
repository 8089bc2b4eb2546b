import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Endpoint } from '../../src/contract/endpoint.ts';
import { type ErrorCode, errors } from '../../src/contract/errors.ts';
import { type Api, bodyWith, everyEndpoint, makeFolder, makeRecord, pathWith, recordOf } from '../records.ts';
import { type Answer, as, call, type Server, startServer } from '../support.ts';

/** The last symbol of the checksum, another one: a well-formed key that nobody drew. */
const withBadChecksum = (key: string): string => key.slice(0, -1) + (key.endsWith('0') ? '1' : '0');

/** A key as another installation could have drawn it: checksum right, known to nobody here. */
const strangersKey = 'lfk_0000000000000000000000000000000000000000000000'.slice(0, 0);

describe('who may do what', () => {
  let server: Server;
  let owner: Api;
  let other: Api;
  let folder: string;
  let otherFolder: string;
  const keys: Record<string, string | undefined> = {};

  before(async () => {
    server = await startServer();
    const both = await server.newKey();
    const { account } = both;
    const soon = new Date(Date.now() + 2_000).toISOString();
    const [expired, revoked, read, write, others, unknown] = await Promise.all([
      server.newKey({ account, expires: soon }),
      server.newKey({ account }),
      server.newKey({ account, scopes: 'links:read' }),
      server.newKey({ account, scopes: 'links:write' }),
      server.newKey(),
      startServer().then(async (elsewhere) => {
        const key = await elsewhere.newKey();
        await elsewhere.stop();
        return key;
      }),
    ]);
    Object.assign(keys, {
      no: undefined,
      malformed: 'lfk_nonsense',
      'bad checksum': withBadChecksum(both.key),
      unknown: unknown.key,
      expired: expired.key,
      revoked: revoked.key,
      read: read.key,
      write: write.key,
      both: both.key,
      "other account's": others.key,
    });
    owner = as(server, both.key);
    other = as(server, others.key);
    folder = await makeFolder(owner);
    otherFolder = await makeFolder(other);
    await server.command('keys', 'revoke', revoked.id);
    const deadline = Date.now() + 5_000;
    for (const key of [revoked.key, expired.key]) {
      while ((await call(server, 'GET', '/api/v1/me', { key })).status !== 401) {
        assert.ok(Date.now() < deadline, 'a revoked or expired key still works after 5 seconds');
      }
    }
  });
  after(() => server.stop());
});
