import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { ask } from '../../support/http/ask.ts';
import { type Api, freshCode, makeLink } from '../../support/server/records.ts';
import { as, endServers, type Server, startServer, temporaryFolder } from '../../support/server/server.ts';
import { until } from '../../support/until.ts';

after(endServers);

const hasty = [process.execPath, join(import.meta.dirname, '../../support/faults/hasty-server.ts')];

interface Missed {
  readonly linkId: string;
  readonly shortCode: string;
  readonly reason: string;
  readonly visits: number;
  readonly lastDay: string;
}

const missedOf = async (api: Api, query = ''): Promise<readonly Missed[]> =>
  (await api.get(`/api/v1/missed-visits${query}`)).json.data;

async function visit(server: Server, code: string, times: number, method = 'GET'): Promise<void> {
  for (let n = 0; n < times; n += 1) {
    const { status } = await ask(server, { path: `/${code}`, method });
    assert.ok([302, 404, 410].includes(status ?? 0), `${code}: ${status}`);
  }
}

test('reports not-found visits to the owner of the link, and unknown codes to the operator', async () => {
  const dataDir = temporaryFolder('missed');
  const first = await startServer({}, dataDir);
  const { key } = await first.newKey();
  const { key: strangersKey } = await first.newKey();
  const api = as(first, key);
  const [deleted, off, early, typo] = [freshCode(), freshCode(), freshCode(), freshCode()];
  const id = await makeLink(api, { customCode: deleted });
  await makeLink(api, { customCode: off, disabled: true });
  const startsAt = new Date(Date.now() + 86_400_000).toISOString();
  await makeLink(api, { customCode: early, startsAt });
  assert.equal((await api.delete(`/api/v1/links/${id}`)).status, 204);
  const day = new Date().toISOString().slice(0, 10);
  await visit(first, deleted.toUpperCase(), 3);
  await visit(first, off, 2);
  await visit(first, off, 3, 'HEAD');
  await visit(first, early, 1);
  await visit(first, typo, 4);
  const secrets = [
    key,
    key.toUpperCase(),
    key.slice(0, -3),
    `x-${key}`,
    ...['lfl', 'lfi', 'lfd', 'lfo'].map((kind) => `${kind}_${'aB3-_'.repeat(8)}xyz`),
    `lfs_${'aB3x'.repeat(8)}`,
    `whsec_${'aB3x'.repeat(10)}abc=`,
    `${'aB3x'.repeat(10)}abc`,
  ];
  for (const secret of secrets) await visit(first, encodeURIComponent(secret), 1);
  assert.equal(await first.stop(), 0, 'shutdown stores visits that no run has stored');

  // Visits to unknown codes count as not found even if the server redirects them.
  const second = await startServer({ UNKNOWN_CODE_REDIRECT: 'https://example.com/lost' }, dataDir, hasty);
  const told = await missedOf(as(second, key));
  assert.ok(told.every(({ lastDay }) => lastDay >= day));
  assert.deepEqual(
    told.map(({ linkId: _, lastDay: __, ...rest }) => rest),
    [
      { shortCode: deleted, domain: '127.0.0.1', reason: 'deleted', visits: 3 },
      { shortCode: off, domain: '127.0.0.1', reason: 'disabled', visits: 2 },
      { shortCode: early, domain: '127.0.0.1', reason: 'not-started', visits: 1 },
    ],
  );
  assert.equal(told[0]?.linkId, id);
  const ofOne = await missedOf(as(second, key), `?link=${told[1]?.linkId}`);
  assert.deepEqual(ofOne, [told[1]], 'of one link');
  assert.deepEqual(await missedOf(as(second, key), '?link=1'), [], 'of no link');
  assert.deepEqual(
    await missedOf(as(second, strangersKey), `?link=${id}`),
    [],
    'of a link of another account',
  );
  await visit(second, deleted, 1);
  const { status, headers } = await ask(second, { path: `/${deleted}`, method: 'GET' });
  assert.deepEqual([status, headers.location], [302, 'https://example.com/lost']);
  assert.equal((await as(second, key).get(`/api/v1/links/by-code/${deleted}`)).status, 404);
  const ofDeleted = async () => (await missedOf(as(second, key), '?days=2&limit=1'))[0]?.visits;
  await until('a run has stored them', async () => (await ofDeleted()) === 5);
  assert.deepEqual(await missedOf(as(second, strangersKey)), [], 'another account sees none');
  for (const query of ['?days=31', '?limit=0'])
    assert.equal((await as(second, key).get(`/api/v1/missed-visits${query}`)).status, 400);

  // The command is run for the first server, which shares its data directory with the second.
  const unknown = JSON.parse(await first.command('codes', 'missed', '--json'));
  assert.deepEqual(
    unknown.map(({ code, visits }: { code: string; visits: number }) => [code, visits]),
    [[typo, 4]],
  );
  await assert.rejects(first.command('codes', 'missed', '--days', '31'), /Specify an integer from 1 to 30/);
  assert.equal(await second.stop(), 0);
});
