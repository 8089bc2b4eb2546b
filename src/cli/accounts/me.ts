import type { Command } from 'commander';
import type { Client } from '../../client/client.ts';
import { count, sayFacts, sayJson, when } from '../terminal/print.ts';
import { addServerCommand, openPlace, type RemoteOptions } from '../terminal/remote.ts';

type Identity = Awaited<ReturnType<Client['me']>>;

/** Adds the command that tells which account a key is of, and what it may do. */
export function addMe(program: Command): void {
  addServerCommand(program, 'me', 'Show the server, the account and what the key may do', {
    examples: [
      ['linkfold me', 'whose key it is, and what is left'],
      ['linkfold me --profile work', 'the same of a profile'],
    ],
    refused: 'the key is refused',
  }).action(async (options: RemoteOptions) => {
    const { client, server } = await openPlace(options);
    const identity = await client.me();
    if (options.json) sayJson(identity);
    else sayFacts({ server, ...factsOf(identity) });
  });
}

function factsOf({ account, key, scopes, plan, limits, usage }: Identity): Record<string, string> {
  const of = (used: number, most: number | null): string =>
    most === null ? count(used) : `${count(used)} of ${count(most)}`;
  return {
    account,
    plan,
    key: `${key.name} (${key.id})`,
    expires: key.expiresAt === null ? 'never' : when(key.expiresAt),
    scopes: scopes.join(', '),
    links: of(usage.links, limits.links),
    folders: of(usage.folders, limits.folders),
    'requests a minute': limits.requestsPerMinute === null ? 'no limit' : count(limits.requestsPerMinute),
    ...(limits.linkLifetimeDays !== null && {
      'links expire after': `${count(limits.linkLifetimeDays)} days`,
    }),
  };
}
