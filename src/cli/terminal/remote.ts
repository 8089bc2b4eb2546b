import { readFileSync } from 'node:fs';
import { type Command, Option } from 'commander';
import type { Client } from '../../client/client.ts';
import { reasonOf } from '../../runtime/files/file-faults.ts';
import { addCommand, type Help, jsonOption } from './command.ts';
import { endOf, exits, type Fault, Stop } from './exits.ts';
import { clean, note, sayJson } from './print.ts';
import { linkId, type Place } from './references.ts';

const localServer = 'http://127.0.0.1:3000';

/** The server and the API key, as the command line names them. */
export interface RemoteOptions {
  readonly server: string;
  readonly keyFile?: string;
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
    .addOption(new Option('--server <url>', 'the Linkfold server').env('LINKFOLD_URL').default(localServer))
    .option(
      '--key-file <path>',
      'file that holds the API key (env: LINKFOLD_API_KEY_FILE, or LINKFOLD_API_KEY)',
    )
    .option(...jsonOption);
}

/** Connects by options and environment, for commands that look their arguments up on the server. */
export async function openPlace(options: RemoteOptions): Promise<Place> {
  return { client: await openClient(options), server: options.server || localServer };
}

/** Connects by options and environment. */
export async function openClient(options: RemoteOptions): Promise<Client> {
  const apiKey = readKey(options);
  const { createClient } = await import('../../client/client.ts');
  try {
    return createClient({ baseUrl: options.server || localServer, apiKey });
  } catch (error) {
    const said = (error as Error).message;
    throw new Stop(
      exits.usage,
      said.replace('baseUrl', '--server (or LINKFOLD_URL)').replace('apiKey', 'The API key'),
    );
  }
}

function readKey({ keyFile }: RemoteOptions): string {
  const direct = process.env.LINKFOLD_API_KEY || undefined;
  const named = process.env.LINKFOLD_API_KEY_FILE || undefined;
  if (keyFile === undefined && direct !== undefined && named !== undefined) {
    throw new Stop(exits.usage, 'LINKFOLD_API_KEY and LINKFOLD_API_KEY_FILE are both set; keep one.');
  }
  const path = keyFile ?? named;
  if (path !== undefined) return readKeyFile(path);
  if (direct !== undefined) return direct.trim();
  throw new Stop(
    exits.usage,
    'No API key: set LINKFOLD_API_KEY or LINKFOLD_API_KEY_FILE, or give --key-file. Make one beside the server with: linkfold keys create --account NAME',
  );
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
