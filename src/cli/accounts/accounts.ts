import type { Command } from 'commander';
import { formatTimestamp } from '../../model/timestamps.ts';
import { addCommand, addGroup, jsonOption, properName } from '../terminal/command.ts';
import { withTools } from '../terminal/local.ts';
import { type Column, count, note, say, sayJson, sayTable, when } from '../terminal/print.ts';
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

interface JsonOption {
  readonly json?: true;
}

export function addAccounts(program: Command): void {
  const accounts = addGroup(program, 'accounts', 'Accounts: the owners of links, folders and keys');
  const shared = { reaches: 'database' } as const;

  addCommand(accounts, 'create', 'Create an account; `keys create` does so too when it needs one', {
    ...shared,
    examples: [['linkfold accounts create acme', 'an account without a key']],
    refused: 'the name is in use, perhaps in another case',
  })
    .argument('<name>', 'name, 1 to 100 characters', properName)
    .option(...jsonOption)
    .action((name: string, { json }: JsonOption) =>
      withTools({ json }, async ({ storage, now }) => {
        const account = await storage.createAccount(name, now());
        if (account === undefined) throw await nameInUse(storage, name);
        if (json) sayJson({ name, createdAt: formatTimestamp(account.createdAt) });
        else say(`Created account ${name}.`);
      }),
    );

  addCommand(accounts, 'list', 'List accounts with the number of their links', {
    ...shared,
    examples: [['linkfold accounts list --json', 'for a program']],
  })
    .option(...jsonOption)
    .action(({ json }: JsonOption) =>
      withTools({ json }, async ({ storage }) => {
        const rows = (await storage.accounts()).map(({ name, links, createdAt, suspendedAt }) => ({
          name,
          links,
          createdAt: formatTimestamp(createdAt),
          suspendedAt: suspendedAt === null ? null : formatTimestamp(suspendedAt),
        }));
        if (json) sayJson(rows);
        else if (rows.length === 0)
          note('There are no accounts yet. Make one with: linkfold keys create --account NAME');
        else sayTable(rows, columns);
      }),
    );

  const addSuspension = (verb: 'suspend' | 'resume', about: string, example: string): void => {
    addCommand(accounts, verb, about, {
      ...shared,
      examples: [[`linkfold accounts ${verb} acme`, example]],
      refused: 'there is no such account',
    })
      .argument('<name>', 'name of the account')
      .option(...jsonOption)
      .action((name: string, { json }: JsonOption) =>
        withTools({ json }, async ({ storage, now }) => {
          const suspendedAt = verb === 'suspend' ? now() : null;
          if (!(await storage.suspendAccount(name, suspendedAt))) {
            throw await noSuchAccount(storage, name);
          }
          if (json)
            sayJson({ name, suspendedAt: suspendedAt === null ? null : formatTimestamp(suspendedAt) });
          else
            say(
              verb === 'suspend'
                ? `Suspended account ${name}; its short links go on working.`
                : `Resumed account ${name}.`,
            );
        }),
      );
  };
  addSuspension(
    'suspend',
    'Refuse the API to all keys of an account; its short links go on working',
    'until resumed',
  );
  addSuspension('resume', 'Let the keys of a suspended account work again', 'after a suspension');
}
