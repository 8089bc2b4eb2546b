import type { Command } from 'commander';
import { endOfSession, type Session } from '../../model/accounts/sessions.ts';
import type { Storage } from '../../model/storage.ts';
import { formatTimestamp } from '../../model/timestamps.ts';
import { addGroup } from '../terminal/command.ts';
import { exits, Stop } from '../terminal/exits.ts';
import { type Column, plural, printLine, printList, when } from '../terminal/print.ts';
import { addLocalVerb } from '../terminal/resources.ts';
import { noSuchAccount } from './account-names.ts';

interface Options {
  readonly account?: string;
  readonly all?: true;
}

const columns: readonly Column<Session>[] = [
  { title: 'ID', of: ({ id }) => id },
  { title: 'ACCOUNT', of: ({ key }) => key.account, cut: true },
  { title: 'KEY', of: ({ key }) => key.id },
  { title: 'BROWSER', of: ({ agent }) => agent, spare: 1 },
  { title: 'LAST SEEN', of: ({ lastSeenAt }) => when(lastSeenAt) },
  { title: 'EXPIRES', of: (session) => when(endOfSession(session)), spare: 2 },
];
const accountOption = ['--account <name>', 'only sessions of this account'] as const;
const refused = 'the account or session does not exist';

export function addSessions(program: Command): void {
  const sessions = addGroup(program, 'sessions', 'Dashboard sessions in browsers');

  addLocalVerb(sessions, 'list', {
    about: 'List sessions, last used first',
    examples: [
      ['linkfold sessions list', 'of all accounts'],
      ['linkfold sessions list --account acme', 'of one account'],
    ],
    refused,
    options: [accountOption],
    run: async ({ storage, now }, _args: [], { account }: Options) =>
      (await sessionsOf(storage, account)).filter((one) => endOfSession(one) > now()),
    json: (found) => found.map(shown),
    show: (sessions) => printList(sessions, columns, 'No sessions.'),
  });

  addLocalVerb(sessions, 'end', {
    about: 'End one session or all of them; the browsers have to sign in again',
    examples: [
      ['linkfold sessions end 7d0f6f1e-2b3c-4f5a-8e9d-0a1b2c3d4e5f', 'one, by its ID'],
      ['linkfold sessions end --all --account acme', 'all sessions of an account'],
      ['linkfold sessions end --all', 'all sessions of all accounts'],
    ],
    refused,
    args: [['[id]', 'ID of the session']],
    options: [['--all', 'end all sessions'], accountOption],
    run: async ({ storage }, [id]: [string | undefined], { account, all }: Options) => {
      if ((id === undefined) === (all === undefined))
        throw new Stop(exits.usage, 'Specify the ID of a session, or --all.');
      const wanted = (await sessionsOf(storage, account)).filter((one) => all || one.id === id);
      if (wanted.length === 0 && id !== undefined)
        throw new Stop(exits.refused, 'Session not found. To list sessions: linkfold sessions list');
      for (const one of wanted) await storage.endSession(one.key.accountId, one.id);
      return { ended: wanted.map((one) => one.id) };
    },
    show: ({ ended }) => printLine(`Ended ${plural(ended.length, 'session')}.`),
  });
}

/**
 * Returns an account's sessions, or the sessions of all accounts if no name is given.
 * @throws Stop if there is no such account
 */
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
