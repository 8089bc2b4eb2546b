import { readFileSync } from 'node:fs';
import { type Command, Option } from 'commander';
import type { Client } from '../client/client.ts';
import { endOf, exits, Stop } from './exits.ts';
import { note } from './print.ts';

const localServer = 'http://127.0.0.1:3000';

/** Where the server is and which key opens it, as said on the command line. */
export interface RemoteOptions {
  readonly server: string;
  readonly keyFile?: string;
  readonly json?: true;
}

/** Options of every command that talks to a server. A key is never an argument: arguments show in process lists. */
export const addRemoteOptions = (command: Command): Command =>
  command
    .addOption(new Option('--server <url>', 'the Linkfold server').env('LINKFOLD_URL').default(localServer))
    .option(
      '--key-file <path>',
      'file that holds the API key (env: LINKFOLD_API_KEY_FILE, or LINKFOLD_API_KEY)',
    );

/** Connects as the options and the environment say. */
export const openClient = async (options: RemoteOptions): Promise<Client> => {
  const apiKey = readKey(options);
  const { createClient } = await import('../client/client.ts');
  try {
    return createClient({ baseUrl: options.server || localServer, apiKey });
  } catch (error) {
    const said = (error as Error).message;
    throw new Stop(exits.usage, said.replace('baseUrl', 'LINKFOLD_URL').replace('apiKey', 'The API key'));
  }
};

const readKey = ({ keyFile }: RemoteOptions): string => {
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
    'No API key: set LINKFOLD_API_KEY or LINKFOLD_API_KEY_FILE, or give --key-file. Make one with: linkfold keys create',
  );
};

const readKeyFile = (path: string): string => {
  let key: string;
  try {
    key = readFileSync(path, 'utf8').trim();
  } catch (error) {
    throw new Stop(
      exits.usage,
      `The key file ${path} cannot be read: ${(error as NodeJS.ErrnoException).code}.`,
    );
  }
  if (key === '') throw new Stop(exits.usage, `The key file ${path} is empty.`);
  return key;
};

/**
 * Does the same to several ids, one after the other; says which failed and goes on with the rest.
 * @throws Stop when some failed, after all were tried; whatever was thrown when the server cannot be reached
 */
export const forEachId = async (
  ids: readonly string[],
  work: (id: string) => Promise<unknown>,
  finish: (done: readonly string[]) => void,
): Promise<void> => {
  const done: string[] = [];
  for (const id of ids) {
    try {
      await work(id);
      done.push(id);
    } catch (error) {
      const { exit, message } = endOf(error);
      if (exit !== exits.refused || ids.length === 1) {
        if (done.length > 0) finish(done);
        throw error;
      }
      note(`${id}: ${message}`);
    }
  }
  finish(done);
  if (done.length < ids.length)
    throw new Stop(exits.refused, `${ids.length - done.length} of ${ids.length} failed.`);
};
