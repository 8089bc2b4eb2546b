import { type Command, Option } from 'commander';
import type { Client } from '../../client/client.ts';
import { addGroup } from '../terminal/command.ts';
import { exits, Stop } from '../terminal/exits.ts';
import { sayFacts, sayJson } from '../terminal/print.ts';
import { addServerCommand, openClient, type RemoteOptions } from '../terminal/remote.ts';

type Account = Awaited<ReturnType<Client['getAccount']>>;

/** Adds the commands for what holds for an account as a whole. */
export function addAccount(program: Command): void {
  const account = addGroup(program, 'account', 'What holds for all links of the account, through a server');

  addServerCommand(account, 'show', 'Show what is set', {
    examples: [['linkfold account show', 'a line each']],
  }).action(async (options: RemoteOptions) => {
    sayAccount(await (await openClient(options)).getAccount(), options);
  });

  addServerCommand(account, 'set', 'Change what is named; the rest stays', {
    examples: [
      ['linkfold account set --watch-destinations off', 'destinations of its links are not looked at'],
    ],
    refused: 'a value is refused',
  })
    .addOption(
      new Option(
        '--watch-destinations <choice>',
        'whether it is looked at now and then where links lead',
      ).choices(['on', 'off']),
    )
    .action(async (options: RemoteOptions & { readonly watchDestinations?: 'on' | 'off' }) => {
      const { watchDestinations: watch } = options;
      if (watch === undefined) throw new Stop(exits.usage, 'Name what to set, such as --watch-destinations.');
      const client = await openClient(options);
      sayAccount(await client.updateAccount({ watchDestinations: watch === 'on' }), options);
    });
}

function sayAccount({ name, watchDestinations }: Account, { json }: RemoteOptions): void {
  if (json) sayJson({ name, watchDestinations });
  else sayFacts({ account: name, 'watch destinations': watchDestinations ? 'on' : 'off' });
}
