import type { Command } from 'commander';
import { openBlockLists } from '../../app/background/block-lists.ts';
import { createTargetIterator, findListed, type Listed } from '../../external/block-lists/listed-links.ts';
import { formatTimestamp } from '../../model/timestamps.ts';
import { addCommand, addGroup, jsonOption } from '../terminal/command.ts';
import { exits, Stop } from '../terminal/exits.ts';
import { withTools } from '../terminal/local.ts';
import { type Column, count, note, plural, printJson, printTable } from '../terminal/print.ts';

interface ListRow {
  readonly list: string;
  readonly hosts: number;
  readonly loadedAt: string | null;
}

const columnsOfLists: readonly Column<ListRow>[] = [
  { title: 'LIST', of: ({ list }) => list },
  { title: 'HOSTS', of: ({ hosts }) => count(hosts), right: true },
  { title: 'READ', of: ({ loadedAt }) => loadedAt ?? 'from its last copy' },
];

const whereTo: readonly Column<Listed>[] = [
  { title: 'ACCOUNT', of: ({ account }) => account },
  { title: 'HOST', of: ({ host }) => host },
  { title: 'LIST', of: ({ list }) => list },
];
const columnsOfLinks: readonly Column<Listed>[] = [
  { title: 'CODE', of: ({ code }) => code ?? '-' },
  ...whereTo,
];
const columnsOfFallbacks: readonly Column<Listed>[] = [
  { title: 'FOLDER OR BRANDING', of: ({ folder }) => folder ?? 'branding' },
  ...whereTo,
];

const linksAtOnce = 1_000;

export function addBlockLists(program: Command): void {
  const group = addGroup(program, 'block-lists', 'Block lists of hosts (BLOCK_LISTS)');
  addCommand(
    group,
    'check',
    'Load the block lists and find links, folders and brandings with blocked hosts',
    {
      reaches: 'database',
      examples: [
        ['linkfold block-lists check', 'all lists'],
        ['linkfold block-lists check --json', 'for scripts'],
      ],
      refused: 'a blocked host was found, or a list cannot be loaded',
      notes: 'The links keep working. Delete the links, or suspend the account.',
    },
  )
    .option(...jsonOption)
    .action(({ json }: { json?: true }) =>
      withTools({ json }, async ({ storage, now }, config) => {
        if (config.BLOCK_LISTS.length === 0)
          throw new Stop(exits.usage, 'No block lists are configured. Set BLOCK_LISTS to files or URLs.');
        const failures: string[] = [];
        const onError = (sentence: string, facts: Readonly<Record<string, unknown>> = {}): void => {
          failures.push(`${sentence} ${facts['list']}: ${facts['reason']}`);
        };
        const lists = openBlockLists(config, { now, onError, onInfo() {} });
        await lists.load(false);
        const states = lists.states().map(({ name, hosts, loadedAt }) => ({
          list: name,
          hosts,
          loadedAt: loadedAt === undefined ? null : formatTimestamp(loadedAt),
        }));
        const found: Listed[] = [];
        const next = createTargetIterator(storage, linksAtOnce);
        for (let some = await next(); some !== undefined; some = await next())
          found.push(...findListed(some, lists));
        const links = found.filter(({ code }) => code !== null);
        const fallbacks = found.filter(({ code }) => code === null);
        if (json)
          printJson({
            lists: states,
            links: links.map(({ folder: _, ...link }) => link),
            fallbacks: fallbacks.map(({ code: _, ...fallback }) => fallback),
          });
        else {
          printTable(states, columnsOfLists);
          for (const failure of failures) note(failure);
          if (links.length === 0) note('No active link redirects to a host on these lists.');
          else printTable(links, columnsOfLinks);
          if (fallbacks.length > 0) printTable(fallbacks, columnsOfFallbacks);
        }
        if (found.length > 0 || failures.length > 0)
          throw new Stop(
            exits.refused,
            `${plural(links.length, 'link')} and ${count(fallbacks.length)} folders or brandings found, ${plural(failures.length, 'list')} failed.`,
          );
      }),
    );
}
