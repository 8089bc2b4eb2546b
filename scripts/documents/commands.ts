import type { Command, Option } from 'commander';
import { createProgram } from '../../src/cli/program.ts';
import { code, fenced, paragraphs, table } from './blocks.ts';

// Generates the command reference in docs/cli.md from the commands themselves.

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

/** Describes an option: its purpose, choices, default and environment variable. */
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

type Pair = readonly [name: string, meaning: string];

/** Content of a command's reference. Code in descriptions is in backticks. */
export interface CommandFacts {
  /** The command with its group names, such as `linkfold links list`. */
  readonly path: string;
  readonly about: string;
  readonly args: readonly Pair[];
  readonly options: readonly Pair[];
  /** Example command lines, each with its effect. */
  readonly examples: readonly Pair[];
  readonly notes: string;
  readonly exits: readonly Pair[];
}

function factsOf({ path, command }: Leaf): CommandFacts {
  let help = '';
  command.configureOutput({ writeOut: (text) => (help += text), getOutHasColors: () => false }).outputHelp();
  const [, examples = '', notes = '', exits = ''] =
    /\nExamples:\n([\s\S]*?)\n\n([\s\S]*?)Exit codes:\n([\s\S]*)$/.exec(help) ?? [];
  const pairs = (text: string, pattern: RegExp): Pair[] =>
    [...text.matchAll(pattern)].map(([, name = '', meaning = '']) => [name, meaning]);
  return {
    path,
    about: `${command.description()}.`,
    args: command.registeredArguments.map((one) => {
      const name = one.name() + (one.variadic ? '...' : '');
      const preset =
        one.defaultValue === undefined ? '' : `; default ${code([one.defaultValue].flat().join(' '))}`;
      return [one.required ? `<${name}>` : `[${name}]`, one.description + preset];
    }),
    options: command.options
      .filter(({ hidden }) => !hidden)
      .map((option) => [option.flags, meaningOf(option)]),
    examples: pairs(examples, /^ {2}(\S.*)\n {6}(.+)$/gm),
    notes: notes.trim().replace(/(?<!\n)\n(?!\n)/g, ' '),
    exits: pairs(exits, /^ {2}(\d+) +(.+)$/gm),
  };
}

/** Options of every command that calls a server. */
export const connectionOptions: readonly Pair[] =
  leaves
    .find(({ path }) => path === 'linkfold whoami')
    ?.command.options.filter(({ helpGroupHeading }) => helpGroupHeading !== undefined)
    .map((option) => [option.flags, meaningOf(option)]) ?? [];

/** Returns true if an option is a connection option. The page lists connection options only once. */
const isConnectionOption = (flags: string): boolean => connectionOptions.some(([one]) => one === flags);

const isSharedOption = (flags: string): boolean => flags === '--json' || isConnectionOption(flags);

export const commandFacts: readonly CommandFacts[] = leaves.map(factsOf);

/** Commands whose examples the documentation test does not run, each with the reason. */
const notRun: Readonly<Record<string, string>> = {
  'linkfold serve': 'runs until you stop the server',
  'linkfold login': 'waits for a browser',
  'linkfold logout': 'requires a key from linkfold login',
  'linkfold certificates renew': 'requires a certificate authority',
  'linkfold import from': 'requires another service',
  'linkfold import read': 'requires another service',
  'linkfold import verify': 'requires another service',
  'linkfold events': 'runs until you stop the command',
  'linkfold db restore': 'requires a stopped server',
  'linkfold db copy': 'requires two databases',
  'linkfold upgrade': 'requires a signed release',
  'linkfold completion': 'requires zsh and fish',
};

export function connectionPart(): string {
  return table(
    ['Option', 'Meaning'],
    connectionOptions.map(([flags, meaning]) => [code(flags), meaning]),
  );
}

export function commandPart(path: string): string {
  const found = commandFacts.find((one) => one.path === path);
  if (found === undefined) throw new Error(`Unknown command: ${path}.`);
  const { about, args, options, examples, exits } = found;
  const inCode = (pairs: readonly Pair[]) => pairs.map(([name, meaning]) => [code(name), meaning]);
  const same = commandFacts.find((one) => sharesOptions(one, found));
  const own = options.filter(([flags]) => !isSharedOption(flags));
  const hasJson = options.some(([flags]) => flags === '--json');
  const linked = own.filter((option) => same?.options.some((one) => one.join() === option.join()));
  const rows = inCode([...args, ...own.filter((option) => !linked.includes(option))]);
  const [single] = rows.length === 1 ? rows : [];
  return paragraphs(
    [
      about,
      single === undefined ? '' : `${single.join(': ')}.`,
      same === undefined ? '' : `Options as in [${same.path}](#${same.path.replaceAll(' ', '-')}).`,
      hasJson ? '' : 'No `--json`.',
      exitsOf(exits),
    ]
      .filter((one) => one !== '')
      .join(' '),
    single === undefined ? table(['Argument or option', 'Meaning'], rows) : '',
    examples.length === 0 ? '' : markOf(path) + fenced('sh', examples.map(exampleOf).join('\n')),
  );
}

/** Maximum length of an example with its comment on the same line. */
const widest = 130;

/**
 * Returns a command line with a comment that states its effect. The comment is above the command if both do not fit on
 * one line.
 */
function exampleOf([line, does]: Pair): string {
  const both = `${line}  # ${does}`;
  return both.length <= widest && !line.includes('\n') ? both : `# ${does}\n${line}`;
}

/** A command links to another command's options only if they share at least this many. Otherwise it lists them. */
const minShared = 8;

/** Returns true if an earlier command's options include all of a later command's options. */
function sharesOptions(earlier: CommandFacts, { path, options }: CommandFacts): boolean {
  if (
    earlier.path === path ||
    leaves.findIndex((one) => one.path === earlier.path) > leaves.findIndex((one) => one.path === path)
  )
    return false;
  const known = new Set(earlier.options.map((one) => one.join()));
  const shared = options.filter((one) => !isSharedOption(one[0]) && known.has(one.join()));
  const all = earlier.options.filter(([flags]) => !isSharedOption(flags));
  return shared.length >= minShared && shared.length === all.length;
}

/** Returns the exit codes whose meaning differs from the table on the page. */
function exitsOf(exits: readonly Pair[]): string {
  const own = exits.filter(([code, meaning]) =>
    code === '1' ? !/^(the operation failed|never)$/.test(meaning) : code === '2' && !/^usage/.test(meaning),
  );
  return own.map(([code, meaning]) => `Exit code ${code}: ${meaning}.`).join(' ');
}

/** Returns a table with links to the commands, one row per group. */
export function commandContents(): string {
  const linkTo = ({ path }: Leaf): string => `[${path.split(' ').at(-1)}](#${path.replaceAll(' ', '-')})`;
  return table(
    ['Command', 'Purpose'],
    program.commands.map((group) => {
      const links = leavesOf(group, `linkfold ${group.name()}`).map(linkTo).join(', ');
      return [group.commands.length === 0 ? links : `${group.name()}: ${links}`, group.description()];
    }),
  );
}

function markOf(path: string): string {
  const reason = notRun[path];
  return reason === undefined ? '' : `<!-- not run: ${reason} -->\n`;
}
