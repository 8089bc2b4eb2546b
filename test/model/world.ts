import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { Agent } from 'node:http';
import { join } from 'node:path';
import { openTools, type Tools } from '../../src/app/operator.ts';
import { loadConfig } from '../../src/config.ts';
import { type Answer, ask } from '../support/http/ask.ts';
import { temporaryFolder } from '../support/server/server.ts';
import { origin } from './basics.ts';
import type { FromServer, ToServer } from './controlled-server.ts';
import type { Request } from './steps.ts';

/**
 * A real server with a controlled clock and persistent files, for tests that compare it with a model or another server.
 */
export interface World {
  readonly tools: Tools;
  readonly databaseUrl: string;
  now(): number;
  port(): number;
  ask(request: Request): Promise<Answer>;
  wait(ms: number): Promise<void>;
  /** Ends the server, gracefully or by killing it, and starts another one with the same data. */
  restart(how: 'restart' | 'kill'): Promise<void>;
  close(): Promise<void>;
}

const startOfTime = Date.UTC(2030, 0, 1, 22, 59, 30, 123);

/**
 * @param settings additional settings
 * @param mayWarn matches log lines that are allowed
 */
export async function openWorld(
  settings: Readonly<Record<string, string>> = {},
  mayWarn?: RegExp,
): Promise<World> {
  const dataDir = temporaryFolder('model');
  const env = {
    PATH: process.env['PATH'] ?? '',
    PORT: '0',
    DATA_DIR: dataDir,
    BASE_URL: origin,
    LOG_LEVEL: 'warn',
    // The timeout is long, because on a busy machine the database is slow but available.
    DATABASE_TIMEOUT: '60',
    CODE_SEGMENTS: '2',
    ...settings,
  };
  const config = loadConfig(env);
  const tools = await openTools(config);
  let agent = new Agent({ keepAlive: true });
  let now = startOfTime;
  let port = 0;
  let output = '';
  let child = {} as ChildProcess;

  /** Waits for the next message. Rejects if the server exits first. */
  const hear = async (): Promise<FromServer> => {
    const { promise, resolve, reject } = Promise.withResolvers<FromServer>();
    const onExit = (code: number | null): void =>
      reject(new Error(`The server ended with ${code}:\n${output}`));
    child.once('message', (message) => resolve(message as FromServer)).once('exit', onExit);
    return promise.finally(() => child.off('exit', onExit));
  };

  const start = async (): Promise<void> => {
    child = fork(join(import.meta.dirname, 'controlled-server.ts'), {
      env: { ...env, LINKFOLD_TEST_NOW: String(now) },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += chunk));
    const message = await hear();
    port = 'port' in message ? message.port : 0;
  };

  const stop = async (how: 'restart' | 'kill'): Promise<void> => {
    const ended = new Promise<unknown>((resolve) => {
      child.once('exit', (code, signal) => resolve(code ?? signal));
    });
    if (how === 'kill') child.kill('SIGKILL');
    else child.send('stop' satisfies ToServer);
    const code = await ended;
    agent.destroy();
    agent = new Agent({ keepAlive: true });
    const said = output;
    output = '';
    assert.equal(code, how === 'kill' ? 'SIGKILL' : 0, said);
    const warnings = said.split('\n').filter((line) => line !== '' && !mayWarn?.test(line));
    assert.deepEqual(warnings, [], 'The server logged warnings.');
  };

  await start();
  process.on('exit', () => child.kill('SIGKILL'));
  return {
    tools,
    databaseUrl: config.DATABASE_URL,
    now: () => now,
    port: () => port,
    ask: ({ key, ...request }) => ask({ port, agent }, { ...request, key: key?.token }),
    async wait(ms) {
      const moved = hear();
      child.send({ advanceMs: ms } satisfies ToServer);
      await moved;
      now += ms;
    },
    async restart(how) {
      try {
        await stop(how);
      } finally {
        // Later steps need a running server, even after this step has failed.
        await start();
      }
    },
    async close() {
      try {
        await stop('restart');
      } finally {
        await tools.close();
      }
    },
  };
}
