import { type Command, InvalidArgumentError, Option } from 'commander';
import { isDeceptive } from '../../model/names.ts';
import { parseTimestamp } from '../../model/timestamps.ts';

/** Parts of a command's help in addition to the options. */
export interface Help {
  /** Example command lines, with descriptions. */
  readonly examples: readonly (readonly [line: string, does: string])[];
  /** Additional explanations, with one line per paragraph. */
  readonly notes?: string;
  /** Meaning of exit code 1 for this command. */
  readonly refused?: string;
  /** Meaning of exit code 2 if the command uses it to report a finding. Such a command exits with 1 on usage errors. */
  readonly found?: string;
  /** Set if the command needs a server or a database. */
  readonly reaches?: 'server' | 'database';
  /** Set if the command group runs this command by default. */
  readonly isDefault?: true;
}

/** Aliases for verbs, in every group that has the verb. */
const verbAliases: Readonly<Record<string, readonly string[]>> = {
  list: ['ls'],
  get: ['show', 'view'],
  create: ['add', 'new'],
  add: ['create', 'new'],
  update: ['edit'],
  delete: ['rm', 'remove'],
  remove: ['rm', 'delete'],
  revoke: ['rm', 'delete', 'remove'],
  end: ['rm', 'delete', 'remove'],
};

const finders = new WeakSet<Command>();

/** Returns true if the command uses exit code 2 to report a finding. */
export function isFinder(command: Command): boolean {
  return finders.has(command);
}

/** Adds a command whose help has a description, examples and exit codes. */
export function addCommand(parent: Command, usage: string, about: string, help: Help): Command {
  const examples = help.examples.map(([line, does]) => `  ${line}\n      ${does}`).join('\n');
  const sections = (command: Command): string[] => [
    `Examples:\n${examples}`,
    ...(help.notes === undefined ? [] : [wrapped(command, help.notes)]),
    `Exit codes:\n${exitLines(help).join('\n')}`,
  ];
  const [name = ''] = usage.split(' ');
  const added = parent
    .command(usage, { isDefault: help.isDefault === true })
    .aliases(parent.parent === null ? [] : (verbAliases[name] ?? []))
    .description(about)
    .addHelpText('after', ({ command }) => `\n${sections(command).join('\n\n')}`);
  if (help.found !== undefined) finders.add(added);
  return added;
}

function wrapped(command: Command, text: string): string {
  return command.createHelp().boxWrap(text, process.stdout.columns || 80);
}

function exitLines({ refused = 'the operation failed', found, reaches }: Help): string[] {
  return [
    `  0    ${found === undefined ? 'success' : 'no differences'}`,
    `  1    ${refused}${found === undefined ? '' : ', or usage or settings error'}`,
    `  2    ${found ?? 'usage or settings error'}`,
    ...(reaches === undefined ? [] : [`  3    the ${reaches} cannot be reached`]),
    '  130  interrupted',
  ];
}

/** Adds a group of commands. */
export function addGroup(parent: Command, name: string, about: string): Command {
  return parent
    .command(name)
    .description(about)
    .helpCommand(false)
    .addHelpText('after', `\nHelp for a command: linkfold help ${name} COMMAND`);
}

/** The `--json` option of every command that returns a result. */
export const jsonOption = ['--json', 'print JSON'] as const;

/** Parses a time, which must be in the future. */
export function futureTime(text: string): number {
  const at = parseTimestamp(text);
  if (at === undefined)
    throw new InvalidArgumentError('Specify an ISO 8601 date or time, such as 2027-01-31T09:00:00Z.');
  if (at <= Date.now()) throw new InvalidArgumentError('The time is in the past. Specify a later time.');
  return at;
}

const unitMs = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** Parses a duration such as 30m, 24h or 7d. Returns milliseconds. */
export function duration(text: string): number {
  const match = /^(\d{1,6})([smhd])$/.exec(text);
  if (text === '0') return 0;
  if (match === null)
    throw new InvalidArgumentError('Specify a number and a unit, such as 30m, 24h or 7d; or 0.');
  return Number(match[1]) * unitMs[match[2] as keyof typeof unitMs];
}

/** Parses the name of an account or key. */
export function properName(text: string): string {
  const name = text.trim();
  const good = name !== '' && [...name].length <= 100 && name.isWellFormed() && !isDeceptive(name);
  if (!good)
    throw new InvalidArgumentError(
      'Specify 1 to 100 characters without control or bidirectional formatting characters.',
    );
  return name;
}

/** Parses a comma-separated list. */
export function list(text: string): string[] {
  return text.split(',').flatMap((word) => word.trim() || []);
}

/** Creates an option for a comma-separated list, which may be repeated. */
export function listOption(flags: string, about: string): Option {
  const option = new Option(flags, about);
  return option.argParser((text, before: readonly string[] | undefined) => [
    ...(before === undefined || before === option.defaultValue ? [] : before),
    ...list(text),
  ]);
}

/** Creates the option `--tag`, and its synonym `--tags`. */
export function tagOptions(about = 'tags, separated by commas; may be repeated'): readonly Option[] {
  return withSynonym(listOption('--tag <list>', about), '--tags <list>');
}

/** Returns an option, and a synonym that is hidden from the help. */
export function withSynonym(option: Option, flags: string): readonly Option[] {
  const other = new Option(flags).hideHelp();
  other.attributeName = () => option.attributeName();
  return [option, option.parseArg === undefined ? other : other.argParser(option.parseArg)];
}
