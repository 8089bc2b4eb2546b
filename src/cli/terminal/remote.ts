import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import type { Client } from '../../client/client.ts';
import { reasonOf } from '../../runtime/files/file-faults.ts';
import { addCommand, type Help, jsonOption } from './command.ts';
import { endOf, exits, type Fault, Stop } from './exits.ts';
import { clean, note, sayJson } from './print.ts';
import { profileNamed, readProfiles, usualProfile } from './profiles.ts';
import { linkId, type Place } from './references.ts';

const localServer = 'http://127.0.0.1:3000';

/** The server and the API key, as the command line names them. */
export interface RemoteOptions {
  readonly server?: string;
  readonly keyFile?: string;
  readonly profile?: string;
  readonly json?: true;
}

/** Adds a command that talks to a server. A key is never an argument: arguments show in process lists. */
export function addServerCommand(
  parent: Command,
  usage: string,
  about: string,
  help: Omit<Help, 'reaches'>,
): Command {
  return addCommand(parent, usage, about, { ...help, reaches: 'server' })
    .option('--server <url>', `the Linkfold server (env: LINKFOLD_URL; default: ${localServer})`)
    .option(
      '--key-file <path>',
      'file that holds the API key (env: LINKFOLD_API_KEY_FILE, or LINKFOLD_API_KEY)',
    )
    .option('--profile <name>', 'server and key that are kept under this name (env: LINKFOLD_PROFILE)')
    .option(...jsonOption);
}

/** Connects by options, environment and profile, for commands that look their arguments up on the server. */
export async function openPlace(options: RemoteOptions): Promise<Place> {
  const { server, key } = whereTo(options);
  const { createClient } = await import('../../client/client.ts');
  try {
    return { client: createClient({ baseUrl: server, apiKey: key }), server };
  } catch (error) {
    const said = (error as Error).message;
    throw new Stop(exits.usage, said.replace('baseUrl', '--server').replace('apiKey', 'The API key'));
  }
}

/** Connects by options, environment and profile. */
export async function openClient(options: RemoteOptions): Promise<Client> {
  return (await openPlace(options)).client;
}

/**
 * What an option says counts before the environment, that before the profile in use, and that before the server of this machine.
 * `--profile` is an option. The key of a profile goes to the server of that profile alone.
 * @throws Stop when there is no key for the server
 */
function whereTo({ server: given, keyFile, profile: named }: RemoteOptions): { server: string; key: string } {
  const chosen = named === undefined ? undefined : profileNamed(readProfiles(), named);
  const explicit = given || chosen?.server || process.env.LINKFOLD_URL;
  const own = keyFile === undefined ? chosen === undefined && keyOfEnvironment() : readKeyFile(keyFile);
  const profile = chosen ?? (explicit && own ? undefined : usualProfile());
  const server = explicit || profile?.server || localServer;
  if (own) return { server, key: own };
  if (profile !== undefined && isSame(profile.server, server)) return { server, key: profile.key };
  throw new Stop(
    exits.usage,
    `No API key: set LINKFOLD_API_KEY or LINKFOLD_API_KEY_FILE, give --key-file, or keep one for ${server} with: linkfold profiles add. Make one beside the server with: linkfold keys create --account NAME`,
  );
}

function isSame(server: string, other: string): boolean {
  return server.replace(/\/+$/, '') === other.replace(/\/+$/, '');
}

function keyOfEnvironment(): string | undefined {
  const direct = process.env.LINKFOLD_API_KEY || undefined;
  const path = process.env.LINKFOLD_API_KEY_FILE || undefined;
  if (direct !== undefined && path !== undefined)
    throw new Stop(exits.usage, 'LINKFOLD_API_KEY and LINKFOLD_API_KEY_FILE are both set; keep one.');
  return path === undefined ? direct?.trim() : readKeyFile(path);
}

function readKeyFile(path: string): string {
  let key: string;
  try {
    key = readFileSync(path, 'utf8').trim();
  } catch (error) {
    throw new Stop(exits.usage, `The key file ${path} cannot be read: ${reasonOf(error)}.`);
  }
  if (key === '') throw new Stop(exits.usage, `The key file ${path} is empty.`);
  return key;
}

/** A link that a command changes: the argument, and the id that was found for it. */
interface Changed {
  readonly given: string;
  readonly id: string;
}

/**
 * Changes several links, one after the other; reports the failed ones and goes on with the rest.
 * @param verb for the links that were changed, such as `deleted`
 * @throws Stop when some failed, after all were tried; the client's error when the server cannot be reached
 */
export async function changeEach(
  place: Place,
  given: readonly string[],
  { verb, json, more = {} }: { verb: string; json?: true | undefined; more?: object },
  change: (id: string) => Promise<unknown>,
): Promise<void> {
  const done: Changed[] = [];
  const failed: { link: string; error: Fault }[] = [];
  const finish = (): void => {
    const left = given.slice(done.length + failed.length);
    if (json) return sayJson({ [verb]: done.map(({ id }) => id), ...more, failed, left });
    for (const one of done) note(`${verb[0]?.toUpperCase()}${verb.slice(1)} ${clean(one.given)}.`);
    if (left.length > 0) note(`Not ${verb}: ${left.map(clean).join(' ')}`);
  };
  for (const link of given) {
    try {
      const id = await linkId(place, link);
      await change(id);
      done.push({ given: link, id });
    } catch (error) {
      const { exit, message, fault } = endOf(error);
      if (given.length === 1) throw error;
      if (exit !== exits.refused) {
        finish();
        throw error;
      }
      if (!json) note(`${clean(link)}: ${clean(message)}`);
      failed.push({ link, error: fault });
    }
  }
  finish();
  if (failed.length > 0) throw new Stop(exits.refused, `${failed.length} of ${given.length} failed.`);
}
