import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { ask } from '../support/http/ask.ts';
import { type Api, freshCode, makeLink } from '../support/server/records.ts';
import { as, endServers, type Server, startServer, temporaryFolder } from '../support/server/server.ts';
import { until } from '../support/until.ts';

after(endServers);

const program = [process.execPath, join(import.meta.dirname, '../support/faults/hasty-server.ts')];

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
    assert.ok(status === 404 || status === 410, `${code}: ${status}`);
  }
}

test('visits that lead nowhere are told to the owner of the link, and those of unknown codes to the operator', async () => {
  const server = await startServer({}, temporaryFolder('missed'), program);
  const api = as(server, (await server.newKey()).key);
  const stranger = as(server, (await server.newKey()).key);
  const [deleted, off, early, typo] = [freshCode(), freshCode(), freshCode(), freshCode()];
  const id = await makeLink(api, { customCode: deleted });
  await makeLink(api, { customCode: off, disabled: true });
  const startsAt = new Date(Date.now() + 86_400_000).toISOString();
  await makeLink(api, { customCode: early, startsAt });
  await makeLink(api, { customCode: freshCode() });
  assert.equal((await api.delete(`/api/v1/links/${id}`)).status, 204);

  const day = new Date().toISOString().slice(0, 10);
  await visit(server, deleted.toUpperCase(), 3);
  await visit(server, off, 2);
  await visit(server, off, 3, 'HEAD');
  await visit(server, early, 1);
  await visit(server, typo, 4);
  const sum = async () => (await missedOf(api)).reduce((all, { visits }) => all + visits, 0);
  await until('all are told', async () => (await sum()) === 6);

  const [first, ...others] = await missedOf(api);
  assert.ok(first !== undefined && first.lastDay >= day);
  const { lastDay: _, ...rest } = first;
  assert.deepEqual(rest, { linkId: id, shortCode: deleted, reason: 'deleted', visits: 3 });
  assert.deepEqual(
    others.map(({ shortCode, reason, visits }) => [shortCode, reason, visits]),
    [
      [off, 'disabled', 2],
      [early, 'not-started', 1],
    ],
  );
  assert.deepEqual((await missedOf(api, '?days=2&limit=1')).length, 1);
  assert.deepEqual(await missedOf(stranger), [], 'another account sees none');
  for (const query of ['?days=31', '?limit=0'])
    assert.equal((await api.get(`/api/v1/missed-visits${query}`)).status, 400);

  const unknown = JSON.parse(await server.command('codes', 'missed', '--limit', '1000', '--json'));
  const found = (code: string) => unknown.find((one: { code: string }) => one.code === code)?.visits;
  assert.deepEqual([found(typo), found(deleted)], [4, undefined]);
  await assert.rejects(server.command('codes', 'missed', '--days', '31'), /from 1 to 30/);
  assert.equal(await server.stop(), 0);
});

test('a server that stops stores what it counted, before its first round', async () => {
  const dataDir = temporaryFolder('missed-stop');
  const server = await startServer({}, dataDir);
  const typo = freshCode();
  await visit(server, typo, 3);
  assert.equal(await server.stop(), 0);
  const next = await startServer({}, dataDir);
  const unknown = JSON.parse(await next.command('codes', 'missed', '--json'));
  const [first] = unknown;
  assert.deepEqual([first.code, first.visits], [typo, 3]);
  assert.equal(await next.stop(), 0);
});
