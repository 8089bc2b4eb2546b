import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import Fastify from 'fastify';
import { until } from '../../../test/support/until.ts';
import { Failure } from '../../model/failures.ts';
import { guardConnections } from '../../server/connections.ts';
import { createExports } from './exports.ts';
import { type MakeRows, readInChunks, type Table } from './table.ts';

/** Creates a table with `count` rows, and counts the rows that the table has produced. */
function tableOf(count: number, { failsAt = Number.POSITIVE_INFINITY } = {}) {
  const produced = { rows: 0, isReturned: false };
  async function* rows(): AsyncGenerator<MakeRows> {
    try {
      for (const make of readInChunks(count, (at) => ({ at, text: `row ${at} ${'x'.repeat(80)}` }))) {
        if (produced.rows >= failsAt) throw new Error('The disk is gone.');
        yield () => {
          const some = make();
          produced.rows += some.length;
          return some;
        };
      }
    } finally {
      produced.isReturned = true;
    }
  }
  const table: Table = { format: 'csv', name: 'rows', columns: ['at', 'text'], rows: rows() };
  return { table, made: produced };
}

function isOverloaded(error: unknown): boolean {
  return error instanceof Failure && error.code === 'OVERLOADED';
}

test('produces rows on demand, with bounded memory for any number', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const exports = createExports();
  const { table, made } = tableOf(100_000);
  const stream = await exports.begin(1, table);
  let read = 0;
  let mostAhead = 0;
  const heaps: number[] = [];
  for await (const chunk of stream) {
    for (const byte of chunk as Buffer) if (byte === 0x0a) read += 1;
    mostAhead = Math.max(mostAhead, made.rows - read);
    if (read >= 20_000 * (heaps.length + 1)) {
      collect();
      heaps.push(process.memoryUsage().heapUsed + process.memoryUsage().arrayBuffers);
    }
  }
  assert.equal(read, 100_001, 'the names too');
  assert.ok(mostAhead < 2_000, `${mostAhead} rows were prepared in advance`);
  const growth = Math.max(...heaps.slice(1)) - (heaps[0] ?? 0);
  assert.ok(heaps.length === 5 && growth < 8 * 2 ** 20, `memory grew by ${growth} bytes`);
});

test('throws a failure before the first row; cuts the connection for a later one', async (t) => {
  const exports = createExports();
  await assert.rejects(exports.begin(1, tableOf(10, { failsAt: 0 }).table), /The disk is gone/);
  const fastify = Fastify();
  fastify.get('/', () => exports.begin(1, tableOf(1_000_000, { failsAt: 2_000 }).table));
  fastify.get('/whole', () => exports.begin(1, tableOf(1_000).table));
  const url = await fastify.listen({ port: 0, host: '127.0.0.1' });
  t.after(() => fastify.close());
  assert.equal((await (await fetch(`${url}/whole`)).text()).split('\r\n').length, 1_002);
  const cut = await fetch(url);
  assert.equal(cut.status, 200);
  await assert.rejects(cut.text(), 'a short file looks whole');
});

test('aborts the export of a stalled or disconnected reader', async (t) => {
  const exports = createExports();
  const fastify = Fastify();
  const tables = [tableOf(1_000_000), tableOf(1_000_000)];
  fastify.get('/:which', (request) => {
    const { which } = request.params as { which: string };
    return exports.begin(1, (tables[Number(which)] ?? tableOf(1)).table);
  });
  let now = 0;
  const connections = guardConnections(fastify.server, { max: 10, clock: () => now });
  const { port } = new URL(await fastify.listen({ port: 0, host: '127.0.0.1' }));
  t.after(() => fastify.close());

  const idle = connect(Number(port), '127.0.0.1').pause();
  idle.write('GET /0 HTTP/1.1\r\nHost: a\r\n\r\n');
  await until('the server gives up', async () => {
    connections.check();
    now += 31_000;
    return tables[0]?.made.isReturned === true;
  });
  assert.ok((tables[0]?.made.rows ?? 0) < 500_000, 'rows are prepared without a reader');
  assert.equal(connections.stats().slowReaders, 1);
  idle.destroy();

  const gone = connect(Number(port), '127.0.0.1');
  gone.write('GET /1 HTTP/1.1\r\nHost: a\r\n\r\n');
  await once(gone, 'data');
  gone.destroy();
  await until('the other one has ended', async () => tables[1]?.made.isReturned === true);
});

test('runs four exports per account and sixteen per process at a time', async () => {
  const exports = createExports();
  const begin = (account: number) => exports.begin(account, tableOf(100_000).table);
  const own = await Promise.all([1, 1, 1, 1].map(begin));
  await assert.rejects(begin(1), isOverloaded);
  const others = await Promise.all([2, 3, 4].flatMap((account) => Array(4).fill(account)).map(begin));
  await assert.rejects(begin(5), isOverloaded);
  own[0]?.destroy();
  others[0]?.destroy();
  await new Promise((resolve) => setImmediate(resolve));
  const [again, another] = [await begin(1), await begin(5)];
  for (const stream of [...own, ...others, again, another]) stream.on('error', () => {});
  exports.end();
  assert.ok([again, another, ...own, ...others].every(({ destroyed }) => destroyed));
  await assert.rejects(begin(1), (error: Failure) => error.code === 'SHUTTING_DOWN');
});

test('quotes cells as in RFC 4180 and starts none like a formula', async () => {
  async function* rows(): AsyncGenerator<MakeRows> {
    yield () => [
      { a: '=1', b: '+1', c: '-1', d: '@a', e: '\ta', f: '\ra' },
      { a: 'a,b', b: 'say "a"', c: 'a\nb', d: ' =1', e: '', f: null },
      { a: '\uff1d1', b: '\uff0b1', c: '\uff0d1', d: '\uff20a', e: '\u22121', f: '\ufe661' },
      { a: 'semi;=1+1', b: 'tab\t=1', c: '\n=1', d: "'=1", e: '\u207a1', f: 'a=1' },
      { a: -1, b: true, c: ['x', 'y'], d: [{ x: 1 }], e: ['=x'], f: undefined },
    ];
  }
  const columns = ['a', 'b', 'c', 'd', 'e', 'f'];
  const textOf = async (format: Table['format']): Promise<string> => {
    const stream = await createExports().begin(1, { format, name: 'cells', columns, rows: rows() });
    return Buffer.concat(await stream.toArray()).toString();
  };
  assert.equal(
    await textOf('csv'),
    [
      'a,b,c,d,e,f',
      `'=1,'+1,'-1,'@a,"'\ta","'\ra"`,
      '"a,b","say ""a""","a\nb", =1,,',
      "'\uff1d1,'\uff0b1,'\uff0d1,'\uff20a,'\u22121,'\ufe661",
      `"semi;=1+1","tab\t=1","'\n=1",'=1,'\u207a1,a=1`,
      `-1,true,"x,y","[{""x"":1}]",'=x,`,
      '',
    ].join('\r\n'),
  );
  const [first = ''] = (await textOf('ndjson')).split('\n');
  assert.deepEqual(JSON.parse(first), { a: '=1', b: '+1', c: '-1', d: '@a', e: '\ta', f: '\ra' });
});
