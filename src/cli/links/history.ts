import type { Command } from 'commander';
import type { Client } from '../../client/client.ts';
import { note, say, sayJson, when } from '../terminal/print.ts';
import { aboutLink, linkId } from '../terminal/references.ts';
import { addServerCommand, openPlace, type RemoteOptions } from '../terminal/remote.ts';

type Change = Awaited<ReturnType<Client['linkHistory']>>['data'][number];

interface Page extends RemoteOptions {
  readonly limit?: string;
}

/** Adds the commands for what was done to a link. */
export function addHistory(links: Command): void {
  addServerCommand(links, 'history', 'Show what was done to a link: who, when, from what to what', {
    examples: [['linkfold links history spring', 'the newest change first']],
  })
    .argument('<link>', aboutLink)
    .option('--limit <number>', 'changes to show, 1 to 100', '20')
    .action(async (given: string, options: Page) => {
      const place = await openPlace(options);
      const { data } = await place.client.linkHistory(await linkId(place, given), {
        limit: Number(options.limit),
      });
      if (options.json) return sayJson(data);
      if (data.length === 0) note('No change of this link is remembered.');
      for (const change of data) {
        say(`${change.revision}  ${when(change.at)}  ${change.action}  by ${whoIn(change.actor)}`);
        for (const line of changeLines(change.changes)) say(line);
      }
    });

  addServerCommand(links, 'rollback', 'Make a link what it was at an earlier revision', {
    examples: [['linkfold links rollback spring 3', 'its code and password stay']],
    notes:
      '`links history` shows the revisions. Rolling back is a change of its own, which can be rolled back too.',
  })
    .argument('<link>', aboutLink)
    .argument('<revision>', 'the revision to go back to')
    .action(async (given: string, revision: string, options: RemoteOptions) => {
      const place = await openPlace(options);
      const link = await place.client.rollBackLink(await linkId(place, given), revision);
      if (options.json) return sayJson(link);
      note(`The link is what it was at revision ${revision}, as revision ${link.revision}.`);
      if (link.kept.length > 0) note(`As before stay: ${link.kept.join(', ')}.`);
    });
}

/** Who made a change, in a word or two. */
export function whoIn({ kind, id, name }: Change['actor']): string {
  return name === null ? kind : `${kind} ${name}${id === null ? '' : ` (${id})`}`;
}

/** A line for each field that changed. */
export function changeLines(changes: Change['changes']): string[] {
  return Object.entries(changes).map(([field, { from, to, changed }]) =>
    changed ? `     ${field}: changed` : `     ${field}: ${textOf(from)} -> ${textOf(to)}`,
  );
}

function textOf(value: unknown): string {
  return value == null ? 'none' : typeof value === 'string' ? value : JSON.stringify(value);
}
