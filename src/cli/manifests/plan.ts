import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import type { ManifestPlan } from '../../client/client.ts';
import { confirm } from '../terminal/confirm.ts';
import { exits, Stop, unreadable } from '../terminal/exits.ts';
import { wholeNumber } from '../terminal/options.ts';
import { note, plural, printJson } from '../terminal/print.ts';
import type { ServerConnection } from '../terminal/references.ts';
import { addServerCommand, connectToServer, type RemoteOptions } from '../terminal/remote.ts';
import { type Manifest, openManifest, withLines } from './manifest.ts';
import { doneIn, hasWork, printPlan } from './print.ts';

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
    .option('--prune', 'delete links of the manifest that are no longer in its files')
    .option('--release', 'keep these links and remove them from the manifest')
    .option('--adopt', 'adopt existing links that belong to no manifest');
}

/** Adds `plan`, which shows what would change if the files of a manifest were applied. */
export function addPlan(program: Command): void {
  const command = addServerCommand(program, 'plan', 'Show the changes that files would make', {
    examples: [
      ['linkfold plan links.yaml', 'link by link, field by field'],
      ['linkfold plan links.yaml --json > plan.json', 'for scripts, or for apply --plan'],
    ],
    notes:
      'A read-only key is enough. Domain and code identify a link. Fields that are not in the file are removed. See docs/links-as-code.md.',
    found: 'there are changes to apply',
  }).argument('<files...>', aboutFiles);
  addPlanOptions(command).action(async (paths: string[], options: PlanOptions) => {
    const connection = await connectToServer(options);
    const manifest = await openManifest(connection, paths);
    const plan = await planned(connection, manifest, options);
    if (options.json) printJson({ manifest: manifest.name, ...plan });
    else printPlan(manifest, plan);
    if (hasWork(plan.counts)) throw new Stop(exits.found);
  });
}

function absentOf({ prune, release }: PlanOptions): 'keep' | 'release' | 'delete' {
  if (prune && release) throw new Stop(exits.usage, '--prune and --release cannot be combined.');
  if (prune) return 'delete';
  return release ? 'release' : 'keep';
}

/** Requests the plan for a manifest. @throws Stop with the file and line of each rejected link */
export function planned(
  { client }: ServerConnection,
  manifest: Manifest,
  options: PlanOptions,
): Promise<ManifestPlan> {
  const asked = { links: [...manifest.links], absent: absentOf(options), adopt: options.adopt === true };
  return withLines(manifest, () => client.planManifest(manifest.name, asked));
}

/** Adds `apply`, which applies the files of a manifest to the server. */
export function addApply(program: Command): void {
  const command = addServerCommand(program, 'apply', 'Apply the links in files, all or nothing', {
    examples: [
      ['linkfold apply links.yaml', 'shows the plan and asks'],
      ['linkfold apply links/*.yaml --prune --yes', 'in a pipeline'],
      ['linkfold apply links.yaml --plan plan.json --yes', 'only if nothing changed since that plan'],
    ],
    notes:
      'All changes are one transaction. If a link was changed since the plan, nothing is applied: review a new plan. --prune deletes at most a tenth of the links, or 5 if that is more, unless --max-deletes allows more.',
    refused: 'the links were rejected; nothing was applied',
  }).argument('<files...>', aboutFiles);
  addPlanOptions(command)
    .option('--max-deletes <number>', 'maximum number of links that --prune may delete', wholeNumber)
    .option('--plan <file>', 'output of `plan --json`: apply only if nothing changed since')
    .option('--yes', 'do not ask')
    .action(async (paths: string[], options: ApplyOptions) => {
      const { json, yes, plan: file } = options;
      const connection = await connectToServer(options);
      const manifest = await openManifest(connection, paths);
      const plan = await planned(connection, manifest, options);
      if (!json) printPlan(manifest, plan);
      const maxDeletes = deleteLimit(plan, options);
      const seen = file === undefined ? plan.seen : seenIn(file, manifest.name);
      if (!hasWork(plan.counts) && file === undefined) {
        if (json) printJson(plan.counts);
        return;
      }
      if (!yes) await confirm('Apply this?', 'Nothing was done.');
      const absent = absentOf(options);
      const asked = { links: [...manifest.links], absent, adopt: options.adopt === true, maxDeletes, seen };
      const counts = await withLines(manifest, () => connection.client.applyManifest(manifest.name, asked));
      if (json) printJson(counts);
      else note(`Applied: ${doneIn(counts)}`);
    });
}

const fewDeletes = 5;

/** Returns how many links may be deleted. @throws Stop if the plan deletes more links */
function deleteLimit({ counts, seen }: ManifestPlan, { maxDeletes }: ApplyOptions): number {
  const bound = maxDeletes ?? Math.max(fewDeletes, Math.floor(seen.length / 10));
  if (counts.delete <= bound) return bound;
  throw new Stop(
    exits.refused,
    `${plural(counts.delete, 'link')} would be deleted, but the limit is ${bound}. To allow this, pass --max-deletes ${counts.delete}`,
  );
}

/**
 * Reads an earlier plan's file and returns the list of links that the plan was based on.
 * @throws Stop if the file is not a plan for this manifest
 */
function seenIn(path: string, name: string): ManifestPlan['seen'] {
  let read: { manifest?: unknown; seen?: unknown };
  try {
    read = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw unreadable(path, error);
  }
  if (read?.manifest !== name || !Array.isArray(read.seen))
    throw new Stop(
      exits.usage,
      `${path} is not a plan of the manifest ${name}. Create one with: plan --json`,
    );
  return read.seen;
}
