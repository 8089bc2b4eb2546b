import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { freshCode } from '../../support/server/records.ts';
import { as, type Service, startServer } from '../../support/server/server.ts';
import { sharedServer } from '../../support/server/shared-server.ts';

type Refused = { readonly error: { readonly code: number } };
type Said = {
  readonly isError?: boolean;
  readonly content: readonly { type: string; text?: string; data?: string; mimeType?: string }[];
};

describe('assistants at /mcp', () => {
  let server: Service;
  let key: string;
  const open: Client[] = [];
  before(async () => {
    server = await sharedServer();
    key = (await server.newKey()).key;
  });
  after(async () => {
    for (const client of open) await client.close();
  });

  const assistant = async (token: string, mode: 'legacy' | 'auto' = 'legacy') => {
    const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
    const requestInit = { headers: { authorization: `Bearer ${token}` } };
    await client.connect(new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), { requestInit }));
    open.push(client);
    const ask = async (name: string, given: Record<string, unknown> = {}) => {
      const said = (await client.callTool({ name, arguments: given })) as unknown as Said;
      return {
        said,
        data: said.content[0]?.text === undefined ? undefined : JSON.parse(said.content[0].text),
      };
    };
    return { client, ask };
  };
  const post = (body: unknown, headers: Record<string, string> = {}) =>
    fetch(`${server.url}/mcp`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...headers,
      },
      body: JSON.stringify(body),
    });

  test('works with the official client in both protocol modes: creates, changes and deletes links', async () => {
    for (const mode of ['legacy', 'auto'] as const) {
      const { client, ask } = await assistant(key, mode);
      assert.equal(client.getServerVersion()?.name, 'linkfold');
      await client.ping().catch((error) => assert.equal(mode, 'auto', error));
      const code = freshCode();
      const made = await ask('shorten_url', {
        url: 'https://example.com/a',
        customCode: code,
        title: 'Fair',
      });
      const { id } = made.data.data;
      assert.equal(made.data.data.shortUrl, `${server.url}/${code}`);
      const found = await ask('find_links', { search: code, limit: 5 });
      assert.deepEqual([found.data.data[0].id, found.data.data[0].title], [id, 'Fair']);
      await ask('update_link', { id, title: 'Autumn fair', tags: ['fairs'] });
      await ask('repoint_link', { id, url: 'https://example.com/b' });
      const read = (await ask('get_link', { id })).data.data;
      assert.deepEqual(
        [read.title, read.tags, read.destinationUrl],
        ['Autumn fair', ['fairs'], 'https://example.com/b'],
      );
      const folderId = (await as(server, key).post('/api/v1/folders', { name: 'Fairs' })).json.folder.id;
      const everything = {
        title: 'Winter fair',
        url: 'https://example.com/c',
        folderId,
        customCode: `${code}-winter`,
      };
      assert.equal((await ask('update_link', { id, ...everything })).said.content.length, 4);
      const changed = (await ask('get_link', { id })).data.data;
      assert.deepEqual(
        [changed.title, changed.destinationUrl, changed.folderId, changed.shortCode],
        Object.values(everything),
      );
      const stopped = await ask('update_link', { id, title: 'Fair', url: 'nonsense', folderId: null });
      assert.deepEqual(
        [stopped.said.isError, stopped.data.code, stopped.data.done],
        [true, 'INVALID_URL', ['title']],
      );
      const unknown = await ask('update_link', { id, titel: 'Fair', url: 'https://example.com/d' });
      assert.deepEqual([unknown.data.code, unknown.data.done], ['VALIDATION_ERROR', undefined]);
      await ask('update_link', { id, url: 'https://example.com/b', customCode: code });
      assert.equal((await ask('get_link_by_code', { code: code.toUpperCase() })).data.data.id, id);
      const tried = await ask('simulate_visit', { id, visit: { os: 'ios' } });
      assert.equal(tried.data.data.location, 'https://example.com/b');
      assert.equal((await ask('disable_link', { id, disabled: false })).said.isError, undefined);
      assert.equal((await fetch(`${server.url}/${code}`, { redirect: 'manual' })).status, 410);
      assert.equal((await ask('link_statistics', { id, groupBy: 'country' })).data.data.totals.clicks, 0);
      assert.ok((await ask('account_statistics', {})).data.data.totals);
      assert.ok((await ask('list_folders')).data.folders);
      assert.ok((await ask('list_tags')).data.data.some(({ name }: { name: string }) => name === 'fairs'));
      const [picture] = (await ask('draw_qr_code', { id, size: 256 })).said.content;
      assert.equal(picture?.mimeType, 'image/png');
      assert.equal(Buffer.from(picture?.data ?? '', 'base64').toString('latin1', 1, 4), 'PNG');
    }
  });

  test('shows and runs tools by the scopes of the key; none deletes; every schema is self-contained', async () => {
    const names = async (scopes: string) => {
      const reader = await server.newKey({ scopes });
      const one = await assistant(reader.key);
      const { tools } = await one.client.listTools();
      return { ...one, tools, names: tools.map(({ name }) => name) };
    };
    const reader = await names('links:read');
    const writers = ['shorten_url', 'update_link', 'repoint_link', 'disable_link', 'move_link'];
    assert.deepEqual(
      [...writers, 'link_statistics'].filter((name) => reader.names.includes(name)),
      [],
    );
    assert.ok(reader.names.includes('find_links'));
    assert.ok(reader.tools.every(({ annotations }) => annotations?.readOnlyHint === true));
    const refused = await reader.ask('shorten_url', { url: 'https://example.com/' });
    assert.deepEqual([refused.said.isError, refused.data.code], [true, 'INSUFFICIENT_SCOPE']);
    const writer = await names('links:read,links:write,analytics:read');
    assert.equal(writer.names.filter((name) => writers.includes(name)).length, writers.length);
    assert.ok(writer.names.every((name) => !/delete|remove/.test(name)));
    for (const { name, inputSchema, description } of writer.tools) {
      assert.equal(inputSchema.type, 'object', name);
      assert.ok(!JSON.stringify(inputSchema).includes('#/components'), name);
      assert.ok((description ?? '').length > 20, name);
    }
  });

  test('returns errors as tool results with code, field and fix', async () => {
    const { ask } = await assistant(key);
    const stranger = (
      await as(server, (await server.newKey()).key).post('/api/v1/shorten', {
        url: 'https://example.com/',
      })
    ).json.data.id;
    for (const [tool, given, code, said] of [
      ['shorten_url', {}, 'VALIDATION_ERROR', /url is required/],
      ['shorten_url', { url: 'ftp://example.com/' }, 'INVALID_URL', /http/],
      ['shorten_url', { url: 'https://example.com/', customcode: 'x' }, 'VALIDATION_ERROR', /customCode/],
      ['find_links', { limit: 5000 }, 'VALIDATION_ERROR', /between 1 and 100/],
      ['find_links', { serch: 'a' }, 'VALIDATION_ERROR', /search/],
      ['get_link', { id: stranger }, 'LINK_NOT_FOUND', /./],
      ['update_link', { id: stranger, title: 'mine' }, 'LINK_NOT_FOUND', /./],
      ['get_link', {}, 'VALIDATION_ERROR', /id is required/],
    ] as const) {
      const answer = await ask(tool, given);
      assert.deepEqual(
        [answer.said.isError, answer.data.code],
        [true, code],
        `${tool} ${JSON.stringify(given)}`,
      );
      assert.match(answer.data.message, said);
      assert.match(answer.data.docs, /^\/api\/v1\/errors#/);
    }
  });

  test('enforces keys, limits and the protocol', async () => {
    const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
    assert.deepEqual(await (await post(ping)).json(), { jsonrpc: '2.0', id: 1, result: {} });
    const anonymous = await post(ping, { authorization: '' });
    assert.equal(anonymous.status, 401);
    assert.match(anonymous.headers.get('www-authenticate') ?? '', /^Bearer/);
    assert.equal((await post(ping, { 'sec-fetch-site': 'cross-site' })).status, 403);
    assert.equal((await post({ jsonrpc: '2.0', method: 'notifications/initialized' })).status, 202);
    for (const [body, status, code] of [
      [{ jsonrpc: '2.0', id: 1, method: 'resources/list' }, 200, -32601],
      [{ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'delete_link' } }, 200, -32602],
      [
        { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'list_tags', arguments: 1 } },
        200,
        -32602,
      ],
      [{ id: 1, method: 'ping' }, 400, -32600],
      [{ jsonrpc: '2.0', id: {}, method: 'ping' }, 400, -32600],
    ] as const) {
      const answer = await post(body);
      assert.deepEqual(
        [answer.status, ((await answer.json()) as Refused).error.code],
        [status, code],
        JSON.stringify(body),
      );
    }
    const old = await post(ping, { 'mcp-protocol-version': '1999-01-01' });
    assert.deepEqual([old.status, ((await old.json()) as Refused).error.code], [400, -32022]);
    assert.equal((await post([ping])).status, 400);
    assert.equal((await post({ ...ping, params: { x: 'y'.repeat(70_000) } })).status, 413);
    assert.equal((await post(ping, { 'content-type': 'text/plain' })).status, 415);
    const stream = { headers: { accept: 'text/event-stream' } };
    const listening = await fetch(`${server.url}/mcp`, stream);
    assert.deepEqual([listening.status, listening.headers.get('allow')], [405, 'POST']);
    // A plain GET request is a visit to the unknown code `mcp`.
    assert.equal((await fetch(`${server.url}/mcp`)).status, 404);
  });

  test('can be disabled by the operator', async () => {
    const off = await startServer({ MCP: '0' });
    const answer = await fetch(`${off.url}/mcp`, { method: 'POST' });
    assert.equal(answer.status, 405);
    await off.stop();
  });
});
