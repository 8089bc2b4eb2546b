import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { type Command, InvalidArgumentError } from 'commander';
import { createClient } from '../../client/client.ts';
import { addCommand, addGroup, jsonOption } from '../terminal/command.ts';
import { exits, Stop } from '../terminal/exits.ts';
import { type Column, clean, note, printJson, printList } from '../terminal/print.ts';
import { type Profile, profileNamed, readProfiles, writeProfiles } from '../terminal/profiles.ts';

interface Options {
  readonly json?: true;
}

/** A profile without its key. */
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

export function addProfiles(program: Command): void {
  const profiles = addGroup(program, 'profiles', 'Profiles: servers and keys of this user, by name');

  addCommand(profiles, 'list', 'List profiles; * marks the current one', {
    examples: [['linkfold profiles list', 'names and servers, without keys']],
  })
    .option(...jsonOption)
    .action(({ json }: Options) => {
      const known = readProfiles();
      const rows = Object.entries(known.profiles).map(([name, { server }]) => ({
        name,
        server,
        current: name === known.current,
      }));
      if (json) printJson(rows);
      else printList(rows, columns, 'No profiles yet. To create one: linkfold login URL');
    });

  addCommand(profiles, 'create', 'Save a server and a key under a name', {
    examples: [
      ['linkfold profiles create work --server https://go.example.com', 'asks for the key'],
      ['linkfold profiles create ci --server https://go.example.com < key.txt', 'reads the key from a file'],
    ],
    notes:
      'Profiles are saved in $XDG_CONFIG_HOME/linkfold/profiles.json (default ~/.config), which only you can read. The first profile becomes the current one. An existing profile of the same name is replaced.',
  })
    .argument('<name>', '1 to 40 letters, digits, - or _', profileName)
    .requiredOption('--server <url>', 'URL of the server')
    .option(...jsonOption)
    .action(async (name: string, { server, json }: Options & { readonly server: string }) => {
      const known = readProfiles();
      const profile = usable({ server, key: await askForKey(server) });
      const current = known.current ?? name;
      const path = writeProfiles({ current, profiles: { ...known.profiles, [name]: profile } });
      if (json) printJson({ name, server, current: current === name });
      else
        note(
          `Saved the profile ${name} in ${clean(path)}. To test the profile: linkfold whoami --profile ${name}`,
        );
    });

  addCommand(profiles, 'use', 'Make a profile the current one', {
    examples: [['linkfold profiles use work', 'used if no other server or key is given']],
    refused: 'the file cannot be written',
  })
    .argument('<profile>', 'name of a profile')
    .option(...jsonOption)
    .action((name: string, { json }: Options) => {
      const known = readProfiles();
      const { server } = profileNamed(known, name);
      writeProfiles({ ...known, current: name });
      if (json) printJson({ name, server, current: true });
      else note(`Commands now use ${clean(server)}.`);
    });

  addCommand(profiles, 'delete', 'Delete a profile; the key stays valid until you revoke it', {
    examples: [['linkfold profiles delete work', 'to revoke the key too: linkfold logout work']],
    refused: 'the file cannot be written',
  })
    .argument('<profile>', 'name of a profile')
    .option(...jsonOption)
    .action((name: string, { json }: Options) => {
      const known = readProfiles();
      profileNamed(known, name);
      const { [name]: _, ...profiles } = known.profiles;
      writeProfiles({ current: known.current === name ? null : known.current, profiles });
      if (json) printJson({ name });
      else note(`Deleted the profile ${name}.`);
    });
}

/** Parses a profile name. */
export function profileName(text: string): string {
  if (!/^[A-Za-z0-9_-]{1,40}$/.test(text))
    throw new InvalidArgumentError('Specify 1 to 40 letters, digits, - or _.');
  return text;
}

/** Checks a profile. @throws Stop if its server or key cannot be used in a request */
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

/**
 * Reads a key from stdin, or from the terminal without echo. A key is never an argument, because arguments are visible
 * in process lists.
 */
async function askForKey(server: string): Promise<string> {
  if (!process.stdin.isTTY) return (await text(process.stdin)).trim();
  process.stderr.write(`API key for ${clean(server)}: `);
  const unseen = new Writable({ write: (_chunk, _encoding, done) => done() });
  const asking = createInterface({ input: process.stdin, output: unseen, terminal: true });
  try {
    return (await asking.question('')).trim();
  } catch (error) {
    // The user pressed Ctrl-C or Ctrl-D at the prompt.
    if (error instanceof Error && error.name === 'AbortError')
      throw new Stop(exits.interrupted, 'Nothing was saved.');
    throw error;
  } finally {
    asking.close();
    process.stderr.write('\n');
  }
}
