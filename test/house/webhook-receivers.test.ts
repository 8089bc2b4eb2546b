import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { generateSigningSecret, signedHeaders } from '../../src/model/webhooks/signing.ts';
import { temporaryFolder } from '../support/files/temporary.ts';
import { freePort } from '../support/http/ports.ts';
import { until } from '../support/until.ts';

const guide = readFileSync(join(import.meta.dirname, '../../docs/webhooks.md'), 'utf8');
const folder = temporaryFolder('receivers');
const secret = generateSigningSecret(randomBytes);
const body = JSON.stringify({ type: 'folder.created', data: { name: 'Grüße ☕' } });

/** Returns webhook requests, and for each whether a receiver must accept it. */
const requests = (now: number) => {
  const good = signedHeaders('evt_1', now, body, [generateSigningSecret(randomBytes), secret]);
  return [
    [true, good, body],
    [false, good, `${body} `],
    [false, { ...good, 'webhook-id': 'evt_2' }, body],
    [false, signedHeaders('evt_1', now - 400_000, body, [secret]), body],
    [false, signedHeaders('evt_1', now, body, [generateSigningSecret(randomBytes)]), body],
    [false, {}, body],
  ] as const;
};

function program(language: string): string {
  const found = new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\n\`\`\``).exec(guide)?.[1];
  assert.ok(found, `docs/webhooks.md has a receiver in ${language}`);
  return found;
}

/** Languages of the receivers, each with its file name and the command that runs it on a port. */
const runners: readonly [
  language: string,
  file: string,
  command: (file: string, port: number) => string[],
][] = [
  ['js', 'receiver.mjs', (file) => [process.execPath, file]],
  ['python', 'receiver.py', (file) => ['python3', file]],
  ['php', 'receiver.php', (file, port) => ['php', '-S', `127.0.0.1:${port}`, file]],
  ['go', 'receiver.go', (file) => ['go', 'run', file]],
];

describe('receivers in docs/webhooks.md accept signed requests only', () => {
  const children: (() => void)[] = [];
  after(() => {
    for (const end of children) end();
  });

  for (const [language, name, command] of runners)
    test(language, async (t) => {
      const file = join(folder, name);
      writeFileSync(file, `${program(language)}\n`);
      const port = await freePort();
      const [runner = '', ...args] = command(file, port);
      if (
        spawnSync(runner, ['--version']).error !== undefined &&
        spawnSync(runner, ['version']).error !== undefined
      )
        return t.skip(`NOT TESTED: there is no ${runner} here`);
      const env = { ...process.env, SECRET: secret, PORT: String(port) };
      const child = spawn(runner, args, { env, stdio: 'ignore', detached: true });
      children.push(() => process.kill(-(child.pid ?? 0), 'SIGKILL'));
      const send = async (headers: object, text: string): Promise<number> =>
        (
          await fetch(`http://127.0.0.1:${port}/`, {
            method: 'POST',
            headers: { ...headers, 'content-type': 'application/json' },
            body: text,
          })
        ).status;
      await until('the receiver listens', () => send({}, '').then(Boolean, () => false));
      for (const [isGood, headers, text] of requests(Date.now()))
        assert.equal(await send(headers, text), isGood ? 204 : 400, JSON.stringify(headers));
    });
});
