import type { Command } from 'commander';
import { runningServer } from '../../app/server-file.ts';
import { addCommand } from '../terminal/command.ts';
import { exits, Stop } from '../terminal/exits.ts';
import { readConfig } from '../terminal/local.ts';
import { printLine } from '../terminal/print.ts';

const patienceMs = 4_000;

/** Adds the health check command. Container images use it, because they contain no other HTTP client, such as curl. */
export function addReady(program: Command): void {
  addCommand(program, 'ready', 'Check whether the server of this installation is ready', {
    reaches: 'server',
    examples: [
      ['linkfold ready', 'prints ready, or exits with a code above 0'],
      ['linkfold ready --live', 'also succeeds while the server starts or waits for its database'],
    ],
    refused: 'the server is not ready',
    notes:
      'The command requests /readyz, or /healthz with --live, from the server that uses DATA_DIR, or else at the configured HOST and PORT.',
  })
    .option('--live', 'request /healthz: whether the process is alive')
    .action(async ({ live }: { readonly live?: true }) => {
      const path = live ? 'healthz' : 'readyz';
      const status = await statusOf(runningServer(readConfig()) ?? fromSettings(), path);
      if (status !== 200) throw new Stop(exits.refused, `/${path} returned status ${status}.`);
      printLine(live ? 'alive' : 'ready');
    });
}

function fromSettings(): string {
  const { HOST, PORT } = readConfig();
  const host = HOST === '0.0.0.0' || HOST === '::' ? '127.0.0.1' : HOST.includes(':') ? `[${HOST}]` : HOST;
  return `http://${host}:${PORT}`;
}

/** Returns the status of a server's health endpoint. @throws Stop if the server does not respond */
export async function statusOf(server: string, path: 'readyz' | 'healthz'): Promise<number> {
  const url = `${server.replace(/\/+$/, '')}/${path}`;
  const answer = await fetch(url, { signal: AbortSignal.timeout(patienceMs) }).catch(() => {
    throw new Stop(exits.unreachable, `No response from ${url}. Start the server, or check HOST and PORT.`);
  });
  return answer.status;
}
