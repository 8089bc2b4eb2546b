// Runs the commands in docs/recipes, and sends the requests that the other programs in the recipes would send.
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { freePort } from '../../support/http/ports.ts';
import { type Api, freshCode, makeLink } from '../../support/server/records.ts';
import { as, type Server, startServer, temporaryFolder } from '../../support/server/server.ts';
import { until } from '../../support/until.ts';

const run = promisify(execFile);
const folder = join(import.meta.dirname, '../../../docs/recipes');
const read = (name: string): string => readFileSync(join(folder, name), 'utf8');
const blocks = (name: string, language: string): string[] =>
  [...read(name).matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(
    ([, inside = '']) => inside,
  );
/** Returns the value at a path such as `data.shortUrl` in a response. */
const at = (answer: unknown, path: string): unknown =>
  path.split('.').reduce((value, name) => (value as Record<string, unknown> | undefined)?.[name], answer);

describe('recipes', () => {
  let server: Server;
  let key: string;
  let api: Api;
  /** Requests received here instead of by the other programs' webhooks. */
  const posts: { readonly path: string; readonly body: { type: string; data: Record<string, unknown> } }[] =
    [];
  const receiver = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    posts.push({ path: request.url ?? '', body: JSON.parse(text) });
    response.writeHead(204).end();
  });
  let hooks: string;
  before(async () => {
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    hooks = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
    server = await startServer({ OUTBOUND_ALLOW: '127.0.0.1', BLOCKED_HOSTS: 'blocked.example' });
    ({ key } = await server.newKey());
    api = as(server, key);
  });
  after(async () => {
    receiver.closeAllConnections();
    receiver.close();
    await server.stop();
  });

  const paste = async (script: string) => {
    const strict = 'curl() { command curl --silent --show-error --fail-with-body --max-time 30 "$@"; }\n';
    const env = { ...process.env, LINKFOLD_URL: server.url, LINKFOLD_API_KEY: key };
    return JSON.parse((await run('bash', ['-euo', 'pipefail', '-c', strict + script], { env })).stdout);
  };
  const send = async (method: string, url: string, headers: Record<string, string>, body: string) => {
    const response = await fetch(url.replace('https://go.example.com', server.url), {
      method,
      headers: { ...headers, ...(headers['Authorization'] && { Authorization: `Bearer ${key}` }) },
      body,
    });
    // biome-ignore lint/suspicious/noExplicitAny: each response has a different shape
    return { status: response.status, json: (await response.json()) as any };
  };
  const pages = readdirSync(folder).filter((name) => name.endsWith('.md'));

  test('lists every recipe', () => {
    for (const name of pages.filter((name) => name !== 'README.md'))
      assert.ok(read('README.md').includes(`](${name})`), name);
  });

  for (const name of pages)
    for (const [place, block] of blocks(name, 'sh').entries())
      test(`${name}: line ${place + 1}`, async () => {
        const path = `/${name}/${place}`;
        const isHook = block.includes('/api/v1/webhooks');
        // The recipe updates a link by its external ID, so the link must exist.
        if (block.includes('-X PUT')) await makeLink(api, { externalId: 'zap-1' });
        const answer = await paste(
          isHook ? block.replace(/"url":"[^"]+"/, `"url":"${hooks}${path}"`) : block,
        );
        assert.deepEqual([answer.success, answer.data.failed ?? 0], [true, 0]);
        if (!isHook) return;
        const { events } = answer.data;
        if (!events.includes('link.created')) return;
        const id = await makeLink(api, { title: 'Told' });
        await until('the program receives the event', () => posts.some((one) => one.path === path));
        const [{ body } = assert.fail()] = posts.filter((one) => one.path === path);
        assert.deepEqual([body.type, body.data['id'], body.data['title']], ['link.created', id, 'Told']);
      });

  test("ShareX sends its file's request and reads URL or error from the response", async () => {
    const file = JSON.parse(read('linkfold.sxcu'));
    assert.deepEqual([file.DestinationType, file.Body], ['URLShortener', 'JSON']);
    const shorten = (input: string) => {
      // ShareX escapes the input as a JSON string.
      const body = file.Data.replace('{input}', () => JSON.stringify(input).slice(1, -1));
      return send(
        file.RequestMethod,
        file.RequestURL,
        { ...file.Headers, 'Content-Type': 'application/json' },
        body,
      );
    };
    const pathOf = (text: string): string => /^\{json:(.+)\}$/.exec(text)?.[1] ?? assert.fail(text);
    const made = await shorten('https://example.com/?q="quoted"');
    assert.equal(made.status, 201);
    const shortUrl = at(made.json, pathOf(file.URL));
    assert.match(String(shortUrl), new RegExp(`^${server.url}/\\w+$`));
    assert.equal(at((await shorten('https://example.com/?q="quoted"')).json, pathOf(file.URL)), shortUrl);
    const refused = await shorten('https://blocked.example/');
    assert.equal(refused.status, 422);
    assert.match(String(at(refused.json, pathOf(file.ErrorMessage))), /blocked\.example/);
  });

  test('n8n nodes send the documented requests, and a retry creates no second link', async () => {
    const [text = ''] = blocks('n8n.md', 'json');
    const { nodes, connections } = JSON.parse(text);
    const [{ name, parameters: request }, { name: next, parameters: set }] = nodes;
    assert.equal(connections[name].main[0][0].node, next);
    const $json = { url: 'https://example.com/n8n', title: 'Über n8n' };
    const of = (expression: string, item: object) =>
      new Function('$json', '$execution', '$itemIndex', `return ${expression}`)(item, { id: 7 }, 0);
    const body = of(request.jsonBody.replace(/^=\{\{|\}\}$/g, ''), $json);
    const headers = Object.fromEntries(
      request.headerParameters.parameters.map(({ name, value }: { name: string; value: string }) => [
        name,
        value.slice(1).replace(/\{\{(.*?)\}\}/g, (_, code) => of(code, $json)),
      ]),
    );
    assert.deepEqual(headers, { 'Idempotency-Key': '7-0' });
    const sent = { ...headers, Authorization: 'Bearer', 'Content-Type': 'application/json' };
    const made = await send(request.method, request.url, sent, body);
    const again = await send(request.method, request.url, sent, body);
    assert.deepEqual([made.status, again.json.data.id], [201, made.json.data.id]);
    const { value } = set.assignments.assignments[0];
    assert.equal(of(value.replace(/^=\{\{|\}\}$/g, ''), made.json), made.json.data.shortUrl);
    const [link] = (await api.get(`/api/v1/links?include=title`)).json.data;
    assert.equal(link.title, 'Über n8n');
  });

  test('Zapier and Shortcuts send the requests in their tables', async () => {
    const cells = (name: string) =>
      new Map(
        [...read(name).matchAll(/^\| (.+?) \| (.+) \|$/gm)].map(([, field = '', value = '']) => [
          field,
          value,
        ]),
      );
    const zap = cells('zapier.md');
    const [, data = ''] = /`(.+?)`/.exec(zap.get('Data') ?? '') ?? [];
    const [, url = ''] = /`(.+?)`/.exec(zap.get('URL') ?? '') ?? [];
    const externalId = freshCode();
    const body = data.replace('zap-1', externalId);
    const headers = { Authorization: 'Bearer', 'Content-Type': 'application/json' };
    assert.equal((await send('POST', url, headers, body)).status, 201);
    const replayed = await send('POST', url, headers, body);
    assert.deepEqual([replayed.status, replayed.json.error.code], [409, 'EXTERNAL_ID_TAKEN']);

    const shortcut = cells('shortcuts.md');
    const [, address = '', method = ''] =
      /`(\S+)`, method \*(\w+)\*/.exec(shortcut.get('Get Contents of URL') ?? '') ?? [];
    const fields = [
      ...(shortcut.get('… Request Body') ?? '').matchAll(/`(\w+)` with (?:\*URLs\*|`(\w+)`)/g),
    ].map(([, field = '', value]) => [field, value ?? 'https://example.com/shared']);
    assert.equal(fields.length, 2);
    const answer = await send(method, address, headers, JSON.stringify(Object.fromEntries(fields)));
    const [, path = ''] = /`(.+?)`/.exec(shortcut.get('Get Dictionary Value') ?? '') ?? [];
    assert.match(String(at(answer.json, path)), new RegExp(`^${server.url}/`));
  });

  test('answers Slack with a short link, and nobody else', async () => {
    const [program = ''] = blocks('slack.md', 'js');
    const file = join(temporaryFolder('slack'), 'slack.mjs');
    writeFileSync(file, program);
    const [port, secret] = [await freePort(), 'signing secret'];
    const env = {
      ...process.env,
      LINKFOLD_URL: server.url,
      LINKFOLD_API_KEY: key,
      SLACK_SIGNING_SECRET: secret,
      PORT: String(port),
    };
    const child = spawn(process.execPath, [file], { env, stdio: ['ignore', 'inherit', 'inherit'] });
    const ask = async (text: string, { by = secret, age = 0 } = {}) => {
      const body = String(new URLSearchParams({ command: '/short', text }));
      const time = Math.floor(Date.now() / 1000) - age;
      const signature = createHmac('sha256', by).update(`v0:${time}:${body}`).digest('hex');
      return fetch(`http://127.0.0.1:${port}/`, {
        method: 'POST',
        headers: { 'x-slack-request-timestamp': String(time), 'x-slack-signature': `v0=${signature}` },
        body,
      });
    };
    try {
      await until('the program listens', () =>
        ask('').then(
          () => true,
          () => false,
        ),
      );
      const code = freshCode();
      const said = async (text: string) => ((await (await ask(text)).json()) as { text: string }).text;
      assert.equal(await said(` https://example.com/slack  ${code} `), `${server.url}/${code}`);
      assert.match(await said(`https://example.com/slack ${code}`), /taken/);
      assert.match(await said(''), /url/);
      assert.equal((await ask('https://example.com/', { by: 'another' })).status, 401);
      assert.equal((await ask('https://example.com/', { age: 400 })).status, 401);
    } finally {
      child.kill();
    }
  });
});
