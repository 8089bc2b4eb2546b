import type { Command } from 'commander';
import { endOfSession, type Session } from '../../model/accounts/sessions.ts';
import type { Storage } from '../../model/storage.ts';
import { formatTimestamp } from '../../model/timestamps.ts';
import { addCommand, addGroup, jsonOption } from '../terminal/command.ts';
import { exits, Stop } from '../terminal/exits.ts';
import { withTools } from '../terminal/local.ts';
import { type Column, note, plural, say, sayJson, sayTable, when } from '../terminal/print.ts';
import { noSuchAccount } from './account-names.ts';

interface Options {
  readonly account?: string;
  readonly json?: true;
}

const columns: readonly Column<Session>[] = [
  { title: 'ID', of: ({ id }) => id },
  { title: 'ACCOUNT', of: ({ key }) => key.account, cut: true },
  { title: 'KEY', of: ({ key }) => key.id },
  { title: 'BROWSER', of: ({ agent }) => agent, spare: 1 },
  { title: 'LAST SEEN', of: ({ lastSeenAt }) => when(lastSeenAt) },
  { title: 'ENDS', of: (session) => when(endOfSession(session)), spare: 2 },
];

export function addSessions(program: Command): void {
  const sessions = addGroup(program, 'sessions', 'Sessions of browsers in the dashboard: list and end them');
  const shared = { refused: 'there is no such account or session', reaches: 'database' } as const;

  addCommand(sessions, 'list', 'List sessions, the one last used first', {
    ...shared,
    examples: [
      ['linkfold sessions list', 'of every account'],
      ['linkfold sessions list --account acme', 'of one'],
    ],
  })
    .option('--account <name>', 'only sessions of this account')
    .option(...jsonOption)
    .action(({ account, json }: Options) =>
      withTools({ json }, async ({ storage, now }) => {
        const found = (await sessionsOf(storage, account)).filter((one) => endOfSession(one) > now());
        if (json) return sayJson(found.map(shown));
        if (found.length === 0) return note('There are no sessions.');
        sayTable(found, columns);
      }),
    );

  addCommand(sessions, 'end', 'End a session, or every one; its browser has to sign in again', {
    ...shared,
    examples: [
      ['linkfold sessions end 7d0f6f1e-2b3c-4f5a-8e9d-0a1b2c3d4e5f', 'one, by its id'],
      ['linkfold sessions end --all --account acme', 'all of an account'],
      ['linkfold sessions end --all', 'all of every account'],
    ],
  })
    .argument('[id]', 'id of the session')
    .option('--all', 'end every session')
    .option('--account <name>', 'only sessions of this account')
    .option(...jsonOption)
    .action((id: string | undefined, { account, all, json }: Options & { all?: true }) =>
      withTools({ json }, async ({ storage }) => {
        if ((id === undefined) === (all === undefined))
          throw new Stop(exits.usage, 'Give the id of a session, or --all.');
        const wanted = (await sessionsOf(storage, account)).filter((one) => all || one.id === id);
        if (wanted.length === 0 && id !== undefined)
          throw new Stop(exits.refused, 'There is no session with this id; see: linkfold sessions list.');
        for (const one of wanted) await storage.endSession(one.key.accountId, one.id);
        if (json) sayJson({ ended: wanted.map((one) => one.id) });
        else say(`Ended ${plural(wanted.length, 'session')}.`);
      }),
    );
}

/** @throws Stop when there is no such account */
async function sessionsOf(storage: Storage, name: string | undefined): Promise<Session[]> {
  const accounts = await storage.accounts();
  const wanted = accounts.filter((account) => name === undefined || account.name === name);
  if (name !== undefined && wanted.length === 0) throw await noSuchAccount(storage, name);
  return (await Promise.all(wanted.map(({ id }) => storage.sessions(id)))).flat();
}

function shown(session: Session) {
  return {
    id: session.id,
    account: session.key.account,
    keyId: session.key.id,
    agent: session.agent,
    createdAt: formatTimestamp(session.createdAt),
    lastSeenAt: formatTimestamp(session.lastSeenAt),
    expiresAt: formatTimestamp(endOfSession(session)),
  };
}
