import type { Command } from 'commander';
import type { Client } from '../../client/client.ts';
import { pathPart } from '../terminal/options.ts';
import { type Column, note, say, sayJson, sayTable, when } from '../terminal/print.ts';
import { aboutLink, linkId } from '../terminal/references.ts';
import { addServerCommand, openClient, openPlace, type RemoteOptions } from '../terminal/remote.ts';

type Share = Awaited<ReturnType<Client['listShares']>>[number];

const columns: readonly Column<Share>[] = [
  { title: 'ID', of: (share) => share.id },
  { title: 'CREATED', of: (share) => when(share.createdAt) },
  { title: 'EXPIRES', of: (share) => when(share.expiresAt) },
];

/** Adds the commands for public addresses of a link's statistics. */
export function addShares(links: Command): void {
  addServerCommand(links, 'share', 'Make a public address of the statistics of a link; prints it', {
    examples: [['linkfold links share spring --expires 2027-12-31', 'shown only this once']],
  })
    .argument('<link>', aboutLink)
    .option('--expires <time>', 'when the address ends, ISO 8601 (default: never)')
    .action(async (given: string, options: RemoteOptions & { expires?: string }) => {
      const place = await openPlace(options);
      const input = { expiresAt: options.expires };
      const share = await place.client.shareLink(await linkId(place, given), input);
      if (options.json) return sayJson(share);
      note(`Share ${share.id}. Its address is shown only this once:`);
      say(share.url);
    });

  addServerCommand(links, 'shares', 'List the public addresses of the statistics of a link', {
    examples: [['linkfold links shares spring', 'without their secrets, which are kept nowhere']],
  })
    .argument('<link>', aboutLink)
    .action(async (given: string, options: RemoteOptions) => {
      const place = await openPlace(options);
      const found = await place.client.listShares(await linkId(place, given));
      if (options.json) sayJson(found);
      else if (found.length === 0) note('The statistics of this link are not shared.');
      else sayTable(found, columns);
    });

  addServerCommand(links, 'unshare', 'End a public address of statistics at once', {
    examples: [
      ['linkfold links unshare 0198c5a0-2222-7b3a-9c41-3f0f6f2f8a10', 'its id, as `links shares` shows it'],
    ],
  })
    .argument('<id>', 'id of the share', pathPart)
    .action(async (id: string, options: RemoteOptions) => {
      await (await openClient(options)).revokeShare(id);
      if (options.json) sayJson({ revoked: id });
      else note(`Revoked share ${id}.`);
    });
}
