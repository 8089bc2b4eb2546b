import type { Command } from 'commander';
import { tagOptions } from '../terminal/command.ts';
import { folderIdOrNone } from '../terminal/kinds.ts';
import { fieldOptions, fieldsGiven, pathPart } from '../terminal/options.ts';
import { printLine } from '../terminal/print.ts';
import { addVerb } from '../terminal/resources.ts';

interface UpsertOptions {
  readonly code?: string;
  readonly tag?: string[];
}

/** Adds `links upsert`, which keeps links in sync with another system. */
export function addUpsert(links: Command): void {
  addVerb(links, 'upsert', {
    about: 'Create or replace the link with an external ID',
    examples: [
      ['linkfold links upsert crm-1042 https://example.com/spring --title Spring', 'prints the short URL'],
    ],
    notes:
      'Repeating the command changes nothing. An existing link keeps its code and clicks; fields that you omit are cleared (`links update external:ID` keeps them). A deleted link is restored with its code.',
    args: [
      ['<external-id>', 'ID of the link in another system', pathPart],
      ['<url>', 'destination'],
    ],
    options: [
      [
        '--code <code>',
        'custom code, 3 to 50 characters (or 1 to 50 in other scripts or emoji); must match if the link exists',
      ],
      ...fieldOptions('shorten').filter(({ long }) => long !== '--external-id'),
      ...tagOptions(),
    ],
    run: async (connection, [externalId, url]: [string, string], options: UpsertOptions) => {
      const { folderId: folder, externalId: _named, ...fields } = fieldsGiven('shorten', options);
      const folderId = folder === undefined ? undefined : await folderIdOrNone(connection, folder);
      const input = { ...fields, url, customCode: options.code, folderId, tags: options.tag };
      return connection.client.upsertLink(externalId, input);
    },
    show: ({ shortUrl }) => printLine(shortUrl),
  });
}
