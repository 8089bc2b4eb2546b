import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import type { Client } from '../../client/client.ts';
import { Unreachable } from '../../client/errors.ts';
import { exits, Stop } from '../terminal/exits.ts';
import { addExportOptions, type ExportOptions, formatGiven, writeExport } from '../terminal/export.ts';
import { pathPart } from '../terminal/options.ts';
import { type Column, count, note, plural, printFacts, printList, when } from '../terminal/print.ts';
import { addServerCommand, openClient, type RemoteOptions } from '../terminal/remote.ts';
import { addVerb } from '../terminal/resources.ts';

export type Import = Awaited<ReturnType<Client['getImport']>>;

const columns: readonly Column<Import>[] = [
  { title: 'ID', of: ({ id }) => id },
  { title: 'SOURCE', of: ({ source }) => source },
  { title: 'STATE', of: ({ state }) => state },
  { title: 'STARTED', of: ({ createdAt }) => when(createdAt) },
  { title: 'LINKS', of: ({ counts }) => count(counts.taken + counts.renamed), right: true },
  { title: 'REJECTED', of: ({ counts }) => count(counts.refused), right: true },
];

/** Returns a sentence about what an import changed. */
export function sumOf({ counts }: Import): string {
  const { taken, renamed, changed, unchanged, skipped, refused, mended } = counts;
  const clicks = counts.clicks - counts.unchangedClicks + counts.undatedClicks;
  // `undatedOfNoLink` sums the links' total clicks, which include dated clicks. Adding the two numbers would count the
  // dated clicks twice.
  const lost = Math.max(counts.clicksOfNoLink, counts.undatedOfNoLink);
  const parts = [
    `Imported ${plural(taken + renamed, 'link')} and ${plural(clicks, 'click')}`,
    changed > 0 && `${count(changed)} changed`,
    `${count(unchanged)} unchanged`,
    skipped > 0 && `${count(skipped)} skipped`,
    `${count(refused)} rejected`,
    lost > 0 && `${plural(lost, 'click')} on links that were not imported`,
    mended > 0 && `${plural(mended, 'part')} of links changed or dropped`,
  ];
  return `${parts.filter((part) => part !== false).join('; ')}.`;
}

const pollEveryMs = 500;

/** Waits until analytics include the imported clicks. */
export async function waitForImport(client: Client, { id }: Pick<Import, 'id'>): Promise<Import> {
  for (;;) {
    const found = await retryUnreachable(() => client.getImport(id));
    if (found.state !== 'counting' && found.state !== 'undoing') return found;
    await sleep(pollEveryMs);
  }
}

/** Milliseconds between attempts. In total, the pauses outlast a server restart. */
const waitsMs = [1_000, 2_000, 4_000, 8_000, 15_000, 15_000, 15_000];

/** Retries an idempotent call while the server is unreachable. */
export async function retryUnreachable<T>(work: () => Promise<T>): Promise<T> {
  for (const [tried, waitMs] of waitsMs.entries())
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error;
      note(
        `The server does not respond. Retrying in ${waitMs / 1_000} s (${tried + 1} of ${waitsMs.length}).`,
      );
      await sleep(waitMs);
    }
  return work();
}

const importArgument = ['[id]', 'ID of the import (default: the latest)', pathPart] as const;

/** Returns the given ID, or the ID of the latest import. @throws Stop if there is no import */
async function idOrLatest(client: Client, given: string | undefined): Promise<string> {
  const id = given ?? (await client.listImports())[0]?.id;
  if (id === undefined) throw new Stop(exits.refused, 'The account has no imports.');
  return id;
}

function printImport({ id, source, instance, state, position, counts, createdAt }: Import): void {
  const facts = { id, source, instance: instance ?? '-', state, started: when(createdAt) };
  const numbers = Object.entries(counts).map(([name, number]) => [name, count(number)]);
  printFacts({ ...facts, lines: count(position), ...Object.fromEntries(numbers) });
}

/** Adds the commands that list, monitor and control imports. */
export function addImports(group: Command): void {
  addVerb(group, 'list', {
    about: 'List imports, latest first',
    examples: [['linkfold import list', 'with their progress']],
    run: ({ client }) => client.listImports(),
    show: (imports) => printList(imports, columns, 'No imports yet.'),
  });

  addVerb(group, 'status', {
    about: 'Show the progress of an import',
    examples: [['linkfold import status', 'the latest import']],
    args: [importArgument],
    run: async ({ client }, [id]: [string | undefined]) => client.getImport(await idOrLatest(client, id)),
    show: printImport,
  });

  addReport(group);

  for (const { name, state, about } of [
    { name: 'pause', state: 'paused', about: 'Pause an import' },
    { name: 'resume', state: 'open', about: 'Resume a paused import' },
  ] as const)
    addVerb(group, name, {
      about,
      examples: [[`linkfold import ${name}`, 'the latest import']],
      args: [importArgument],
      run: async ({ client }, [id]: [string | undefined]) =>
        client.updateImport(await idOrLatest(client, id), { state }),
      show: printImport,
    });

  addVerb(group, 'undo', {
    about: 'Undo an import: delete its links and revert the links that it changed',
    examples: [['linkfold import undo 0198c5a0-7777-7b3a-9c41-3f0f6f2f8a10', 'waits until it is done']],
    notes: 'Links that were changed or deleted after the import stay as they are.',
    args: [['<id>', 'ID of the import', pathPart]],
    run: async ({ client }, [id]: [string]) => waitForImport(client, await client.undoImport(id)),
    json: ({ counts, ...found }) => ({ ...found, counts }),
    show: ({ counts }) =>
      note(
        `Undid ${plural(counts.undone, 'link')}; kept ${count(counts.kept)} that were changed or deleted since.`,
      ),
  });
}

function addReport(group: Command): void {
  const command = addServerCommand(group, 'report', 'Export the result of an import, one row per link', {
    examples: [['linkfold import report --out report.csv', 'the latest import']],
  }).argument(...importArgument);
  addExportOptions(command);
  command.action(async (id: string | undefined, options: RemoteOptions & ExportOptions) => {
    const format = formatGiven(options.out === undefined ? { format: 'csv', ...options } : options) ?? 'csv';
    const client = await openClient(options);
    await writeExport(
      await client.exportImportReport(await idOrLatest(client, id), { format }),
      format,
      options,
    );
  });
}
