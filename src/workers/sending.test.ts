import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { test } from 'node:test';
import { createSending } from './sending.ts';

type Message = { readonly spare: boolean; readonly text: string };

test('to a process that is stopped only so much waits, and what is needed goes all the same', async (t) => {
  // It says what it heard when it is told that this was the last.
  const script = `
    let heard = 0;
    process.on('message', ({ spare }) => {
      heard += 1;
      if (!spare) process.send(heard, undefined, undefined, () => process.exit());
    });
    process.send('here');`;
  const child = fork('/dev/null', { execArgv: ['--eval', script] });
  t.after(() => child.kill('SIGKILL'));
  await new Promise((resolve) => child.once('message', resolve));
  const send = createSending<Message>(
    (message, gone) => void child.send(message, gone),
    ({ spare }) => spare,
  );
  child.kill('SIGSTOP');
  const text = 'x'.repeat(10_000);
  let sent = 0;
  for (let count = 0; count < 5_000; count += 1) {
    if (send({ spare: true, text })) sent += 1;
    if (count % 100 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  // What the pipe takes beside it.
  assert.ok(sent >= 1_000 && sent < 1_100, `${sent} were sent`);
  assert.ok(send({ spare: false, text: '' }));
  const heard = new Promise((resolve) => child.once('message', resolve));
  child.kill('SIGCONT');
  assert.equal(await heard, sent + 1);
});
