import { type CommandFacts, commandFacts } from './commands.ts';

// The manual page, in the macros of man(7), by the command line itself.

/** Text as roff reads it: nothing in it is a request or an escape, and `-` is the one that is typed. */
function roff(text: string): string {
  const escaped = text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll('`', '')
    .replace(
      /[^ -~\n]/gu,
      (sign) => `\\[u${sign.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}]`,
    );
  return escaped.replace(/^(?=[.'])/gm, '\\&');
}

function entry([name, meaning]: readonly [string, string]): string {
  return `.TP\n.B ${quoted(name)}\n${roff(meaning)}`;
}

/** One argument of a macro. */
function quoted(text: string): string {
  return `"${roff(text).replaceAll('"', '\\(dq')}"`;
}

function part(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['.PP', `${title}:`, ...lines];
}

function commandLines({ path, about, args, options, examples, notes, exits }: CommandFacts): string[] {
  const synopsis = [path, ...(options.length > 0 ? ['[options]'] : []), ...args.map(([name]) => name)];
  return [
    `.SS ${quoted(synopsis.join(' '))}`,
    roff(about),
    ...[...args, ...options].map(entry),
    ...part(
      'Examples',
      examples.flatMap(([line, does]) => ['.TP', `.B ${quoted(line)}`, roff(does)]),
    ),
    ...(notes === '' ? [] : ['.PP', roff(notes).replaceAll('\n\n', '\n.PP\n')]),
    '.PP',
    `Exit codes: ${roff(exits.map((pair) => pair.join(' ')).join('; '))}.`,
  ];
}

/** @returns man/linkfold.1 */
export function manualPage(): string {
  return `${[
    '.\\" Made by `npm run generate`.',
    '.TH LINKFOLD 1 "" "Linkfold" "User Commands"',
    '.SH NAME',
    'linkfold \\- short links that are never lost, clicks that are never lost',
    '.SH SYNOPSIS',
    '.B linkfold',
    '.I command',
    '.RI [ options ]',
    '.SH DESCRIPTION',
    roff('Serves short links, works on an installation, and talks to a server over HTTP.'),
    'Every command explains itself:',
    '.B linkfold help',
    '.IR command .',
    '.SH COMMANDS',
    ...commandFacts.flatMap(commandLines),
    '.SH ENVIRONMENT',
    ...[
      ['LINKFOLD_URL', 'the server that commands talk to'],
      ['LINKFOLD_API_KEY, LINKFOLD_API_KEY_FILE', 'the key that they show, or a file that holds it'],
      ['LINKFOLD_PROFILE', 'server and key that are kept under this name'],
      ['NO_COLOR', 'no colours on a terminal'],
    ].map(([name = '', meaning = '']) => entry([name, meaning])),
    '.PP',
    roff('An installation has settings, of which linkfold config shows all, with their values.'),
    '.SH FILES',
    entry(['$XDG_CONFIG_HOME/linkfold/profiles.json', 'servers and keys under names']),
  ].join('\n')}\n`;
}
