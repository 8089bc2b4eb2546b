import { type Command, Option } from 'commander';
import type { Client } from '../../client/client.ts';
import { addGroup } from '../terminal/command.ts';
import { printFacts } from '../terminal/print.ts';
import { addVerb } from '../terminal/resources.ts';

type Account = Pick<Awaited<ReturnType<Client['getAccount']>>, 'name' | 'watchDestinations'>;

export function addAccount(program: Command): void {
  const account = addGroup(program, 'account', 'Settings of the account');

  addVerb(account, 'get', {
    about: 'Show the settings',
    examples: [['linkfold account get', 'one setting a line']],
    run: ({ client }) => client.getAccount(),
    json: jsonOf,
    show: printAccount,
  });

  addVerb(account, 'update', {
    about: 'Change the settings',
    examples: [['linkfold account update --watch-destinations off', 'turns destination monitoring off']],
    refused: 'a value is not valid',
    options: [
      new Option(
        '--watch-destinations <choice>',
        'check from time to time whether destinations respond',
      ).choices(['on', 'off']),
    ],
    run: ({ client }, _args: [], { watchDestinations }: { readonly watchDestinations?: 'on' | 'off' }) =>
      client.updateAccount({ watchDestinations: watchDestinations === 'on' }),
    json: jsonOf,
    show: printAccount,
  });
}

function jsonOf({ name, watchDestinations }: Account): Account {
  return { name, watchDestinations };
}

function printAccount({ name, watchDestinations }: Account): void {
  printFacts({ account: name, 'watch destinations': watchDestinations ? 'on' : 'off' });
}
