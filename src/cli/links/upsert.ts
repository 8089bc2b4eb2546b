import type { Command } from 'commander';
import { fieldOptions, fieldsGiven, pathPart } from '../terminal/options.ts';
import { say, sayJson } from '../terminal/print.ts';
import { folderIdOrNone } from '../terminal/references.ts';
import { addServerCommand, openPlace, type RemoteOptions } from '../terminal/remote.ts';
import { tagsOption } from './tags.ts';

interface UpsertOptions extends RemoteOptions {
  readonly code?: string;
  readonly tags?: string[];
}

/** Adds `links upsert`, which keeps links in step with another system. */
export function addUpsert(links: Command): void {
  const command = addServerCommand(
    links,
    'upsert',
    'Make the link that another system knows by a name, or replace it',
    {
      examples: [
        ['linkfold links upsert crm-1042 https://example.com/spring --title Spring', 'prints the short URL'],
      ],
      notes:
        'Repeating the command changes nothing. Of a link that is there already the code and the clicks stay; what is not said of it is cleared: `links update external:NAME` leaves it. A deleted one comes back with its code.',
    },
  )
    .argument('<external-id>', 'name that another system has for the link', pathPart)
    .argument('<url>', 'destination')
    .option(
      '--code <code>',
      'custom code, 3 to 50 characters (from 1 with other scripts or emoji); a live link must have it',
    );
  for (const option of fieldOptions('shorten'))
    if (option.long !== '--external-id') command.addOption(option);
  command.option(...tagsOption).action(async (externalId: string, url: string, options: UpsertOptions) => {
    const place = await openPlace(options);
    const { folderId: folder, externalId: _named, ...fields } = fieldsGiven('shorten', options);
    const folderId = folder === undefined ? undefined : await folderIdOrNone(place, folder);
    const input = { ...fields, url, customCode: options.code, folderId, tags: options.tags };
    const link = await place.client.upsertLink(externalId, input);
    if (options.json) sayJson(link);
    else say(link.shortUrl);
  });
}
