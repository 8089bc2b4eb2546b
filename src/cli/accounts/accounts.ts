import type { Command } from 'commander';
import { formatTimestamp } from '../../model/timestamps.ts';
import { addGroup, properName } from '../terminal/command.ts';
import { type Column, count, printLine, printList, when } from '../terminal/print.ts';
import { addLocalVerb } from '../terminal/resources.ts';
import { nameInUse, noSuchAccount } from './account-names.ts';

interface Row {
  readonly name: string;
  readonly links: number;
  readonly createdAt: string;
  readonly suspendedAt: string | null;
}

const columns: readonly Column<Row>[] = [
  { title: 'ACCOUNT', of: (one) => one.name },
  { title: 'LINKS', of: (one) => count(one.links), right: true },
  { title: 'CREATED', of: (one) => when(one.createdAt) },
  {
    title: 'STATE',
    of: (one) => (one.suspendedAt === null ? 'active' : `suspended ${when(one.suspendedAt)}`),
  },
];

export function addAccounts(program: Command): void {
  const accounts = addGroup(program, 'accounts', 'Accounts: the owners of links, folders and keys');

  addLocalVerb(accounts, 'list', {
    about: 'List accounts and their link counts',
    examples: [['linkfold accounts list --json', 'for scripts']],
    run: async ({ storage }): Promise<Row[]> =>
      (await storage.accounts()).map(({ name, links, createdAt, suspendedAt }) => ({
        name,
        links,
        createdAt: formatTimestamp(createdAt),
        suspendedAt: suspendedAt === null ? null : formatTimestamp(suspendedAt),
      })),
    show: (rows) =>
      printList(rows, columns, 'No accounts yet. To create one: linkfold keys create --account NAME'),
  });

  addLocalVerb(accounts, 'create', {
    about: 'Create an account without a key; `keys create` creates accounts too',
    examples: [['linkfold accounts create winter-rides', 'an account without a key']],
    refused: 'the name is in use, perhaps in another case',
    args: [['<name>', 'name, 1 to 100 characters', properName]],
    run: async ({ storage, now }, [name]: [string]) => {
      const account = await storage.createAccount(name, now());
      if (account === undefined) throw await nameInUse(storage, name);
      return { name, createdAt: formatTimestamp(account.createdAt) };
    },
    show: ({ name }) => printLine(`Created account ${name}.`),
  });

  addSuspension(accounts, 'suspend', {
    about: 'Suspend an account: its keys stop working, its short links keep working',
    example: 'until you resume the account',
    done: (name) => `Suspended account ${name}. Its short links still work.`,
  });
  addSuspension(accounts, 'resume', {
    about: 'Resume a suspended account: its keys work again',
    example: 'after a suspension',
    done: (name) => `Resumed account ${name}.`,
  });
}

function addSuspension(
  accounts: Command,
  verb: 'suspend' | 'resume',
  { about, example, done }: { about: string; example: string; done: (name: string) => string },
): void {
  addLocalVerb(accounts, verb, {
    about,
    examples: [[`linkfold accounts ${verb} acme`, example]],
    refused: 'the account does not exist',
    args: [['<name>', 'name of the account']],
    run: async ({ storage, now }, [name]: [string]) => {
      const suspendedAt = verb === 'suspend' ? now() : null;
      if (!(await storage.suspendAccount(name, suspendedAt))) throw await noSuchAccount(storage, name);
      return { name, suspendedAt: suspendedAt === null ? null : formatTimestamp(suspendedAt) };
    },
    show: ({ name }) => printLine(done(name)),
  });
}
