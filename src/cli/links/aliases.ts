import type { Command } from 'commander';
import type { Client } from '../../client/client.ts';
import type { FieldNames } from '../terminal/field-names.ts';
import { withHint } from '../terminal/options.ts';
import { note, printLine } from '../terminal/print.ts';
import { withOwnCode } from '../terminal/references.ts';
import type { RemoteOptions } from '../terminal/remote.ts';
import { addRecordVerb, addVerb } from '../terminal/resources.ts';
import { freeCodes } from './shorten.ts';

/** Adds the commands for a link's aliases. */
export function addAliases(links: Command): void {
  addRecordVerb(links, 'link', 'alias', {
    about: 'Add an alias (another code) to a link and print its short URL',
    examples: [['linkfold links alias spring spring-mail', 'a link can have at most 20']],
    notes: 'To change the code of a link and keep the old one as an alias: `links update --code`.',
    args: [['<code>', 'the code, 3 to 50 characters (or 1 to 50 in other scripts or emoji)']],
    options: [['--domain <host>', 'domain of the code (default: the domain of the link)']],
    run: ({ client }, id, { domain, json }: RemoteOptions & { domain?: string }, customCode: string) => {
      const code = { customCode, ...(domain !== undefined && { domain }) };
      return client.addAlias(id, code).catch(async (error: unknown) => {
        throw json ? error : await withFreeCodes(client, code, error, { customCode: 'The code' });
      });
    },
    show: ({ shortUrl }) => printLine(shortUrl),
  });

  addRecordVerb(links, 'link', 'aliases', {
    about: 'List a link’s aliases',
    examples: [['linkfold links aliases spring', 'one short URL per line']],
    run: ({ client }, id) => client.listAliases(id),
    show: (found) => {
      if (found.length === 0) note('This link has no aliases.');
      for (const { shortUrl } of found) printLine(shortUrl);
    },
  });

  addVerb(links, 'unalias', {
    about: 'Remove an alias; it stops working immediately',
    examples: [['linkfold links unalias spring-mail', 'the code stays reserved for the account']],
    args: [['<alias>', 'the alias, or its short URL']],
    run: async (connection, [alias]: [string]) => {
      const removed = await withOwnCode(connection, alias, (code, domain) =>
        connection.client.removeAlias(code, domain === undefined ? {} : { domain }),
      );
      return { removed };
    },
    show: ({ removed }) => note(`Removed the alias ${removed}.`),
  });
}

/** If a code is already in use, adds available codes to the error. */
export async function withFreeCodes(
  client: Client,
  wanted: { customCode: string; domain?: string | undefined },
  error: unknown,
  names?: FieldNames,
): Promise<unknown> {
  return withHint(error, '', names, await freeCodes(client, wanted, error));
}
