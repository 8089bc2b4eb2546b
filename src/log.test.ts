import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { test } from 'node:test';
import { createLog } from './log.ts';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('a log that nobody reads is bounded, and what was dropped is said when somebody reads again', async () => {
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
    if (count % 50 === 0) await turn();
  }
  await turn();
  assert.ok(out.writableLength <= 4 * 1_024 * 1_024 + 11_000, `${out.writableLength} wait`);
  isRead = true;
  release();
  while (out.writableLength > 0) await turn();
  log.info('after');
  await turn();
  const lines = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const notice = lines.find(({ msg }) => msg.startsWith('Lines of the log were dropped'));
  assert.equal(notice?.lines, 1_000 - lines.filter(({ msg }) => msg === 'a line').length);
  assert.ok(notice.lines > 100);
  assert.equal(lines.at(-1).msg, 'after');
});
