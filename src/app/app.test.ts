import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../../test/support/files/temporary.ts';
import { until } from '../../test/support/until.ts';
import { type Config, loadConfig } from '../config.ts';
import { createLog } from '../telemetry/log.ts';
import { createApp } from './app.ts';

const log = await createLog('silent');

function configFor(env: Record<string, string> = {}): Config {
  return loadConfig({ PORT: '0', DATA_DIR: temporaryFolder('app'), ...env });
}

/** Returns the resources that keep this process alive, by kind. */
function open(): Map<string, number> {
  const kinds = new Map<string, number>();
  for (const kind of process.getActiveResourcesInfo()) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  return kinds;
}

function untilNoMoreThan(before: ReadonlyMap<string, number>): Promise<number> {
  return until('everything opened is closed', () =>
    [...open()].every(([kind, count]) => count <= (before.get(kind) ?? 0)),
  );
}

async function start(config: Config, signal = new AbortController().signal): Promise<void> {
  const app = await createApp(config, { log, signal });
  try {
    await app.listen();
  } finally {
    await app.close();
  }
}

/** Starts the app, expects it to fail, and checks that it releases all resources. */
async function failAndLeaveNothing(config: Config, why: RegExp, signal?: AbortSignal): Promise<void> {
  const before = open();
  await assert.rejects(start(config, signal), why);
  await untilNoMoreThan(before);
  // If the journal were still locked, the next process could not take it over.
  assert.deepEqual(
    readdirSync(config.DATA_DIR).includes('clicks') ? readdirSync(join(config.DATA_DIR, 'clicks')) : [],
    [],
  );
}

test('closes everything it opened when startup fails, at any step', async (t) => {
  // Starts the app once to load its modules. They stay loaded, so they must not be counted as unreleased later.
  await start(configFor({ METRICS_PORT: '0' }));
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  t.after(() => taken.close());
  const { port } = taken.address() as { port: number };
  const garbage = join(temporaryFolder('app'), 'garbage.db');
  writeFileSync(garbage, 'garbage '.repeat(1_000));

  await failAndLeaveNothing(configFor({ PORT: String(port) }), /is in use/);
  await failAndLeaveNothing(configFor({ METRICS_PORT: String(port) }), /is in use/);
  await failAndLeaveNothing(configFor({ DATABASE_URL: `sqlite:${garbage}` }), /not a .*database/);
  // A configuration that loadConfig would reject.
  await failAndLeaveNothing({ ...configFor(), TRUST_PROXY: { networks: ['::::'] } }, /address/i);
});

test('closes everything it opened when startup is aborted', async () => {
  await start(configFor());
  const reason = new Error('given up');
  await failAndLeaveNothing(configFor(), /given up/, AbortSignal.abort(reason));
  const whileItWaits = new AbortController();
  setTimeout(() => whileItWaits.abort(reason), 400);
  const away = configFor({ DATABASE_URL: 'postgres://x@127.0.0.1:1/x' });
  await failAndLeaveNothing(away, /given up/, whileItWaits.signal);
  for (let ticks = 1; ticks <= 64; ticks *= 2) {
    const ending = new AbortController();
    const config = configFor();
    const before = open();
    const ended = start(config, ending.signal).catch((error: unknown) => assert.equal(error, reason));
    for (let turn = 0; turn < ticks; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    ending.abort(reason);
    await ended;
    await untilNoMoreThan(before);
    await start(config);
    assert.deepEqual(readdirSync(join(config.DATA_DIR, 'clicks')), []);
  }
});
