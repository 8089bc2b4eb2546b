import type { Command } from 'commander';
import type { Client } from '../../client/client.ts';
import { between } from '../terminal/options.ts';
import { clean, note, printLine, when } from '../terminal/print.ts';
import { addRecordVerb } from '../terminal/resources.ts';

type Change = Awaited<ReturnType<Client['linkHistory']>>['data'][number];

/** Adds the commands for a link's history. */
export function addHistory(links: Command): void {
  addRecordVerb(links, 'link', 'history', {
    about: 'Show a link’s history: who changed what, and when',
    examples: [['linkfold links history spring', 'newest change first']],
    options: [['--limit <number>', 'changes to show, 1 to 100 (default: 20)', between(1, 100)]],
    run: async ({ client }, id, { limit = 20 }: { readonly limit?: number }) =>
      (await client.linkHistory(id, { limit })).data,
    show: (changes) => {
      if (changes.length === 0) note('No changes recorded for this link.');
      for (const change of changes) {
        printLine(
          `${change.revision}  ${when(change.at)}  ${change.action}  by ${formatActor(change.actor)}`,
        );
        for (const line of changeLines(change.changes)) printLine(line);
      }
    },
  });

  addRecordVerb(links, 'link', 'rollback', {
    about: 'Restore an earlier revision of a link',
    examples: [['linkfold links rollback spring 3', 'its code and password stay']],
    notes:
      '`links history` lists the revisions. The rollback is a new revision, which can be rolled back too.',
    args: [['<revision>', 'the revision to restore']],
    run: ({ client }, id, _options: object, revision: string) => client.rollBackLink(id, revision),
    show: ({ revision, kept }, [, wanted]) => {
      note(`Restored revision ${wanted} as revision ${revision}.`);
      if (kept.length > 0) note(`Unchanged: ${kept.join(', ')}.`);
    },
  });
}

/** Formats the author of a change. */
export function formatActor({ kind, id, name }: Change['actor']): string {
  return name === null ? kind : `${kind} ${clean(name)}${id === null ? '' : ` (${id})`}`;
}

/** Returns one line per changed field. */
export function changeLines(changes: Change['changes']): string[] {
  return Object.entries(changes).map(([field, { from, to, changed }]) =>
    changed ? `     ${field}: changed` : `     ${field}: ${textOf(from)} -> ${textOf(to)}`,
  );
}

/** Returns a value as one line. A string with line breaks is quoted. */
function textOf(value: unknown): string {
  if (value == null) return 'none';
  return typeof value === 'string' && !/[\r\n]/.test(value) ? clean(value) : JSON.stringify(value);
}
