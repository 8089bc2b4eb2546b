import type { Command, Option } from 'commander';
import { createProgram } from '../../src/cli/program.ts';
import { code, fenced, paragraphs, table } from './blocks.ts';

// What docs/cli.md says of commands, by the command line itself.

const program = await createProgram();

interface Leaf {
  readonly path: string;
  readonly command: Command;
}

function leavesOf(command: Command, path: string): Leaf[] {
  return command.commands.length === 0
    ? [{ path, command }]
    : command.commands.flatMap((child) => leavesOf(child, `${path} ${child.name()}`));
}

const leaves: readonly Leaf[] = leavesOf(program, 'linkfold');
export const commandBlocks: readonly string[] = leaves.map(({ path }) => path);

export function headingOf(path: string): string {
  return `${'#'.repeat(path.split(' ').length)} ${path}`;
}

/** What an option is, and what can be given. */
function meaningOf(option: Option): string {
  const { argChoices, defaultValue, defaultValueDescription, envVar, mandatory, negate } = option;
  const preset = defaultValueDescription ?? (typeof defaultValue === 'boolean' ? undefined : defaultValue);
  const given = argChoices === undefined ? '' : `: ${argChoices.map(code).join(', ')}`;
  return [
    option.description + given,
    ...(mandatory ? ['required'] : []),
    ...(negate || preset === undefined ? [] : [`default ${code(String(preset))}`]),
    ...(envVar === undefined ? [] : [`or ${code(envVar)}`]),
  ].join('; ');
}

/** The sections behind the options of a command's help: examples, notes, exit codes. */
function helpOf(command: Command): string {
  let help = '';
  command.configureOutput({ writeOut: (text) => (help += text), getOutHasColors: () => false }).outputHelp();
  return help.slice(help.indexOf('\nExamples:'));
}

export function commandPart(path: string): string {
  const found = leaves.find((leaf) => leaf.path === path);
  if (found === undefined) throw new Error(`There is no command ${path}.`);
  const { command } = found;
  const help = helpOf(command);
  const named = command.registeredArguments.map((one) => {
    const name = one.name() + (one.variadic ? '...' : '');
    const preset =
      one.defaultValue === undefined ? '' : `; default ${code([one.defaultValue].flat().join(' '))}`;
    return [code(one.required ? `<${name}>` : `[${name}]`), one.description + preset];
  });
  const [, examples = ''] = /\nExamples:\n([\s\S]*?)\n\n/.exec(help) ?? [];
  const lines = [...examples.matchAll(/^ {2}(\S.*)\n {6}(.+)$/gm)].map(
    ([, line, does]) => `# ${does}\n${line}`,
  );
  const exits = [...help.matchAll(/^ {2}(\d+) +(.+)$/gm)].map(([, exit, means]) => `${exit} ${means}`);
  return paragraphs(
    `${command.description()}.`,
    table(['Argument', 'Meaning'], named),
    table(
      ['Option', 'Meaning'],
      command.options.map((option) => [code(option.flags), meaningOf(option)]),
    ),
    lines.length === 0 ? '' : fenced('sh', lines.join('\n')),
    `Exit codes: ${exits.join(' · ')}`,
  );
}
