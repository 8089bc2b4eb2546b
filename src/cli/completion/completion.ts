import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { type Command, Option } from 'commander';
import type { Connection } from '../../client/client.ts';
import { makeFolder } from '../../runtime/files/make-folder.ts';
import { replaceFile } from '../../runtime/files/replace-file.ts';
import { addCommand } from '../terminal/command.ts';
import { exits, Stop } from '../terminal/exits.ts';
import { kinds } from '../terminal/kinds.ts';
import { clean, printLine } from '../terminal/print.ts';
import { readProfiles } from '../terminal/profiles.ts';
import { chooseServer } from '../terminal/servers.ts';
import { type Place, shells } from './shells.ts';

/** Maximum time in ms to wait for the server. The user's shell is blocked while this command waits. */
const patienceMs = 200;
const freshForMs = 30_000;

/** Maps the name of an argument or option to the kind of record that its value refers to. */
const namedKinds: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.keys(kinds).map((kind) => [kind, kind])),
  link: 'link',
  links: 'link',
  profile: 'profile',
};

/**
 * Returns the names of a kind's records (at most 100 links) for shell completion, from a cache or from the server. If
 * the server fails or takes too long, returns the cached names even if they are outdated, or an empty list.
 */
async function valuesOf(kind: string): Promise<readonly string[]> {
  if (kind === 'profile') return Object.keys(readProfiles().profiles);
  const { server, key = '' } = chooseServer({});
  const name = createHash('sha256')
    .update(JSON.stringify([server, key, kind]))
    .digest('hex')
    .slice(0, 32);
  const folder = join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'linkfold');
  const path = join(folder, name);
  const cached = read(path);
  if (cached !== undefined && Date.now() - statSync(path).mtimeMs < freshForMs) return cached;
  const found = await ask({ baseUrl: server, apiKey: key, timeoutMs: patienceMs, retries: 0 }, kind).catch(
    () => undefined,
  );
  if (found === undefined) return cached ?? [];
  const values = found.map(clean);
  makeFolder(folder, 0o700);
  replaceFile(path, values.join('\n'));
  return values;
}

async function ask(connection: Connection, kind: string): Promise<readonly string[]> {
  const { createClient } = await import('../../client/client.ts');
  const client = createClient(connection);
  if (kind === 'link') return (await client.listLinks({ limit: 100 })).data.map(({ shortCode }) => shortCode);
  const { all, names } = kinds[kind as keyof typeof kinds];
  const rows = (await all(client)) as readonly never[];
  return rows.flatMap((row) => names(row)[0] ?? []);
}

function read(path: string): readonly string[] | undefined {
  try {
    return readFileSync(path, 'utf8')
      .split('\n')
      .filter((line) => line !== '');
  } catch {
    return undefined;
  }
}

/**
 * Adds `completion`, which prints a completion script for a shell. The script itself runs `completion --values`, which
 * prints the completions for one kind of record.
 */
export function addCompletion(program: Command): void {
  addCommand(program, 'completion', 'Print a completion script for a shell', {
    examples: [
      ['eval "$(linkfold completion bash)"', 'in ~/.bashrc'],
      ['eval "$(linkfold completion zsh)"', 'in ~/.zshrc, after compinit'],
      ['linkfold completion fish > ~/.config/fish/completions/linkfold.fish', 'once, and after an upgrade'],
    ],
    notes:
      'The script completes commands, options and their values, and names from the server, such as codes, folders, tags and domains, with a timeout of 200 ms. Names are cached for 30 seconds in $XDG_CACHE_HOME/linkfold.',
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

/** Returns all commands with their possible completions. */
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
