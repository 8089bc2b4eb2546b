import type { Command } from 'commander';
import type { Client } from '../../client/client.ts';
import { count, printFacts, when } from '../terminal/print.ts';
import { addVerb } from '../terminal/resources.ts';

type Identity = Awaited<ReturnType<Client['me']>>;

export function addWhoami(program: Command): void {
  addVerb(program, 'whoami', {
    about: 'Show the server, the account, and what the key may do',
    examples: [
      ['linkfold whoami', 'with the usage and limits of the account'],
      ['linkfold whoami --profile work', 'for a profile'],
    ],
    refused: 'the key is not valid',
    run: async ({ client, server }) => ({ server, identity: await client.me() }),
    json: ({ identity }) => identity,
    show: ({ server, identity }) => printFacts({ server, ...factsOf(identity) }),
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
    'requests per minute': limits.requestsPerMinute === null ? 'no limit' : count(limits.requestsPerMinute),
    ...(limits.linkLifetimeDays !== null && {
      'links expire after': `${count(limits.linkLifetimeDays)} days`,
    }),
  };
}
