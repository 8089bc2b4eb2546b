import type { Command } from 'commander';
import { normalizeWords } from './grammar.ts';
import { unknownCommand } from './suggestions.ts';
import { addCommand } from './terminal/command.ts';
import { exits, Stop } from './terminal/exits.ts';

export function addHelp(program: Command): void {
  addCommand(program, 'help', 'Show help for a command', {
    examples: [
      ['linkfold help', 'all commands'],
      ['linkfold help links create', 'the same as linkfold links create --help'],
    ],
    refused: 'never',
  })
    .argument('[command...]', 'name of a command')
    .action((words: readonly string[]) => {
      const names = program.commands.map((command) => command.name());
      find(program, normalizeWords(words, names)).outputHelp();
    });
}

/**
 * Finds a command by the words of its name.
 * @throws Stop if there is no such command
 */
function find(program: Command, words: readonly string[]): Command {
  let command = program;
  for (const word of words) {
    const child = command.commands.find((one) => one.name() === word || one.aliases().includes(word));
    if (child === undefined)
      throw new Stop(
        exits.usage,
        unknownCommand(program, words) ??
          `"${words.join(' ')}" is not a command. To list all commands: linkfold help`,
      );
    command = child;
  }
  return command;
}
