import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import type { ManifestPlan } from '../../client/client.ts';
import { reasonOf } from '../../runtime/files/file-faults.ts';
import { confirm } from '../terminal/confirm.ts';
import { exits, Stop } from '../terminal/exits.ts';
import { wholeNumber } from '../terminal/options.ts';
import { note, plural, sayJson } from '../terminal/print.ts';
import type { Place } from '../terminal/references.ts';
import { addServerCommand, openPlace, type RemoteOptions } from '../terminal/remote.ts';
import { type Manifest, openManifest, withLines } from './manifest.ts';
import { doneIn, hasWork, sayPlan } from './print.ts';

interface PlanOptions extends RemoteOptions {
  readonly prune?: true;
  readonly release?: true;
  readonly adopt?: true;
}

interface ApplyOptions extends PlanOptions {
  readonly maxDeletes?: number;
  readonly plan?: string;
  readonly yes?: true;
}

const aboutFiles = 'files of one manifest, YAML or JSON';

function addPlanOptions(command: Command): Command {
  return command
    .option('--prune', 'delete links that the manifest keeps and its files no longer have')
    .option('--release', 'let them go instead: they stay, and no manifest keeps them')
    .option('--adopt', 'take over links that are there already and that no manifest keeps');
}

/** Adds `plan`: what files of links would change. */
export function addPlan(program: Command): void {
  const command = addServerCommand(
    program,
    'plan',
    'Say what the links in files would change, and change nothing',
    {
      examples: [
        ['linkfold plan links.yaml', 'link by link, field by field'],
        ['linkfold plan links/*.yaml --prune --json > plan.json', 'for a program, or for apply --plan'],
      ],
      notes:
        'A key that may read is enough. A link is known by its domain and code; a field that is not written is none. See docs/links-as-code.md.',
      found: 'there is something to do',
    },
  ).argument('<files...>', aboutFiles);
  addPlanOptions(command).action(async (paths: string[], options: PlanOptions) => {
    const place = await openPlace(options);
    const manifest = await openManifest(place, paths);
    const plan = await planned(place, manifest, options);
    if (options.json) sayJson({ manifest: manifest.name, ...plan });
    else sayPlan(manifest, plan);
    if (hasWork(plan.counts)) throw new Stop(exits.found);
  });
}

function absentOf({ prune, release }: PlanOptions): 'keep' | 'release' | 'delete' {
  if (prune && release) throw new Stop(exits.usage, '--prune and --release exclude each other.');
  if (prune) return 'delete';
  return release ? 'release' : 'keep';
}

/** @throws Stop with file and line of what is refused */
export function planned({ client }: Place, manifest: Manifest, options: PlanOptions): Promise<ManifestPlan> {
  const asked = { links: [...manifest.links], absent: absentOf(options), adopt: options.adopt === true };
  return withLines(manifest, () => client.planManifest(manifest.name, asked));
}

/** Adds `apply`: makes links what files say. */
export function addApply(program: Command): void {
  const command = addServerCommand(program, 'apply', 'Make links what files say: everything, or nothing', {
    examples: [
      ['linkfold apply links.yaml', 'shows the plan and asks'],
      ['linkfold apply links/*.yaml --prune --yes', 'in a pipeline'],
      ['linkfold apply links.yaml --plan plan.json --yes', 'only if everything is as that plan saw it'],
    ],
    notes:
      'One call does it all in one transaction. When a link was changed since the plan, nothing is done: look at a new one. With --prune at most a tenth of the links is deleted, and 5 in any case, unless --max-deletes says more.',
    refused: 'refused, and nothing was done',
  }).argument('<files...>', aboutFiles);
  addPlanOptions(command)
    .option('--max-deletes <number>', 'how many links --prune may delete', wholeNumber)
    .option(
      '--plan <file>',
      'what `plan --json` printed: nothing is done unless everything is as it was then',
    )
    .option('--yes', 'do not ask')
    .action(async (paths: string[], options: ApplyOptions) => {
      const { json, yes, plan: file } = options;
      const place = await openPlace(options);
      const manifest = await openManifest(place, paths);
      const plan = await planned(place, manifest, options);
      if (!json) sayPlan(manifest, plan);
      const maxDeletes = boundOf(plan, options);
      const seen = file === undefined ? plan.seen : seenIn(file, manifest.name);
      if (!hasWork(plan.counts) && file === undefined) {
        if (json) sayJson(plan.counts);
        return;
      }
      if (!yes) await confirm('Apply this?', 'Give --yes to apply without being asked.', 'Nothing was done.');
      const absent = absentOf(options);
      const asked = { links: [...manifest.links], absent, adopt: options.adopt === true, maxDeletes, seen };
      const counts = await withLines(manifest, () => place.client.applyManifest(manifest.name, asked));
      if (json) sayJson(counts);
      else note(`Applied: ${doneIn(counts)}`);
    });
}

const fewDeletes = 5;

/** How many links may be deleted. @throws Stop when the plan deletes more */
function boundOf({ counts, seen }: ManifestPlan, { maxDeletes }: ApplyOptions): number {
  const bound = maxDeletes ?? Math.max(fewDeletes, Math.floor(seen.length / 10));
  if (counts.delete <= bound) return bound;
  throw new Stop(
    exits.refused,
    `${plural(counts.delete, 'link')} would be deleted, and at most ${bound} may be. If that is meant: --max-deletes ${counts.delete}`,
  );
}

/** What an earlier plan saw. @throws Stop when the file is none of this manifest */
function seenIn(path: string, name: string): ManifestPlan['seen'] {
  let read: { manifest?: unknown; seen?: unknown };
  try {
    read = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new Stop(exits.usage, `${path} cannot be read: ${reasonOf(error)}.`);
  }
  if (read?.manifest !== name || !Array.isArray(read.seen))
    throw new Stop(exits.usage, `${path} is no plan of the manifest ${name}: make one with plan --json.`);
  return read.seen;
}
