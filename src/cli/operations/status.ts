import type { Command } from 'commander';
import { version } from '../../runtime/version.ts';
import { exits, Stop } from '../terminal/exits.ts';
import { clean, printFacts, printJson } from '../terminal/print.ts';
import { addServerCommand, openClient, type RemoteOptions } from '../terminal/remote.ts';
import { chooseServer } from '../terminal/servers.ts';
import { statusOf } from './ready.ts';

export function addStatus(program: Command): void {
  addServerCommand(program, 'status', 'Show the server that commands use, and whether it is ready', {
    examples: [
      ['linkfold status', 'needs no key'],
      ['linkfold status --profile work', 'for a profile'],
    ],
    refused: 'the server is not ready',
  }).action(async (options: RemoteOptions) => {
    const { server, from, key } = chooseServer(options);
    const answer = await statusOf(server, 'readyz').catch(() => undefined);
    const state = answer === undefined ? 'unreachable' : answer === 200 ? 'ready' : 'not ready';
    const account =
      key === undefined || state !== 'ready' ? null : await accountOf(options).catch(() => null);
    if (options.json) printJson({ server, from, state, account, version });
    else
      printFacts({
        server,
        'found by': clean(from),
        state,
        key: key === undefined ? 'none' : account === null ? 'not accepted' : `of the account ${account}`,
        'this program': version,
      });
    if (state !== 'ready') throw new Stop(answer === undefined ? exits.unreachable : exits.refused);
  });
}

async function accountOf(options: RemoteOptions): Promise<string> {
  return (await (await openClient(options)).me()).account;
}
