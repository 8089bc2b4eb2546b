import type { Command } from 'commander';
import { exits, Stop } from '../terminal/exits.ts';
import { clean, note, plural, printJson, printLine } from '../terminal/print.ts';
import { addServerCommand, connectToServer, type RemoteOptions } from '../terminal/remote.ts';
import { accept } from './accept.ts';
import { type Change, locationOf, openManifest } from './manifest.ts';
import { planned } from './plan.ts';
import { formatValue } from './print.ts';

interface DriftOptions extends RemoteOptions {
  readonly accept?: true;
}

const words: Partial<Readonly<Record<Change['action'], string>>> = {
  update: 'differs on the server',
  restore: 'was deleted on the server',
  keep: 'is on the server, but in no file',
};

/** Adds `drift`, which shows differences between the server and files. */
export function addDrift(program: Command): void {
  addServerCommand(program, 'drift', 'Show where links on the server differ from files', {
    examples: [
      ['linkfold drift links.yaml', 'nightly, in CI'],
      ['linkfold drift links.yaml --accept', 'updates the file from the server and keeps its comments'],
    ],
    notes:
      'New links in the files are not drift: `plan` shows them. --accept updates fields, removes deleted links, and appends missing links to the first file. Nothing changes on the server.',
    found: 'there are differences',
  })
    .argument('<files...>', 'files of one manifest, YAML or JSON')
    .option('--accept', 'update the files from the server')
    .action(async (paths: string[], options: DriftOptions) => {
      const connection = await connectToServer(options);
      const manifest = await openManifest(connection, paths);
      const { changes } = await planned(connection, manifest, { adopt: true });
      const drifted = changes.filter(({ action }) => words[action] !== undefined);
      if (options.json) printJson({ manifest: manifest.name, drifted });
      else for (const change of drifted) printDrift(change, locationOf(manifest, change.index));
      if (drifted.length === 0) {
        if (!options.json) note(`${clean(manifest.name)}: no drift.`);
        return;
      }
      if (!options.accept) throw new Stop(exits.found);
      const files = await accept(connection, manifest, drifted);
      if (!options.json) note(`${plural(drifted.length, 'link')} updated in ${files.join(', ')}.`);
    });
}

function printDrift({ action, customCode, changes }: Change, where: string): void {
  printLine(`${clean(customCode)} ${words[action]}${where && ` (${where})`}`);
  if (action !== 'update') return;
  for (const [field, { from, to }] of Object.entries(changes))
    printLine(`    ${field}: ${formatValue(from)} on the server, ${formatValue(to)} in the file`);
}
