import type { Command } from 'commander';
import { describeConfig, type SettingInUse } from '../config.ts';
import { addCommand, jsonOption } from './command.ts';
import { type Column, sayJson, sayTable } from './print.ts';

const columns: readonly Column<SettingInUse>[] = [
  { title: 'SETTING', of: (one) => one.name },
  { title: 'VALUE', of: (one) => one.value || '-' },
  { title: 'FROM', of: (one) => one.source },
  { title: 'MEANING', of: (one) => one.about, cut: true },
];

export const addConfig = (program: Command): void => {
  addCommand(program, 'config', 'Show every setting, its value and where it came from; secrets are masked', {
    examples: [
      ['linkfold config', 'what a server started here would use'],
      ['linkfold config --json', 'the same for a program'],
    ],
    refused: 'never',
  })
    .option(...jsonOption)
    .action((options: { json?: true }) => {
      const inUse = describeConfig(process.env);
      if (options.json) sayJson(inUse);
      else sayTable(inUse, columns);
    });
};
