import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import type { Client } from '../../client/client.ts';
import { Unreachable } from '../../client/errors.ts';
import { exits, Stop } from '../terminal/exits.ts';
import { addExportOptions, type ExportOptions, formatGiven, writeExport } from '../terminal/export.ts';
import { pathPart } from '../terminal/options.ts';
import {
  type Column,
  clean,
  count,
  note,
  plural,
  sayFacts,
  sayJson,
  sayTable,
  when,
} from '../terminal/print.ts';
import { addServerCommand, openClient, type RemoteOptions } from '../terminal/remote.ts';

export type Import = Awaited<ReturnType<Client['getImport']>>;

const columns: readonly Column<Import>[] = [
  { title: 'ID', of: ({ id }) => id },
  { title: 'SOURCE', of: ({ source }) => clean(source) },
  { title: 'STATE', of: ({ state }) => state },
  { title: 'BEGUN', of: ({ createdAt }) => when(createdAt) },
  { title: 'LINKS', of: ({ counts }) => count(counts.taken + counts.renamed), right: true },
  { title: 'REFUSED', of: ({ counts }) => count(counts.refused), right: true },
];

/** Says what an import changed, as a sentence. */
export function sumOf({ counts }: Import): string {
  const { taken, renamed, changed, unchanged, skipped, refused, mended } = counts;
  const clicks = counts.clicks - counts.unchangedClicks + counts.undatedClicks;
  // The counter of a link has its clicks with a time, too.
  const lost = Math.max(counts.clicksOfNoLink, counts.undatedOfNoLink);
  const parts = [
    `Imported ${plural(taken + renamed, 'link')} and ${plural(clicks, 'click')}`,
    changed > 0 && `${count(changed)} changed`,
    `${count(unchanged)} unchanged`,
    skipped > 0 && `${count(skipped)} skipped`,
    `${count(refused)} refused`,
    lost > 0 && `${plural(lost, 'click')} of links that were not imported`,
    mended > 0 && `${plural(mended, 'part')} of links changed or dropped`,
  ];
  return `${parts.filter((part) => part !== false).join('; ')}.`;
}

const pollEveryMs = 500;

/** Waits until the clicks are in statistics. */
export async function whenDone(client: Client, { id }: Pick<Import, 'id'>): Promise<Import> {
  for (;;) {
    const found = await retryUnreachable(() => client.getImport(id));
    if (found.state !== 'counting' && found.state !== 'undoing') return found;
    await sleep(pollEveryMs);
  }
}

/** A restart of the server takes less than their sum. */
const waitsMs = [1_000, 2_000, 4_000, 8_000, 15_000, 15_000, 15_000];

/** Repeats a call that changes nothing when it is repeated, while the server cannot be reached. */
export async function retryUnreachable<T>(work: () => Promise<T>): Promise<T> {
  for (const [tried, waitMs] of waitsMs.entries())
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error;
      note(
        `The server does not answer. Trying again in ${waitMs / 1_000} s (${tried + 1} of ${waitsMs.length}).`,
      );
      await sleep(waitMs);
    }
  return work();
}

const aboutId = 'id of the import (default: the last one begun)';

/** The id that is given, or that of the last import. @throws Stop when there is none */
async function idOf(client: Client, given: string | undefined): Promise<string> {
  const id = given ?? (await client.listImports())[0]?.id;
  if (id === undefined) throw new Stop(exits.refused, 'The account has no import.');
  return id;
}

function tell(found: Import, { json }: RemoteOptions): void {
  if (json) return sayJson(found);
  const { id, source, instance, state, position, counts, createdAt } = found;
  const facts = {
    id,
    source: clean(source),
    instance: clean(instance ?? '-'),
    state,
    begun: when(createdAt),
  };
  const numbers = Object.entries(counts).map(([name, number]) => [name, count(number)]);
  sayFacts({ ...facts, lines: count(position), ...Object.fromEntries(numbers) });
}

/** Adds what looks at imports, and ends them. */
export function addImports(group: Command): void {
  addServerCommand(group, 'list', 'List imports, the last begun first', {
    examples: [['linkfold import list', 'what was taken, and how far it is']],
  }).action(async (options: RemoteOptions) => {
    const found = await (await openClient(options)).listImports();
    if (options.json) sayJson(found);
    else if (found.length === 0) note('Nothing was imported.');
    else sayTable(found, columns);
  });

  addServerCommand(group, 'status', 'Say how far an import is', {
    examples: [['linkfold import status', 'of the last one']],
  })
    .argument('[id]', aboutId, pathPart)
    .action(async (id: string | undefined, options: RemoteOptions) => {
      const client = await openClient(options);
      tell(await client.getImport(await idOf(client, id)), options);
    });

  addReport(group);

  for (const [name, about, state] of [
    ['pause', 'Let an import take no further lines', 'paused'],
    ['resume', 'Let a paused import take lines again', 'open'],
  ] as const)
    addServerCommand(group, name, about, { examples: [[`linkfold import ${name}`, 'the last one']] })
      .argument('[id]', aboutId, pathPart)
      .action(async (id: string | undefined, options: RemoteOptions) => {
        const client = await openClient(options);
        tell(await client.updateImport(await idOf(client, id), { state }), options);
      });

  addServerCommand(
    group,
    'undo',
    'Delete the links of an import, and give those that it changed what they had, unless somebody changed them since',
    {
      examples: [['linkfold import undo 0198c5a0-7777-7b3a-9c41-3f0f6f2f8a10', 'waits until it is done']],
    },
  )
    .argument('<id>', 'id of the import', pathPart)
    .action(async (id: string, options: RemoteOptions) => {
      const client = await openClient(options);
      const { counts, ...found } = await whenDone(client, await client.undoImport(id));
      if (options.json) sayJson({ ...found, counts });
      else
        note(
          `Undid ${plural(counts.undone, 'link')}; ${count(counts.kept)} were changed or deleted since, and stay as they are.`,
        );
    });
}

function addReport(group: Command): void {
  const command = addServerCommand(group, 'report', 'Say what became of each link of an import, as a file', {
    examples: [['linkfold import report --out report.csv', 'of the last one']],
  }).argument('[id]', aboutId, pathPart);
  addExportOptions(command);
  command.action(async (id: string | undefined, options: RemoteOptions & ExportOptions) => {
    const format = formatGiven(options.out === undefined ? { format: 'csv', ...options } : options) ?? 'csv';
    const client = await openClient(options);
    await writeExport(await client.exportImportReport(await idOf(client, id), { format }), format, options);
  });
}
