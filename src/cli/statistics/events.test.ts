import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { run } from '../../../test/support/server/command-line.ts';
import { makeLink } from '../../../test/support/server/records.ts';
import { as, call, startServer } from '../../../test/support/server/server.ts';
import { type SharedServer, sharedServer } from '../../../test/support/server/shared-server.ts';
import { until } from '../../../test/support/until.ts';

describe('linkfold events', () => {
  let server: SharedServer;
  let key: string;
  let env: Record<string, string>;
  before(async () => {
    server = await sharedServer();
    key = (await server.newKey()).key;
    env = { LINKFOLD_URL: server.url, LINKFOLD_API_KEY: key };
  });

  /** Repeats work that causes events until a command has received enough events. */
  const whileSeen = async (work: () => Promise<unknown>, seen: Promise<unknown>): Promise<void> => {
    let isOver = false;
    const over = seen.finally(() => {
      isOver = true;
    });
    while (!isOver) await Promise.race([over, work().then(() => new Promise((go) => setTimeout(go, 200)))]);
  };

  test('prints a line per event, or JSON with an ID for resuming', async () => {
    const api = as(server, key);
    await makeLink(api, { customCode: 'ev-1' });
    const click = () =>
      call(server, 'GET', '/ev-1', {
        headers: { 'user-agent': 'curl/8.0', referer: 'https://a.example/' },
      });
    const lines = run(['events', 'ev-1', '--types', 'click', '--count', '2'], { env });
    await whileSeen(click, lines);
    const { code, out, err } = await lines;
    assert.deepEqual([code, err], [0, '']);
    assert.match(
      out,
      /^(?:\d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ {2}click {10}ev-1 {10}bot {2}.*from a\.example\n){2}$/,
    );

    const first = run(['events', '--json', '--count', '1'], { env });
    await whileSeen(click, first);
    const event = JSON.parse((await first).out);
    assert.deepEqual([event.type, event.shortCode, event.class], ['click', 'ev-1', 'bot']);
    await makeLink(api, { customCode: 'after-it' });
    const rest = await run(['events', '--types', 'link.created', '--count', '1', '--after', event.id], {
      env,
    });
    assert.match(rest.out, /^\S+ \S+ {2}link\.created {3}after-it\n$/);
  });

  test('rejects invalid options', async () => {
    for (const [args, exit, said] of [
      [['--types', 'clicks'], 1, /types|clicks/],
      [['--count', '0'], 2, /--count must be at least 1/],
      [['no-such-link'], 1, /Link not found/],
    ] as const) {
      const ended = await run(['events', ...args], { env });
      assert.equal(ended.code, exit, ended.err);
      assert.match(ended.err, said);
    }
  });

  test('ends when the connection is lost, and reconnects with --follow', async () => {
    const brief = await startServer();
    const { key: own } = await brief.newKey();
    const ownEnv = { LINKFOLD_URL: brief.url, LINKFOLD_API_KEY: own };
    const once = run(['events'], { env: ownEnv });
    const follows = run(['events', '--follow', '--count', '1'], { env: ownEnv });
    const answered = () => brief.output().split('/api/v1/events').length - 1;
    await until('both follow', () => answered() === 2);
    await brief.stop();
    const { code, err } = await once;
    assert.equal(code, 3, err);
    const again = await startServer({ PORT: String(brief.port) }, brief.dataDir);
    await whileSeen(() => makeLink(as(again, own)), follows);
    const ended = await follows;
    assert.equal(ended.code, 0, ended.err);
    // The first attempts to connect may fail, because the server is still starting.
    assert.match(
      ended.err,
      /^The server closed the stream: .* Trying again in \d+ s\.\n(?:.+ Trying again in \d+ s\.\n)*Connected again\.\n$/,
    );
    assert.match(ended.out, /link\.created/);
    await again.stop();
  });
});
