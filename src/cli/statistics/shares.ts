import { type Command, Option } from 'commander';
import type { Client } from '../../client/client.ts';
import { addGroup } from '../terminal/command.ts';
import { exits, Stop } from '../terminal/exits.ts';
import { idOf } from '../terminal/kinds.ts';
import { pathPart, readSecret } from '../terminal/options.ts';
import { type Column, note, printLine, printList, printTable, when } from '../terminal/print.ts';
import type { ServerConnection } from '../terminal/references.ts';
import { addRecordVerb, addVerb } from '../terminal/resources.ts';

type Share = Awaited<ReturnType<Client['listShares']>>[number];
type Report = Awaited<ReturnType<Client['listAllShares']>>[number];
type Subject = Report['subjects'][number];

const columns: readonly Column<Share>[] = [
  { title: 'ID', of: (share) => share.id },
  { title: 'CREATED', of: (share) => when(share.createdAt) },
  { title: 'EXPIRES', of: (share) => when(share.expiresAt) },
];
const expires = ['--expires <time>', 'when the URL expires, ISO 8601 (default: never)'] as const;

function printShare({ id, url }: { readonly id: string; readonly url: string }): void {
  note(`Share ${id}. Its URL is shown only once:`);
  printLine(url);
}

/** Adds the commands that manage public URLs for a link's statistics. */
export function addShares(links: Command): void {
  addRecordVerb(links, 'link', 'share', {
    about: 'Create a public URL for a link’s statistics',
    examples: [['linkfold links share spring --expires 2027-12-31', 'the URL is shown only once']],
    options: [expires],
    run: ({ client }, id, options: { expires?: string }) =>
      client.shareLink(id, { expiresAt: options.expires }),
    show: printShare,
  });

  addRecordVerb(links, 'link', 'shares', {
    about: 'List a link’s shared statistics',
    examples: [['linkfold links shares spring', 'without their URLs, which are not stored']],
    run: ({ client }, id) => client.listShares(id),
    show: (shares) => printList(shares, columns, 'This link’s statistics are not shared.'),
  });
}

async function subjectIn(connection: ServerConnection, text: string): Promise<Subject> {
  const [, prefix, name = ''] = /^(link|folder|tag|campaign):(.+)$/s.exec(text) ?? [];
  if (prefix === undefined)
    throw new Stop(exits.usage, `"${text}" must be link:, folder:, tag: or campaign: followed by a name.`);
  const kind = prefix as Subject['kind'];
  return { kind, id: kind === 'campaign' ? name : await idOf(connection, kind, name) };
}

/** Adds the commands that manage public URLs for the statistics of links, folders, tags or the account. */
export function addAllShares(program: Command): void {
  const shares = addGroup(program, 'shares', 'Shared statistics with public URLs');

  addVerb(shares, 'list', {
    about: 'List shares created with `shares create`',
    examples: [['linkfold shares list', 'for shares of one link: linkfold links shares LINK']],
    run: ({ client }) => client.listAllShares(),
    show: (found) => printTable(found, [...columns, { title: 'SUBJECTS', of: subjectsOf }]),
  });

  addVerb(shares, 'create', {
    about: 'Share the statistics of up to four subjects and print the URL',
    examples: [
      ['linkfold shares create campaign:spring', 'all links of a campaign'],
      ['linkfold shares create campaign:spring campaign:summer --expires 2027-12-31', 'side by side'],
    ],
    args: [['<subject...>', 'link:, folder:, tag: or campaign: followed by a name']],
    options: [
      expires,
      new Option('--password-file <path>', 'file with a password for viewers; - is stdin').argParser(
        readSecret,
      ),
    ],
    run: async (connection, [given]: [string[]], options: { expires?: string; passwordFile?: string }) => {
      const subjects = await Promise.all(given.map((text) => subjectIn(connection, text)));
      const { expires: expiresAt, passwordFile: password } = options;
      return connection.client.createShare({ subjects, expiresAt, password });
    },
    show: printShare,
  });

  addVerb(shares, 'delete', {
    about: 'Revoke a share of any kind; its URL stops working',
    examples: [['linkfold shares delete 0198c5a0-6666-7b3a-9c41-3f0f6f2f8a10', 'by ID, as shown in lists']],
    args: [['<id>', 'ID of the share', pathPart]],
    run: async ({ client }, [id]: [string]) => {
      await client.revokeShare(id);
      return { revoked: id };
    },
    show: ({ revoked }) => note(`Revoked share ${revoked}.`),
  });
}

function subjectsOf({ subjects }: Pick<Report, 'subjects'>): string {
  return subjects.map(({ kind, id }) => `${kind}:${id}`).join(' ');
}
