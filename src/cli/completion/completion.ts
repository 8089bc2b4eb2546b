import { type Command, Option } from 'commander';
import { addCommand } from '../terminal/command.ts';
import { say } from '../terminal/print.ts';
import { type Place, shells } from './shells.ts';

/** Adds the command that prints what a shell needs to complete command lines. */
export function addCompletion(program: Command): void {
  addCommand(program, 'completion', 'Print the completion of commands, options and values for a shell', {
    examples: [
      ['eval "$(linkfold completion bash)"', 'in ~/.bashrc'],
      ['eval "$(linkfold completion zsh)"', 'in ~/.zshrc, behind compinit'],
      ['linkfold completion fish > ~/.config/fish/completions/linkfold.fish', 'once, and after an upgrade'],
    ],
    refused: 'never',
  })
    .addArgument(program.createArgument('<shell>', 'the shell').choices(Object.keys(shells)))
    .action((shell: keyof typeof shells) => say(shells[shell](placesIn(program)).trimEnd()));
}

/** Every command, with what may follow it. */
export function placesIn(command: Command, path = ''): Place[] {
  const commands = command.commands.map((child) => ({ name: child.name(), about: child.description() }));
  const help = new Option('-h, --help', 'display help for command');
  const options = [...command.options, help].map(
    ({ long, short, description, required, optional, argChoices }) => ({
      flags: [long, short].filter((flag) => flag !== undefined && flag !== null),
      about: description,
      takesValue: required || optional,
      choices: argChoices ?? [],
    }),
  );
  const choices = command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []);
  return [
    { path, commands, options, choices },
    ...command.commands.flatMap((child) => placesIn(child, `${path} ${child.name()}`.trim())),
  ];
}
