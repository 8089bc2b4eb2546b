import { type Command, Option } from 'commander';
import type { Client } from '../../client/client.ts';
import { addCommand, type Help, jsonOption } from './command.ts';
import { endOf, exits, type Fault, Stop } from './exits.ts';
import { clean, note, printJson } from './print.ts';
import { linkId, type ServerConnection } from './references.ts';
import { chooseServer, requireKey, type ServerOptions } from './servers.ts';

export interface RemoteOptions extends ServerOptions {
  readonly json?: true;
}

const connectionOptions = [
  ['--server <url>', 'URL of the server (env: LINKFOLD_URL; default: the server on this machine)'],
  ['--key-file <path>', 'file with the API key (env: LINKFOLD_API_KEY_FILE, or LINKFOLD_API_KEY)'],
  ['--profile <name>', 'profile with server and key (env: LINKFOLD_PROFILE)'],
] as const;

/**
 * Adds a command that sends requests to a server. A key is never an argument, because arguments are visible in process
 * lists.
 */
export function addServerCommand(
  parent: Command,
  usage: string,
  about: string,
  help: Omit<Help, 'reaches'>,
): Command {
  const command = addCommand(parent, usage, about, { ...help, reaches: 'server' }).option(...jsonOption);
  for (const [flags, meaning] of connectionOptions)
    command.addOption(new Option(flags, meaning).helpGroup('Connection:'));
  return command;
}

/**
 * Connects to the server given by the options, the environment, the profile or the data directory. Used by commands
 * that resolve their arguments on the server.
 */
export async function connectToServer(options: RemoteOptions): Promise<ServerConnection> {
  const chosen = chooseServer(options);
  const { server } = chosen;
  const { createClient } = await import('../../client/client.ts');
  try {
    return { client: createClient({ baseUrl: server, apiKey: requireKey(chosen) }), server };
  } catch (error) {
    if (error instanceof Stop) throw error;
    const { message } = error as Error;
    throw new Stop(exits.usage, message.replace('baseUrl', '--server').replace('apiKey', 'The API key'));
  }
}

/** Connects to the server like {@link connectToServer}, and returns only the client. */
export async function openClient(options: RemoteOptions): Promise<Client> {
  return (await connectToServer(options)).client;
}

/** A link to change: the argument that names it, and its ID. */
interface Changed {
  readonly given: string;
  readonly id: string;
}

/**
 * Changes several links one by one. Reports failures and continues with the other links.
 * @param verb past participle for the output, such as `deleted`
 * @throws Stop if some links failed, after all were tried; the client's error if the server is unreachable
 */
export async function changeEach(
  connection: ServerConnection,
  given: readonly string[],
  { verb, json, more = {} }: { verb: string; json?: true | undefined; more?: object },
  change: (id: string) => Promise<unknown>,
): Promise<void> {
  const done: Changed[] = [];
  const failed: { link: string; error: Fault }[] = [];
  const finish = (): void => {
    const left = given.slice(done.length + failed.length);
    if (json) return printJson({ [verb]: done.map(({ id }) => id), ...more, failed, left });
    for (const one of done) note(`${verb[0]?.toUpperCase()}${verb.slice(1)} ${clean(one.given)}.`);
    if (left.length > 0) note(`Not ${verb}: ${left.map(clean).join(' ')}`);
  };
  for (const link of given) {
    try {
      const id = await linkId(connection, link);
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
