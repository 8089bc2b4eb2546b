import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { Writable } from 'node:stream';
import { test } from 'node:test';
import { setImmediate as tick } from 'node:timers/promises';
import { generateKey } from '../model/accounts/keys.ts';
import { clean, createLog } from './log.ts';

test('limits a log without a reader, and reports dropped lines when it is read again', async () => {
  let text = '';
  let isRead = false;
  let release = (): void => {};
  const out = new Writable({
    decodeStrings: false,
    write(lines, _encoding, done) {
      text += lines;
      if (isRead) done();
      else release = done;
    },
  });
  const log = await createLog('info', out as NodeJS.WriteStream);
  const long = 'x'.repeat(10_000);
  for (let count = 0; count < 1_000; count += 1) {
    log.info({ count, long }, 'a line');
    if (count % 50 === 0) await tick();
  }
  await tick();
  isRead = true;
  release();
  while (!text.includes('Log lines were dropped')) await tick();
  log.info('after');
  await tick();
  const lines = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const notice = lines.find(({ msg }) => msg.startsWith('Log lines were dropped'));
  assert.equal(notice?.lines, 1_000 - lines.filter(({ msg }) => msg === 'a line').length);
  assert.ok(text.length <= 4 * 1_024 * 1_024 + 22_000, `${text.length} characters were waiting`);
  assert.equal(lines.at(-1).msg, 'after');
});

test('several processes write whole lines into one pipe, however slowly it is read', async (t) => {
  const script = `
    import { createLog } from ${JSON.stringify(new URL('./log.ts', import.meta.url).href)};
    const worker = Number(process.argv[1]);
    const log = await createLog('info', process.stdout, { worker });
    for (let count = 0; count < 6000; count += 1) {
      log.info({ count, more: 'ä'.repeat(count % 200) }, 'a line');
      if (count % 500 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
  `;
  // All three workers write to the same pipe, the shell's standard output.
  const each = [1, 2, 3].map((worker) => `"$0" --input-type=module -e "$1" -- ${worker} &`).join(' ');
  const child = spawn('sh', ['-c', `${each} wait`, process.execPath, script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.after(() => child.kill('SIGKILL'));
  let text = '';
  // Gives the pipe time to fill up. A stream would then combine the pending writes.
  await new Promise((resolve) => setTimeout(resolve, 200));
  for await (const chunk of child.stdout.setEncoding('utf8')) text += chunk;
  const seen = new Map<number, number>();
  for (const line of text.trim().split('\n')) {
    const { worker, count } = JSON.parse(line);
    assert.equal(count, seen.get(worker) ?? 0, `worker ${worker}: each line once and in order`);
    seen.set(worker, count + 1);
  }
  assert.deepEqual([...seen.values()], [6000, 6000, 6000]);
});

test('logs no secret, whatever the characters around it; keeps the ID of a key', () => {
  const { id, token } = generateKey((size) => crypto.getRandomValues(new Uint8Array(size)));
  const secret = token.slice(12);
  const texts = [
    `"${token}"`,
    `Bearer%20${token}`,
    JSON.stringify(`first\n${token}\nlast`),
    `MY_${token}`,
    `${token}_old`,
    `x${token}x`,
    `lfk_lfk_${token}`,
  ];
  for (const text of texts) {
    assert.ok(!clean(text).includes(secret), text);
    assert.ok(clean(text).includes(`lfk_${id}…`), text);
  }
  const random = 'aB3-_'.repeat(8);
  for (const kind of ['lfl', 'lfi', 'lfd', 'lfo', 'lfs', 'whsec'])
    assert.equal(clean(`{"path":"/${kind}_${random}xyz"}`), `{"path":"/${kind}_…"}`);
  assert.equal(clean('/golfs_open-2027 /wolfi_pictures'), '/golfs_open-2027 /wolfi_pictures');
  assert.equal(clean('lfk_ and lfk_abc and lfk'), 'lfk_ and lfk_abc and lfk');
});

test('redacts in linear time', () => {
  const secondsOf = (piece: string): number => {
    const text = piece.repeat(Math.ceil(4_000_000 / piece.length));
    const before = process.cpuUsage();
    clean(text);
    return process.cpuUsage(before).user;
  };
  secondsOf('plain ');
  const plain = secondsOf('plain text ');
  for (const piece of [
    'lfk_',
    'lfk_a',
    'whsec_',
    `lfs_${'a'.repeat(23)}.`,
    `lfk_${'a'.repeat(43)}`,
    'l',
    'lf',
    'a'.repeat(44),
  ]) {
    assert.ok(secondsOf(piece) <= 20 * plain + 200_000, piece);
  }
});
