import { type Command, Option } from 'commander';
import { addCommand } from '../terminal/command.ts';
import { exits, Stop } from '../terminal/exits.ts';
import { printLine } from '../terminal/print.ts';
import { type Place, shells } from './shells.ts';
import { namedKinds, valuesOf } from './values.ts';

/** Adds the command that prints what a shell needs to complete command lines. */
export function addCompletion(program: Command): void {
  addCommand(program, 'completion', 'Print a completion script for a shell', {
    examples: [
      ['eval "$(linkfold completion bash)"', 'in ~/.bashrc'],
      ['eval "$(linkfold completion zsh)"', 'in ~/.zshrc, after compinit'],
      ['linkfold completion fish > ~/.config/fish/completions/linkfold.fish', 'once, and after an upgrade'],
    ],
    notes:
      'It completes commands, options and their values, and from the server codes, folders, tags, domains and other names, for which it waits at most 200 ms. They are cached for 30 seconds in $XDG_CACHE_HOME/linkfold.',
    refused: 'never',
  })
    .addArgument(program.createArgument('[shell]', 'the shell').choices(Object.keys(shells)))
    .addOption(new Option('--values <kind>').choices(Object.values(namedKinds)).hideHelp())
    .action(async (shell: keyof typeof shells | undefined, { values }: { readonly values?: string }) => {
      if (values !== undefined) for (const value of await valuesOf(values)) printLine(value);
      else if (shell !== undefined) printLine(shells[shell](placesIn(program)).trimEnd());
      else throw new Stop(exits.usage, `A shell is required: ${Object.keys(shells).join(', ')}.`);
    });
}

/** Returns every command with its possible completions. */
export function placesIn(command: Command, path = ''): Place[] {
  const commands = command.commands.map((child) => ({ name: child.name(), about: child.description() }));
  const help = new Option('-h, --help', 'display help for command');
  const options = [...command.options.filter(({ hidden }) => !hidden), help].map(
    ({ long, short, description, required, optional, argChoices }) => ({
      flags: [long, short].filter((flag) => flag !== undefined && flag !== null),
      about: description,
      takesValue: required || optional,
      choices: argChoices ?? [],
      kind: namedKinds[long?.slice(2) ?? ''],
    }),
  );
  const choices = command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []);
  return [
    { path, commands, options, choices, kind: namedKinds[command.registeredArguments[0]?.name() ?? ''] },
    ...command.commands.flatMap((child) => placesIn(child, `${path} ${child.name()}`.trim())),
  ];
}
