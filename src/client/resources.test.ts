import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { freshCode } from '../../test/support/server/records.ts';
import { type SharedServer, sharedServer } from '../../test/support/server/shared-server.ts';
import { ApiError, type Client, createClient, type GetLinkInput, type ListedLink } from './client.ts';

describe('the client against a server', () => {
  let server: SharedServer;
  let client: Client;
  before(async () => {
    server = await sharedServer();
    client = createClient({ baseUrl: server.url, apiKey: (await server.newKey()).key });
  });
  const url = 'https://example.com/';

  test('functions are grouped by resource and keep their names', async () => {
    const { links, folders, tags, webhooks } = client;
    const made = await links.create({ url, customCode: freshCode() });
    const folder = await folders.create({ name: 'Grouped' });
    await links.move(made.id, { folderId: folder.id });
    assert.equal((await links.getByCode(made.shortCode)).id, made.id);
    assert.equal((await links.list({ folderId: folder.id })).pagination.total, 1);
    assert.equal((await links.history(made.id)).data.length, 2);
    assert.equal((await links.statistics(made.id)).totals.clicks, 0);
    const all: ListedLink[] = [];
    for await (const link of links.all({ folderId: folder.id })) all.push(link);
    assert.equal(all[0]?.id, made.id);
    const tag = await tags.create({ name: freshCode() });
    assert.equal((await tags.rename(tag.id, { name: freshCode() })).id, tag.id);
    await assert.rejects(webhooks.verify('{}', {}, 'whsec_AAAA'), { code: 'INVALID_SIGNATURE' });
    assert.equal((await webhooks.list()).length, 0);
    await links.delete(made.id);
    assert.equal((await client.restoreLink(made.id)).id, made.id);
    assert.equal(client.folders.list, client.listFolders);
    assert.equal(typeof client.audit, 'function');
  });

  test('links.update changes fields, destination, folder and code', async () => {
    const { id } = await client.shorten({ url, customCode: freshCode() });
    const { id: folderId } = await client.createFolder({ name: 'Updated' });
    const code = freshCode();
    const read = () => client.getLink(id, { include: ['folderId', 'tags', 'revision', 'rules'] });
    const changes = { title: 'Summer', url: `${url}summer`, folderId, tags: ['summer'], code };
    const updated = await client.links.update(id, changes);
    assert.deepEqual(
      [updated.title, updated.destinationUrl, updated.folderId, updated.shortCode],
      ['Summer', `${url}summer`, folderId, code],
    );
    const { title, destinationUrl, tags, shortCode, revision, ...rest } = await read();
    assert.deepEqual([title, destinationUrl, tags, shortCode], ['Summer', `${url}summer`, ['summer'], code]);
    assert.equal(rest.folderId, folderId);

    // Each call requires the revision that the previous call created.
    const back = { title: null, url, folderId: null };
    await client.links.update(id, back, { ifMatch: revision });
    await assert.rejects(client.links.update(id, back, { ifMatch: revision }), { status: 412, done: [] });
    assert.equal((await read()).folderId, null);
    assert.deepEqual((await client.links.update(id, {})).id, id);
  });

  test('links.update stops at the first refusal and reports what was changed', async () => {
    const taken = freshCode();
    await client.shorten({ url, customCode: taken });
    const { id } = await client.shorten({ url, title: 'Before' });
    const cases = [
      [{ code: taken, url: `${url}x` }, 'CUSTOM_CODE_TAKEN', []],
      [{ code: freshCode(), url: 'nonsense', title: 'After' }, 'INVALID_URL', ['code']],
      [{ url: `${url}y`, folderId: 'no-such', title: 'After' }, 'FOLDER_NOT_FOUND', ['url']],
      [{ folderId: null, title: 'x'.repeat(300) }, 'VALIDATION_ERROR', ['folderId']],
    ] as const;
    for (const [changes, code, done] of cases)
      await assert.rejects(client.links.update(id, changes), (error) => {
        assert.ok(error instanceof ApiError);
        assert.deepEqual([error.code, error.done], [code, done]);
        return true;
      });
    assert.equal((await client.getLink(id)).title, 'Before');
    await assert.rejects(client.links.update(id, { domain: 'example.com' }), TypeError);
  });

  test('types the result by its include', async () => {
    const { id } = await client.shorten({ url });
    const link = await client.links.get(id, { include: ['rules', 'status'] });
    const [rules, status]: [readonly unknown[] | null, string] = [link.rules, link.status];
    assert.deepEqual([rules, status], [null, 'active']);
    // @ts-expect-error not included
    assert.equal(link.tags, undefined);
    // @ts-expect-error not included
    assert.equal((await client.links.get(id)).rules, undefined);
    const [listed] = (await client.links.list({ include: ['tags'], limit: 1 })).data;
    const tags: readonly string[] | undefined = listed?.tags;
    assert.deepEqual(tags, []);
    for await (const one of client.allLinks({ include: ['title'] })) {
      const title: string | null = one.title;
      assert.equal(title, null);
      break;
    }
    const [folder] = await client.folders.list({ include: ['clicksByDay'] });
    const clicks: unknown[] | undefined = folder?.clicksByDay;
    assert.ok(clicks === undefined || clicks.length > 0);
    // If the compiler does not know the elements of `include`, the fields remain optional.
    const input: GetLinkInput = { include: ['rules'] };
    const maybe: unknown = (await client.getLink(id, input)).rules ?? null;
    assert.equal(maybe, null);
  });
});
