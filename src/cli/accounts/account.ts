import { type Command, Option } from 'commander';
import type { Client } from '../../client/client.ts';
import { addGroup, listOption } from '../terminal/command.ts';
import { printFacts, printTable } from '../terminal/print.ts';
import { addVerb } from '../terminal/resources.ts';

type Account = Awaited<ReturnType<Client['getAccount']>>;

interface UpdateOptions {
  readonly watchDestinations?: 'on' | 'off';
  readonly excludedNetworks?: string[];
  readonly appSchemes?: string[];
}

export function addAccount(program: Command): void {
  const account = addGroup(program, 'account', 'Account settings');

  addVerb(account, 'get', {
    about: 'Show the settings',
    examples: [['linkfold account get', 'one setting per line']],
    run: ({ client }) => client.getAccount(),
    show: printAccount,
  });

  addVerb(account, 'update', {
    about: 'Change the settings',
    examples: [
      ['linkfold account update --watch-destinations off', 'turns destination monitoring off'],
      [
        'linkfold account update --excluded-networks 203.0.113.0/24,2001:db8::/48',
        'no longer counts visits from two networks',
      ],
      ['linkfold account update --excluded-networks ""', 'counts all visits again'],
      ['linkfold account update --app-schemes acme', 'lets redirect rules open acme://…'],
    ],
    refused: 'a value is not valid',
    options: [
      new Option('--watch-destinations <choice>', 'regularly check whether destinations respond').choices([
        'on',
        'off',
      ]),
      listOption(
        '--excluded-networks <list>',
        'IP addresses and networks (CIDR) whose visits are not counted, separated by commas; replaces the list',
      ),
      listOption(
        '--app-schemes <list>',
        'URL schemes of apps that redirect rules may open, separated by commas; replaces the list',
      ),
    ],
    run: ({ client }, _args: [], { watchDestinations, excludedNetworks, appSchemes }: UpdateOptions) =>
      client.updateAccount({
        watchDestinations: watchDestinations === undefined ? undefined : watchDestinations === 'on',
        excludedNetworks,
        appSchemes,
      }),
    show: printAccount,
  });

  addVerb(account, 'browser-exclusions', {
    about: 'Show URLs that exclude your browser from statistics',
    examples: [
      [
        'linkfold account browser-exclusions',
        'two URLs for each domain, to open in your browser within ten minutes',
      ],
    ],
    run: ({ client }) => client.listBrowserExclusions(),
    show: (domains) =>
      printTable(domains, [
        { title: 'DOMAIN', of: ({ domain }) => domain },
        { title: 'STOP COUNTING', of: ({ excludeUrl }) => excludeUrl },
        { title: 'COUNT AGAIN', of: ({ countUrl }) => countUrl },
      ]),
  });
}

function printAccount({ name, watchDestinations, excludedNetworks, appSchemes }: Account): void {
  printFacts({
    account: name,
    'watch destinations': watchDestinations ? 'on' : 'off',
    'excluded networks': excludedNetworks.join(', ') || 'none',
    'app schemes': appSchemes.join(', ') || 'none',
  });
}
