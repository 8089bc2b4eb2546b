import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { type Command, InvalidArgumentError } from 'commander';
import { createClient } from '../../client/client.ts';
import { addCommand, addGroup, jsonOption } from '../terminal/command.ts';
import { exits, Stop } from '../terminal/exits.ts';
import { type Column, clean, note, sayJson, sayTable } from '../terminal/print.ts';
import { type Profile, profileNamed, readProfiles, writeProfiles } from '../terminal/profiles.ts';

interface Options {
  readonly json?: true;
}

/** A profile as it is shown: without its key. */
interface Shown {
  readonly name: string;
  readonly server: string;
  readonly current: boolean;
}

const columns: readonly Column<Shown>[] = [
  { title: '', of: ({ current }) => (current ? '*' : '') },
  { title: 'NAME', of: ({ name }) => name },
  { title: 'SERVER', of: ({ server }) => server },
];

/** Adds the commands for servers and keys that the user of this machine keeps under names. */
export function addProfiles(program: Command): void {
  const profiles = addGroup(
    program,
    'profiles',
    'Servers and keys under names, in the configuration of this user',
  );

  addCommand(
    profiles,
    'add',
    'Keep a server and a key under a name; the key is asked for, or comes from stdin',
    {
      examples: [
        ['linkfold profiles add work --server https://go.example.com', 'asks for the key'],
        ['linkfold profiles add ci --server https://go.example.com < key.txt', 'the key from a file'],
      ],
      notes:
        'They are kept in $XDG_CONFIG_HOME/linkfold/profiles.json (~/.config without that), which this user alone may read. The first profile is used at once; a name that is there gets the new server and key.',
    },
  )
    .argument('<name>', '1 to 40 letters, digits, - or _', profileName)
    .requiredOption('--server <url>', 'the Linkfold server')
    .option(...jsonOption)
    .action(async (name: string, { server, json }: Options & { readonly server: string }) => {
      const known = readProfiles();
      const profile = usable({ server, key: await askForKey(server) });
      const current = known.current ?? name;
      const path = writeProfiles({ current, profiles: { ...known.profiles, [name]: profile } });
      if (json) sayJson({ name, server, current: current === name });
      else note(`Kept ${name} in ${clean(path)}. Try it with: linkfold me --profile ${name}`);
    });

  addCommand(profiles, 'list', 'List the profiles; * marks the one in use', {
    examples: [['linkfold profiles list', 'names and servers, no keys']],
  })
    .option(...jsonOption)
    .action(({ json }: Options) => {
      const known = readProfiles();
      const rows = Object.entries(known.profiles).map(([name, { server }]) => ({
        name,
        server,
        current: name === known.current,
      }));
      if (json) sayJson(rows);
      else if (rows.length === 0) note('There are no profiles yet. Add one with: linkfold profiles add');
      else sayTable(rows, columns);
    });

  addCommand(profiles, 'use', 'Use a profile wherever no other server or key is named', {
    examples: [['linkfold profiles use work', 'from now on']],
    refused: 'the file cannot be written',
  })
    .argument('<name>', 'name of a profile')
    .option(...jsonOption)
    .action((name: string, { json }: Options) => {
      const known = readProfiles();
      const { server } = profileNamed(known, name);
      writeProfiles({ ...known, current: name });
      if (json) sayJson({ name, server, current: true });
      else note(`Commands talk to ${clean(server)} from now on.`);
    });

  addCommand(profiles, 'rm', 'Remove a profile; its key goes on working until it is revoked', {
    examples: [['linkfold profiles rm work', 'server and key are forgotten here']],
    refused: 'the file cannot be written',
  })
    .argument('<name>', 'name of a profile')
    .option(...jsonOption)
    .action((name: string, { json }: Options) => {
      const known = readProfiles();
      profileNamed(known, name);
      const { [name]: _, ...profiles } = known.profiles;
      writeProfiles({ current: known.current === name ? null : known.current, profiles });
      if (json) sayJson({ name });
      else note(`Removed ${name}.`);
    });
}

/** Reads the name of a profile. */
export function profileName(text: string): string {
  if (!/^[A-Za-z0-9_-]{1,40}$/.test(text))
    throw new InvalidArgumentError('Give 1 to 40 letters, digits, - or _.');
  return text;
}

/** @throws Stop when no request could be made with it */
function usable(profile: Profile): Profile {
  try {
    createClient({ baseUrl: profile.server, apiKey: profile.key });
    return profile;
  } catch (error) {
    const said = (error as Error).message;
    throw new Stop(
      exits.usage,
      said
        .replace('baseUrl or LINKFOLD_URL', '--server')
        .replace('apiKey or LINKFOLD_API_KEY', 'The API key'),
    );
  }
}

/** A key is never an argument: arguments show in process lists. It is not shown while it is typed. */
async function askForKey(server: string): Promise<string> {
  if (!process.stdin.isTTY) return (await text(process.stdin)).trim();
  process.stderr.write(`API key for ${clean(server)}: `);
  const unseen = new Writable({ write: (_chunk, _encoding, done) => done() });
  const asking = createInterface({ input: process.stdin, output: unseen, terminal: true });
  try {
    return (await asking.question('')).trim();
  } catch (error) {
    // Ctrl-C and Ctrl-D while asking.
    if (error instanceof Error && error.name === 'AbortError')
      throw new Stop(exits.interrupted, 'Nothing was kept.');
    throw error;
  } finally {
    asking.close();
    process.stderr.write('\n');
  }
}
