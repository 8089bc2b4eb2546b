import type { Command } from 'commander';
import { addCommand } from './terminal/command.ts';
import { exits, Stop } from './terminal/exits.ts';

export function addHelp(program: Command): void {
  addCommand(program, 'help', 'Explain this program, or one of its commands', {
    examples: [
      ['linkfold help', 'all commands'],
      ['linkfold help links shorten', 'the same as linkfold links shorten --help'],
    ],
    refused: 'never',
  })
    .argument('[command...]', 'name of a command')
    .action((words: readonly string[]) => find(program, words).outputHelp());
}

/** @throws Stop when there is no such command */
function find(program: Command, words: readonly string[]): Command {
  let command = program;
  for (const word of words) {
    const child = command.commands.find((one) => one.name() === word);
    if (child === undefined)
      throw new Stop(exits.usage, `There is no command "${words.join(' ')}". All there are: linkfold help.`);
    command = child;
  }
  return command;
}
