import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { describe, test } from 'node:test';
import { temporaryFolder } from '../../test/support/files/temporary.ts';
import { loadConfig } from '../config.ts';
import { createLog } from '../telemetry/log.ts';
import { announce } from './announce.ts';

const port = 3_000;

/** Returns the log lines that a server with these settings writes when it is ready. */
async function linesFor(env: Record<string, string>): Promise<Record<string, unknown>[]> {
  const out = new PassThrough();
  const log = await createLog('info', out as unknown as NodeJS.WriteStream);
  announce({}, loadConfig({ DATA_DIR: temporaryFolder('announce'), ...env }), port, log);
  await new Promise((resolve) => setImmediate(resolve));
  const text = String(out.read() ?? '');
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

describe('the startup message', () => {
  for (const [env, listening, url, warns] of [
    [{}, 'http://127.0.0.1:3000', 'http://127.0.0.1:3000', false],
    [{ HOST: 'localhost' }, 'http://localhost:3000', 'http://127.0.0.1:3000', false],
    [{ HOST: '127.8.9.1' }, 'http://127.8.9.1:3000', 'http://127.0.0.1:3000', false],
    [{ HOST: '::1' }, 'http://[::1]:3000', 'http://127.0.0.1:3000', false],
    [{ HOST: '0.0.0.0' }, 'http://0.0.0.0:3000', 'http://127.0.0.1:3000', true],
    [{ HOST: '::' }, 'http://[::]:3000', 'http://127.0.0.1:3000', true],
    [{ HOST: '192.0.2.7' }, 'http://192.0.2.7:3000', 'http://127.0.0.1:3000', true],
    [
      { HOST: '0.0.0.0', BASE_URL: 'https://go.example.com' },
      'http://0.0.0.0:3000',
      'https://go.example.com',
      false,
    ],
  ] as const) {
    test(`${JSON.stringify(env)}${warns ? ': warns, because no other machine could open the short URLs' : ''}`, async () => {
      const lines = await linesFor(env);
      const ready = lines.at(-1);
      assert.deepEqual([ready?.['msg'], ready?.['listening'], ready?.['url']], ['ready', listening, url]);
      const warnings = lines.filter(({ level }) => level === 40);
      assert.equal(warnings.length, warns ? 1 : 0);
      for (const { msg } of warnings) assert.match(String(msg), /^BASE_URL is not set, .+ Set BASE_URL to/);
    });
  }
});
