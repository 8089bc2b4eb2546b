import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, beforeEach, describe, test } from 'node:test';
import {
  bare,
  dir,
  faultIn,
  good,
  linkfold,
  type OddServer,
  run,
  startOddServer,
} from '../../../test/support/server/command-line.ts';

type Row = Record<string, string>;
type Result = Record<'link' | 'error', object | null>;

function made(row: Row): Result {
  const link = { id: 'i', shortUrl: `http://h/${row['url']?.slice(-3)}`, destinationUrl: row['url'] };
  return { link, error: null };
}
/** Returns the fake response to a bulk request. */
function answered(body: string, resultOf: (row: Row) => Result): [number, object] {
  const results = JSON.parse(body).links.map(resultOf);
  return [200, { success: true, data: { results } }];
}
function refusal(code: string, more = {}) {
  return {
    success: false,
    error: { code, message: `${code}.`, ...more, requestId: 'r' },
  };
}

function refused(code: string, more = {}): Result {
  return { link: null, error: { code, field: null, message: `${code}.`, ...more } };
}

describe('links shorten --file', () => {
  let odd: OddServer;
  before(async () => {
    odd = await startOddServer();
  });
  beforeEach(() => {
    odd.asked = [];
    odd.answer = (body) => answered(body, made);
  });
  after(() => odd.close());

  const shorten = (input: string | Uint8Array, ...args: string[]) =>
    run(['shorten', '--file', '-', ...args], { env: odd.env, input });
  /** Returns the links in requests to the server, in file order. */
  const drafts = (): Row[] => odd.asked.flatMap(({ body }) => JSON.parse(body).links);
  const objectsIn = (out: string) =>
    out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));

  test('reports results in order and failures with their lines; skips comments', async () => {
    odd.answer = (body) =>
      answered(body, (row) => (row['url'] === 'bad' ? refused('INVALID_URL') : made(row)));
    const input =
      '\ufeff# list\n\nhttps://e.com/001\nbad\nhttps://e.com/002\tmine\r\n{"url":"https://e.com/003"}\n{oops\n';
    const { code, out, err } = await run(['shorten', '--file', '-', '--title', 'T'], {
      env: odd.env,
      input,
    });
    assert.equal(code, 1);
    assert.equal(
      out,
      'http://h/001\thttps://e.com/001\nhttp://h/002\thttps://e.com/002\nhttp://h/003\thttps://e.com/003\n',
    );
    assert.match(err, /^line 4: INVALID_URL\. .*\nline 7: .*\nerror: 3 rows done, 2 rejected\.\n$/);
    assert.ok(drafts().some(({ customCode, title }) => customCode === 'mine' && title === 'T'));
    assert.equal(odd.asked.length, 1);
    const lines = (await run(['shorten', '--file', '-', '--json'], { env: odd.env, input })).out
      .trim()
      .split('\n');
    assert.deepEqual(
      lines.map((line) => JSON.parse(line).line),
      [3, 4, 5, 6, 7],
    );
  });

  test('with --json, reports code and field of a failed line separately from the message', async () => {
    odd.answer = (body) =>
      answered(body, () => refused('INVALID_URL', { field: 'url', message: 'url is bad.' }));
    const ended = await shorten('https://e.com/001\na,b\n', '--json');
    const [first, second] = objectsIn(ended.out);
    assert.deepEqual(first, {
      line: 1,
      error: { code: 'INVALID_URL', field: 'url', message: 'url is bad.' },
    });
    assert.deepEqual([second.line, second.error.code], [2, 'INVALID_LINE']);
    assert.equal(ended.code, 1);
    assert.deepEqual(faultIn(ended), { code: 'REFUSED', message: '0 rows done, 2 rejected.' });
    assert.equal(ended.err.trim().split('\n').length, 1, 'nothing but the failure');
  });

  test('parses CSV: header, quotes, line ends, byte-order mark, delimiters', async () => {
    const rows = [
      '\ufeffurl,customCode,title,description',
      'https://e.com/001,one1,First,',
      '# a comment',
      '"https://e.com/002,a", two2 ,"He said ""hi"", twice","line 1\r\n\r\nline 3"',
      '',
      ' https://e.com/003 ,,, kept ',
    ];
    for (const end of ['\n', '\r\n']) {
      odd.asked = [];
      const { code, out, err } = await shorten(rows.join(end), '--folder', 'none');
      assert.deepEqual([code, err], [0, '']);
      assert.equal(
        out,
        'http://h/001\thttps://e.com/001\nhttp://h/2,a\thttps://e.com/002,a\nhttp://h/003\thttps://e.com/003\n',
      );
      const common = { folderId: null };
      assert.deepEqual(drafts(), [
        { ...common, url: 'https://e.com/001', customCode: 'one1', title: 'First' },
        {
          ...common,
          url: 'https://e.com/002,a',
          customCode: 'two2',
          title: 'He said "hi", twice',
          description: 'line 1\n\nline 3',
        },
        { ...common, url: 'https://e.com/003', description: ' kept ' },
      ]);
    }
    for (const delimiter of [';', '\t']) {
      odd.asked = [];
      const cells = [
        ['Title', '"URL"', 'CUSTOMCODE'],
        ['a,b', 'https://e.com/1,2', 'abc'],
      ];
      const { code, err } = await shorten(cells.map((row) => row.join(delimiter)).join('\n'));
      assert.deepEqual([code, err], [0, '']);
      assert.deepEqual(drafts(), [{ title: 'a,b', url: 'https://e.com/1,2', customCode: 'abc' }]);
    }
  });

  test('fails only an invalid CSV row, with the line where it starts', async () => {
    const bytes = Buffer.concat([
      Buffer.from(
        'url,title\r\nhttps://e.com/001,"two\r\nlines"\r\nhttps://e.com/002\r\n\r\nhttps://e.com/003,caf',
      ),
      Buffer.from([0xe9]),
      Buffer.from('\r\nhttps://e.com/004,a,b\r\nhttps://e.com/005,last'),
    ]);
    const { code, out, err } = await shorten(bytes);
    assert.equal(code, 1);
    assert.equal(out, 'http://h/001\thttps://e.com/001\nhttp://h/005\thttps://e.com/005\n');
    assert.equal(
      err,
      'line 4: This row has 1 cells, but the header has 2 columns.\n' +
        'line 6: This line is not valid UTF-8 and was skipped.\n' +
        'line 7: This row has 3 cells, but the header has 2 columns.\n' +
        'error: 2 rows done, 3 rejected.\n',
    );
    assert.equal(drafts().length, 2);
  });

  test('creates nothing from malformed CSV, and names the line', async () => {
    const wrong: [string, RegExp][] = [
      [
        'url,labels\nhttps://e.com/1,a\n',
        /line 1: unknown column "labels"\. Columns: url, customCode, .*Nothing/,
      ],
      ['# made by us\nurl,title,TITLE\n', /line 2: the column title appears twice/],
      [
        'url,title\nhttps://e.com/1,"a\nb"\n\nhttps://e.com/2,"open\nhttps://e.com/3,c\n',
        /line 5: a quote is misplaced or not closed/,
      ],
      ['url,title\nhttps://e.com/1,a"b\n', /line 2: a quote is misplaced/],
      ['url,title\nhttps://e.com/1,"a"b\n', /line 2: a quote is misplaced/],
    ];
    for (const [input, message] of wrong) {
      const { code, out, err } = await shorten(input);
      assert.deepEqual([code, out], [2, ''], input);
      assert.match(err, message);
    }
    assert.match(
      (await shorten('title\na\n', '--format', 'csv')).err,
      /line 1: .*header with the column url/,
    );
    assert.match((await shorten(Buffer.from('\ufeffhttps://e.com/', 'utf16le'))).err, /UTF-16/);
    assert.deepEqual(odd.asked, []);
  });

  test('rejects a line that may be CSV without a header, unless --format lines is given', async () => {
    const input =
      'https://e.com/1,one1,First\nhttps://e.com/2;two\nhttps://e.com/3\tcode\tTitle\nhttps://e.com/004\n';
    const { code, out, err } = await shorten(input);
    assert.deepEqual([code, out], [1, 'http://h/004\thttps://e.com/004\n']);
    assert.match(
      err,
      /^line 1: This line contains ","\. If the file is CSV, .*--format lines\.\nline 2: This line contains ";"/,
    );
    assert.match(
      err,
      /\nline 3: This line has more than a URL and a code\..*\nerror: 1 row done, 3 rejected/,
    );
    const lines = input.split('\n').slice(0, 2).join('\n');
    assert.equal((await shorten(lines, '--format', 'lines')).code, 0);
    assert.deepEqual(
      drafts().map(({ url }) => url),
      ['https://e.com/004', 'https://e.com/1,one1,First', 'https://e.com/2;two'],
    );
  });

  test('creates nothing from input that is not UTF-8: a line of a file, an argument', async () => {
    const bytes = Buffer.concat([
      Buffer.from('https://e.com/001\nhttps://e.com/caf'),
      Buffer.from([0xe9, 0x0a]),
      Buffer.from('{"url":"https://e.com/'),
      Buffer.from([0xc3, 0x28]),
      Buffer.from('"}\nhttps://e.com/ü\n'),
    ]);
    const { code, err } = await shorten(bytes);
    assert.equal(code, 1);
    assert.match(
      err,
      /^line 2: This line is not valid UTF-8 .*\nline 3: This line is not valid UTF-8 .*\nerror: 2 rows/,
    );
    assert.deepEqual(
      drafts().map(({ url }) => url),
      ['https://e.com/001', 'https://e.com/ü'],
    );

    odd.asked = [];
    const child = spawn(
      '/bin/sh',
      ['-c', `${linkfold} links shorten https://e.com/ --title "$(printf 'caf\\351')"`],
      { env: { ...bare, ...odd.env } as NodeJS.ProcessEnv, stdio: ['ignore', 'ignore', 'pipe'] },
    );
    let said = '';
    child.stderr.on('data', (text) => (said += text));
    assert.deepEqual(await once(child, 'close'), [2, null]);
    assert.match(said, /^error: Argument 5, "caf\ufffd", is not valid UTF-8/);
    assert.deepEqual(odd.asked, []);
  });

  test('rejects a JSON line with an unknown field', async () => {
    assert.equal((await shorten('{"title":"the,url,column","url":"https://e.com/0"}\n')).code, 0);
    odd.asked = [];
    const { code, err } = await shorten('{"url":"https://e.com/1","code":"x"}\n[1]\n');
    assert.equal(code, 1);
    assert.match(err, /^line 1: Unknown field "code"\. Fields: url, customCode, /);
    assert.equal(drafts().length, 1, 'the second is a URL for the server to validate');
  });

  test('stops after a failed request and says how to continue', async () => {
    odd.answer = () => [401, refusal('INVALID_API_KEY')];
    const input = 'https://e.com/\n'.repeat(3_000);
    const { code, err } = await shorten(input);
    assert.equal(code, 1);
    assert.match(
      err,
      /^error: INVALID_API_KEY\. .*\nerror: 0 rows done, 0 rejected up to line 1; run again with --batch \w+ to continue\.\n$/,
    );
    assert.ok(odd.asked.length <= 2);
    const { message, ...fault } = faultIn(await shorten(input, '--json'));
    assert.deepEqual(fault, { code: 'INVALID_API_KEY', status: 401, requestId: 'r' });
    assert.match(message, /^INVALID_API_KEY\. 0 rows done, 0 rejected up to line 1; run again with --batch/);
  });

  test('waits for the running request on interrupt and prints its result', async () => {
    const running = spawn(linkfold, ['shorten', '--file', '-'], {
      env: { ...bare, ...odd.env } as NodeJS.ProcessEnv,
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    odd.answer = (body) => {
      if (odd.asked.length === 3) running.kill('SIGINT');
      return answered(body, made);
    };
    let out = '';
    running.stdout.on('data', (text) => {
      out += text;
    });
    running.stdin.on('error', () => {}); // the command exits without reading the rest
    running.stdin.end('https://e.com/001\n'.repeat(20_000));
    const [code] = await once(running, 'close');
    assert.equal(code, 130);
    assert.equal(out.split('\n').length - 1, drafts().length);
    assert.ok(drafts().length < 20_000);
  });

  test('creates no more links when the reader of the results exits, and reports the outcome of each', async () => {
    const file = join(dir, 'many.txt');
    const rows = 50_000;
    writeFileSync(file, Array.from({ length: rows }, (_, at) => `https://e.com/${at}\n`).join(''));
    for (const flags of ['', '--json']) {
      odd.asked = [];
      const child = spawn(
        '/bin/sh',
        ['-c', `{ ${linkfold} links shorten --file ${file} ${flags}; echo "exit $?" >&2; } | head -1`],
        { env: { ...bare, ...odd.env } as NodeJS.ProcessEnv, stdio: ['ignore', 'pipe', 'pipe'] },
      );
      let [out, err] = ['', ''];
      child.stdout.on('data', (text) => (out += text));
      child.stderr.on('data', (text) => (err += text));
      await once(child, 'close');
      assert.match(err, /\nexit 1\n$/);
      const [, done = '', line = ''] =
        /was closed: ([\d,]+) rows done, 0 rejected up to line (\d+); run again/.exec(err) ?? [];
      assert.equal(Number(done.replace(',', '')), drafts().length);
      assert.equal(Number(line), drafts().length);
      assert.ok(drafts().length < rows, done);
      // Results written before the reader exited went to the pipe. The rest are printed to standard error.
      assert.equal(out.trim().split('\n').length, 1);
      const unread = flags === '' ? /^skipped: http:\/\/h\/.*\thttps:/gm : /^\{"line":\d+,"id"/gm;
      assert.ok((err.match(unread) ?? []).length > 0);
      assert.ok(err.includes(`https://e.com/${Number(line) - 1}\n`) || flags !== '', 'the last one too');
    }
  });

  test('sends no request for an empty file', async () => {
    assert.deepEqual(await shorten('\n# nothing\n\n'), { code: 0, out: '', err: '' });
    assert.deepEqual(await shorten('url,title\n'), { code: 0, out: '', err: '' });
    assert.equal(await good(['shorten', '--file', '-'], { env: odd.env }), '');
    assert.deepEqual(odd.asked, []);
  });

  test('names options in messages and suggests a missing scheme', async () => {
    const problem = (field: string, text: string) => ({ field, reason: 'x', message: `${field} ${text}` });
    const shortenOne = async (url: string, code: string, ...details: object[]) => {
      odd.answer = () => [400, refusal(code, { details })];
      return run(['shorten', url], { env: odd.env });
    };
    const bad = [
      problem('customCode', 'is too short.'),
      problem('expiresAt', 'is in the past.'),
      problem('url', 'is odd.'),
    ];
    const several = await shortenOne('https://e.com/', 'VALIDATION_ERROR', ...bad);
    assert.equal(
      several.err,
      'error: --code is too short. --expires is in the past. The URL is odd. (VALIDATION_ERROR, request r)\n',
    );
    const meant: [string, string | undefined][] = [
      ['example.com', 'https://example.com'],
      ['//example.com/a?b', 'https://example.com/a?b'],
      ['bücher.example:8080/x', 'https://bücher.example:8080/x'],
      ['localhost:3000', 'http://localhost:3000'],
      ['word', undefined],
      ['ftp://example.com', undefined],
      ['mailto:me@example.com', undefined],
      ['example.com and more', undefined],
    ];
    for (const [url, expected] of meant) {
      const { code, err } = await shortenOne(url, 'INVALID_URL', problem('url', 'is not one.'));
      assert.equal(code, 1);
      const hint = expected === undefined ? '' : ` Did you mean "${expected}"?`;
      assert.equal(err, `error: The URL is not one.${hint} (INVALID_URL, request r)\n`);
      odd.answer = (body) =>
        answered(body, () => refused('INVALID_URL', { field: 'url', message: 'url is not one.' }));
      const inFile = await shorten(`${url}\n`);
      assert.ok(inFile.err.startsWith(`line 1: The URL is not one.${hint} (`), inFile.err);
    }
    const said = { message: 'Taken. Choose another customCode.' };
    odd.answer = (body, url) =>
      url.endsWith('/bulk')
        ? answered(body, () => refused('CUSTOM_CODE_TAKEN', said))
        : [409, refusal('CUSTOM_CODE_TAKEN', said)];
    const taken = async (input: string) => (await shorten(input)).err.split('\n')[0];
    assert.match((await run(['shorten', 'https://e.com/'], { env: odd.env })).err, /another --code\./);
    assert.match((await taken('https://e.com/1\tcode\n')) ?? '', /Choose another code\./);
    assert.match((await taken('{"url":"https://e.com/1"}\n')) ?? '', /Choose another customCode\./);
    assert.match((await taken('url,customCode\nhttps://e.com/1,abc\n')) ?? '', /Choose another customCode\./);
  });
});

describe('another server', () => {
  let odd: OddServer;
  before(async () => {
    odd = await startOddServer();
  });
  after(() => odd.close());

  test('prints no escape sequences from remote text', async () => {
    const evil = '\u001b[31mred\u001b]0;title\u0007\u009b2J\nnext\u202e';
    odd.answer = () => [
      200,
      { success: true, folders: [{ id: 'i', name: evil, linkCount: 1, createdAt: new Date() }] },
    ];
    const table = await good(['folders', 'list'], { env: odd.env });
    assert.match(table, /^i +red/m);
    for (const text of [table, await good(['folders', 'list', '--json'], { env: odd.env })]) {
      assert.doesNotMatch(text.replaceAll('\n', ''), /\p{Cc}/u);
    }
    odd.answer = () => [
      404,
      { success: false, error: { code: 'LINK_NOT_FOUND', message: evil, requestId: 'r' } },
    ];
    assert.doesNotMatch((await run(['links', 'get', 'x'], { env: odd.env })).err, /[^\P{Cc}\n]/u);
  });
});
