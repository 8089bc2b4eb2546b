import type { Command } from 'commander';
import { addCommand } from '../terminal/command.ts';
import { exits, Stop } from '../terminal/exits.ts';
import { readConfig } from '../terminal/local.ts';
import { say } from '../terminal/print.ts';

const patienceMs = 4_000;

/** Adds the health check: what images have in place of a program that asks for pages. */
export function addReady(program: Command): void {
  addCommand(program, 'ready', 'Ask the server of this installation whether it is ready, as a health check', {
    reaches: 'server',
    examples: [
      ['linkfold ready', 'ready, or an exit code above 0'],
      ['linkfold ready --live', 'succeeds also while the server starts or waits for its database'],
    ],
    refused: 'it is not ready',
    notes:
      'It asks /readyz, or /healthz with --live, at HOST and PORT of the settings, so PORT must not be 0. Images have no other program that could.',
  })
    .option('--live', 'ask /healthz: whether the process is alive')
    .action(async ({ live }: { readonly live?: true }) => {
      const { HOST, PORT } = readConfig();
      const host =
        HOST === '0.0.0.0' || HOST === '::' ? '127.0.0.1' : HOST.includes(':') ? `[${HOST}]` : HOST;
      const url = `http://${host}:${PORT}/${live ? 'healthz' : 'readyz'}`;
      const answer = await fetch(url, { signal: AbortSignal.timeout(patienceMs) }).catch(() => {
        throw new Stop(exits.unreachable, `Nobody answers at ${url}.`);
      });
      if (!answer.ok) throw new Stop(exits.refused, `${url} answers with status ${answer.status}.`);
      say(live ? 'alive' : 'ready');
    });
}
