import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import { openTools, type Tools } from '../../src/app.ts';
import { loadConfig } from '../../src/config.ts';
import { createKey } from '../../src/domain/keys.ts';
import { temporaryFolder } from '../support.ts';
import type { FromServer, ToServer } from './controlled-server.ts';
import * as expecting from './model.ts';
import type { Account, Expected, Key, Model } from './model.ts';
import { effort, withSeed } from './random.ts';
import { regressions } from './regressions.ts';
import { anyStep, type Request, type Step, take } from './steps.ts';

const mostSteps = 60;
const shrinkForMs = 120_000;

/** The real thing: a server whose clock we hold, on files that outlive it. */
interface World {
  readonly tools: Tools;
  readonly databasePath: string;
  now: number;
  ask(request: Request): Promise<Answer>;
  wait(ms: number): Promise<void>;
  /** Ends the server, gracefully or not, and starts another on the same data. */
  restart(how: 'restart' | 'kill'): Promise<void>;
  end(): Promise<void>;
}

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

const openWorld = async (): Promise<World> => {
  const dataDir = temporaryFolder('model');
  const env = { PATH: process.env['PATH'] ?? '', PORT: '0', DATA_DIR: dataDir, BASE_URL: expecting.origin, LOG_LEVEL: 'warn' };
  const tools = await openTools(loadConfig(env));
  let now = Date.UTC(2030, 0, 1, 22, 59, 30, 123);
  let output = '';
  let child: ChildProcess | undefined;
  let url = '';

  const hear = (): Promise<FromServer> =>
    new Promise((resolve, reject) => {
      child?.once('message', (message) => resolve(message as FromServer));
      child?.once('exit', (code) => reject(new Error(`The server ended with ${code}:\n${output}`)));
    });
  const start = async (): Promise<void> => {
    child = fork(join(import.meta.dirname, 'controlled-server.ts'), {
      env: { ...env, LINKFOLD_TEST_NOW: String(now) },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += chunk));
    const message = await hear();
    url = 'url' in message ? message.url : '';
    child.removeAllListeners('exit');
  };
  const port = (): string => new URL(url.replace(expecting.origin, 'http://127.0.0.1')).port;
  const stop = async (how: 'restart' | 'kill'): Promise<void> => {
    const ended = new Promise<unknown>((resolve) => child?.once('exit', (code, signal) => resolve(code ?? signal)));
    if (how === 'kill') child?.kill('SIGKILL');
    else child?.send('stop' satisfies ToServer);
    assert.equal(await ended, how === 'kill' ? 'SIGKILL' : 0, output);
    assert.equal(output, '', 'The server warned of something.');
  };

  await start();
  process.on('exit', () => child?.kill('SIGKILL'));
  return {
    tools,
    databasePath: join(dataDir, 'linkfold.db'),
    get now() {
      return now;
    },
    ask: (request) => ask(port(), request),
    async wait(ms) {
      const moved = hear();
      child?.send({ advanceMs: ms } satisfies ToServer);
      await moved;
      child?.removeAllListeners('exit');
      now += ms;
    },
    async restart(how) {
      await stop(how);
      await start();
    },
    async end() {
      await stop('restart');
      await tools.close();
    },
  };
};
