import type { Command } from 'commander';
import type { Client } from '../../client/client.ts';
import type { FieldNames } from '../terminal/field-names.ts';
import { withHint } from '../terminal/options.ts';
import { note, say, sayJson } from '../terminal/print.ts';
import { aboutLink, linkId, withOwnCode } from '../terminal/references.ts';
import { addServerCommand, openPlace, type RemoteOptions } from '../terminal/remote.ts';
import { freeCodes } from './shorten.ts';

/** Adds the commands for codes of a link beside its own. */
export function addAliases(links: Command): void {
  addServerCommand(links, 'alias', 'Let one more code lead to a link; prints its short URL', {
    examples: [['linkfold links alias spring spring-mail', 'a link has at most 20']],
    notes: 'To give a link another code and keep the old one as an alias: `links update --code`.',
  })
    .argument('<link>', aboutLink)
    .argument('<code>', 'the code, 3 to 50 characters (from 1 with other scripts or emoji)')
    .option('--domain <host>', 'domain of the code; that of the link by default')
    .action(async (given: string, customCode: string, options: OnDomain) => {
      const place = await openPlace(options);
      const id = await linkId(place, given);
      const wanted = wantedOn(options.domain, customCode);
      const made = await place.client.addAlias(id, wanted).catch(async (error: unknown) => {
        if (options.json) throw error;
        throw await withFreeCodes(place.client, wanted, error, { customCode: 'The code' });
      });
      if (options.json) sayJson(made);
      else say(made.shortUrl);
    });

  addServerCommand(links, 'aliases', 'List the codes that lead to a link beside its own', {
    examples: [['linkfold links aliases spring', 'a short URL on each line']],
  })
    .argument('<link>', aboutLink)
    .action(async (given: string, options: RemoteOptions) => {
      const place = await openPlace(options);
      const found = await place.client.listAliases(await linkId(place, given));
      if (options.json) return sayJson(found);
      if (found.length === 0) note('This link has no aliases.');
      for (const { shortUrl } of found) say(shortUrl);
    });

  addServerCommand(links, 'unalias', 'Remove an alias: it leads nowhere at once', {
    examples: [['linkfold links unalias spring-mail', 'the code stays with the account']],
  })
    .argument('<alias>', 'the alias, or its short URL')
    .action(async (given: string, options: RemoteOptions) => {
      const place = await openPlace(options);
      const code = await withOwnCode(place, given, (alias, domain) =>
        place.client.removeAlias(alias, domain === undefined ? {} : { domain }),
      );
      if (options.json) sayJson({ removed: code });
      else note(`Removed the alias ${code}.`);
    });
}

interface OnDomain extends RemoteOptions {
  readonly domain?: string;
}

/** A code; on the domain of its link unless another one is named. */
function wantedOn(domain: string | undefined, customCode: string): { customCode: string; domain?: string } {
  return { customCode, ...(domain !== undefined && { domain }) };
}

/** Gives a link another code; for people a refusal names codes that are free. */
export function recode(client: Client, id: string, customCode: string, { json, domain }: OnDomain) {
  const wanted = wantedOn(domain, customCode);
  return client.changeCode(id, wanted).catch(async (error: unknown) => {
    throw json ? error : await withFreeCodes(client, wanted, error);
  });
}

async function withFreeCodes(
  client: Client,
  wanted: { customCode: string; domain?: string },
  error: unknown,
  names?: FieldNames,
): Promise<unknown> {
  return withHint(error, '', names, await freeCodes(client, wanted, error));
}
