import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CommandFacts, commandFacts, connectionOptions } from './commands.ts';

// Generates the manual page, in man(7) macros, from the CLI.

/** Escapes text for roff. A `-` stays an ASCII hyphen. */
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

/** Quotes a macro argument. */
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

/** Returns the content of man/linkfold.1. */
export function manualPage(): string {
  return `${[
    '.\\" Generated from the commands of Linkfold.',
    '.TH LINKFOLD 1 "" "Linkfold" "User Commands"',
    '.SH NAME',
    'linkfold \\- self-hosted link shortener that survives crashes',
    '.SH SYNOPSIS',
    '.B linkfold',
    '.I command',
    '.RI [ options ]',
    '.SH DESCRIPTION',
    roff('Runs a server for short links, administers it, and uses its API.'),
    'Help for a command:',
    '.B linkfold help',
    '.IR command .',
    '.SH COMMANDS',
    ...commandFacts.flatMap(commandLines),
    '.SH CONNECTION',
    roff('Options of every command that calls a server:'),
    ...connectionOptions.map(entry),
    '.SH ENVIRONMENT',
    ...[
      ['LINKFOLD_URL', 'the server that commands call'],
      ['LINKFOLD_API_KEY, LINKFOLD_API_KEY_FILE', 'the API key, or the path of a file with the key'],
      ['LINKFOLD_PROFILE', 'the profile with the server and API key'],
      ['NO_COLOR', 'disables colors on a terminal'],
    ].map(([name = '', meaning = '']) => entry([name, meaning])),
    '.PP',
    roff('linkfold config shows the settings of the installation and their values.'),
    '.SH FILES',
    entry(['$XDG_CONFIG_HOME/linkfold/profiles.json', 'profiles']),
  ].join('\n')}\n`;
}

if (import.meta.main) {
  const folder = join(import.meta.dirname, '..', '..', 'man');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'linkfold.1'), manualPage());
}
