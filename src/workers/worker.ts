// A worker of `linkfold serve --workers N`. It is a complete server, but the primary binds the socket, and starts and
// stops the worker. Arguments: number of this worker, number of workers, port, the primary's protocol version, other
// ports.

import { firstKeyWriter } from '../app/announce.ts';
import { endSoon } from '../app/process/end.ts';
import { live } from '../app/serve.ts';
import { ConfigError, loadConfig } from '../config.ts';
import { Failure } from '../model/failures.ts';
import { createLog } from '../telemetry/log.ts';
import { type Channel, openChannel } from './channel.ts';
import { protocol, type StartFailure } from './messages.ts';

const [number = 0, count = 0, port = 0, spoken] = process.argv.slice(2, 6).map(Number);
process.title = `linkfold worker ${number}`;
// Ignores these signals, which terminals and service managers send to every process. The primary handles the signals
// and sends messages to its workers.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGUSR2'] as const) process.on(signal, () => {});
// Ignores write errors on the log. The log's reader may have exited, and the worker must continue to serve visitors.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});

function failureOf(error: unknown): StartFailure {
  if (error instanceof ConfigError) return { kind: 'settings', message: error.message };
  if (error instanceof Failure) return { kind: 'failure', code: error.code, message: error.message };
  return { kind: 'other', message: error instanceof Error ? error.message : String(error) };
}

async function serve(channel: Channel): Promise<void> {
  if (spoken !== protocol) {
    throw new Error(
      'Could not start a worker of this version: the primary process has an incompatible version. Restart the service; a reload is not enough.',
    );
  }
  const config = loadConfig(process.env);
  const log = await createLog(config.LOG_LEVEL, process.stdout, { worker: number });
  await live(
    config,
    { log, peers: channel, keepFirstKey: firstKeyWriter(config, log), wantsLogin: process.stdout.isTTY },
    {
      onListening: ({ firstKey, login }) => channel.send({ say: 'listening', firstKey, login }),
      end: channel.end,
    },
  );
}

const channel = openChannel(port, number, count, process.argv.slice(6));
try {
  await serve(channel);
} catch (error) {
  process.exitCode = 1;
  channel.send({ say: 'failed', failure: failureOf(error) });
}
await channel.close();
endSoon();
