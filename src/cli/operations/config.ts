import type { Command } from 'commander';
import { strayVariables } from '../../app/process/stray-variables.ts';
import { describeConfig, type SettingInUse } from '../../config.ts';
import { addCommand, jsonOption } from '../terminal/command.ts';
import {
  type Column,
  clean,
  fitsIn,
  note,
  paint,
  printJson,
  printLine,
  printTable,
} from '../terminal/print.ts';

const columns: readonly Column<SettingInUse>[] = [
  { title: 'SETTING', of: (one) => one.name },
  { title: 'VALUE', of: (one) => one.value || '-' },
  { title: 'FROM', of: (one) => one.source },
  { title: 'MEANING', of: (one) => one.about },
];

export function addConfig(program: Command): void {
  addCommand(program, 'config', 'Show all settings, their values and sources; secrets are masked', {
    examples: [
      ['linkfold config', 'settings of a server started here'],
      ['linkfold config --json', 'the same for scripts'],
    ],
    refused: 'never',
  })
    .option(...jsonOption)
    .action((options: { json?: true }, command: Command) => {
      // Warnings are printed first, because a misspelled name may cause an error below.
      for (const sentence of strayVariables(process.env))
        note(`${paint('yellow', 'warning:', process.stderr)} ${clean(sentence)}`);
      const inUse = describeConfig(process.env);
      if (options.json) printJson(inUse);
      else if (fitsIn(inUse, columns)) printTable(inUse, columns);
      else for (const one of inUse) printSetting(one, command);
    });
}

/** Prints a setting on several lines, for a terminal that is too narrow for a table. */
function printSetting({ name, value, source, about }: SettingInUse, command: Command): void {
  printLine(`${paint('bold', name)} ${clean(value) || '-'}${source === 'default' ? '' : ` (${source})`}`);
  const lines = command.createHelp().boxWrap(about, (process.stdout.columns || 80) - 4);
  for (const line of lines.split('\n')) printLine(`    ${line}`);
}
