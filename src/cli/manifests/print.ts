import type { ManifestPlan } from '../../client/client.ts';
import { clean, count, paint, plural, printLine } from '../terminal/print.ts';
import { type Change, locationOf, type Manifest } from './manifest.ts';

type Counts = ManifestPlan['counts'];
type Action = Change['action'];

const marks = {
  create: ['green', '+'],
  restore: ['green', '+'],
  update: ['yellow', '~'],
  adopt: ['yellow', '~'],
  release: ['yellow', '-'],
  delete: ['red', '-'],
  keep: ['dim', ' '],
} as const satisfies Readonly<Record<Action, readonly [Parameters<typeof paint>[0], string]>>;

const words: Readonly<Record<Action, string>> = {
  create: 'will be created',
  restore: 'will be restored with its clicks',
  update: 'will be changed',
  adopt: 'will be adopted',
  release: 'will be released: the link stays, without a manifest',
  delete: 'will be deleted',
  keep: 'is no longer in the files: --prune deletes the link, --release keeps it',
};

/** Formats a field value as readable text. */
export function formatValue(value: unknown): string {
  if (value === null || value === undefined) return '(none)';
  if (Array.isArray(value) && value.length === 0) return '(none)';
  return clean(typeof value === 'string' ? value : JSON.stringify(value));
}

/** Prints each change in a plan, and a summary. */
export function printPlan(manifest: Manifest, { changes, counts }: ManifestPlan): void {
  for (const change of changes) {
    const [style, mark] = marks[change.action];
    const where = locationOf(manifest, change.index);
    printLine(
      `${paint(style, `${mark} ${clean(change.customCode)}`)} ${words[change.action]}${where && ` (${where})`}`,
    );
    if (change.action === 'create')
      printLine(`    ${clean(String(manifest.links[change.index ?? -1]?.url ?? ''))}`);
    for (const [field, { from, to }] of Object.entries(change.changes))
      printLine(`    ${field}: ${formatValue(from)} -> ${formatValue(to)}`);
  }
  printLine(`${clean(manifest.name)}: ${sumOf(counts)}`);
}

const sums = {
  create: 'to create',
  restore: 'to restore',
  update: 'to change',
  adopt: 'to adopt',
  release: 'to release',
  delete: 'to delete',
} as const;

/** Returns true if there are changes to apply. */
export function hasWork(counts: Counts): boolean {
  return Object.keys(sums).some((action) => counts[action as keyof typeof sums] > 0);
}

function sumOf(counts: Counts): string {
  const parts = Object.entries(sums).flatMap(([action, what]) => {
    const links = counts[action as keyof typeof sums];
    return links === 0 ? [] : [`${count(links)} ${what}`];
  });
  const same = `${plural(counts.unchanged, 'link')} unchanged`;
  return `${parts.length === 0 ? 'nothing to do' : parts.join(', ')}; ${same}.`;
}

const done: Readonly<Record<keyof typeof sums, string>> = {
  create: 'created',
  restore: 'restored',
  update: 'changed',
  adopt: 'adopted',
  release: 'released',
  delete: 'deleted',
};

/** Returns a sentence about the applied changes. */
export function doneIn(counts: Counts): string {
  const parts = Object.entries(done).flatMap(([action, what]) => {
    const links = counts[action as keyof typeof done];
    return links === 0 ? [] : [`${count(links)} ${what}`];
  });
  return `${parts.join(', ')}.`;
}
