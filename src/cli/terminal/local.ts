import { lstatSync } from 'node:fs';
import { availableParallelism, constants, setPriority } from 'node:os';
import type { Tools } from '../../app/operator.ts';
import { endSoon } from '../../app/process/end.ts';
import { type Config, ConfigError, loadConfig } from '../../config.ts';
import { isSystemError, reasonOf } from '../../runtime/files/file-faults.ts';
import { version } from '../../runtime/version.ts';
import { exits, Stop } from './exits.ts';
import { clean, note } from './print.ts';

/** Returns the settings of this installation. @throws ConfigError */
export function readConfig(): Config {
  return loadConfig(process.env);
}

/**
 * Opens this installation's storage, prints the database's name, runs a function and closes storage.
 * @param options `json`: print nothing but JSON
 * @throws Stop if the database cannot be opened or does not exist. Creating an empty one would hide that the server
 * uses another database.
 */
export async function withTools<T>(
  { json }: { readonly json?: true | undefined },
  work: (tools: Tools, config: Config) => Promise<T>,
): Promise<T> {
  const config = readConfig();
  const database = await import('../../app/operator.ts');
  const name = database.databaseName(config);
  const opening = async (): Promise<Tools> => {
    if ((await database.status(config)).version === 0) throw new Stop(exits.usage, noDatabase(name));
    noteDatabase(name, json);
    return database.openTools(config);
  };
  const tools = await opening().catch((error: unknown) => {
    throw unopened(name, error);
  });
  try {
    return await work(tools, config);
  } finally {
    await tools.close();
  }
}

/** Prints the name of the database that a command uses, except with `--json`. */
export function noteDatabase(name: string, json: true | undefined): void {
  if (!json) note(`Database: ${clean(name)}`);
}

function noDatabase(name: string): string {
  return `There is no Linkfold database at ${name}. Run this command on the server’s machine, with the same DATA_DIR or DATABASE_URL.`;
}

function unopened(name: string, error: unknown): unknown {
  if (error instanceof ConfigError || error instanceof Stop || !(error instanceof Error)) return error;
  if (!isSystemError(error))
    return new Stop(exits.unreachable, `Could not open the database ${name}: ${error.message}`);
  const remedy = error.code === 'EACCES' ? ' Run the command as the user that runs the server.' : '';
  return new Stop(exits.unreachable, `Could not open the database ${name}: ${reasonOf(error)}.${remedy}`);
}

/** Loads the operator functions, such as backup and migration. */
export function openDatabase() {
  return import('../../app/operator.ts');
}

/** Loads the functions for backups in `BACKUP_TO`. */
export function openBackups() {
  return import('../../app/scheduled-backup.ts');
}

/** Runs the server until a signal arrives. @param overrides settings from the command line @returns the exit code */
export async function serve(overrides: Readonly<Record<string, string>> = {}): Promise<number> {
  // The overrides are set in the environment, because workers read their settings from it.
  Object.assign(process.env, overrides);
  const config = loadConfig(process.env);
  const workers = config.WORKERS === 'auto' ? availableParallelism() : config.WORKERS;
  try {
    if (workers > 1) return await (await import('../../workers/primary.ts')).runWorkers(config, workers);
    return await (await import('../../app/serve.ts')).runServer(config);
  } finally {
    endSoon();
  }
}

/** Returns the OpenAPI document as JSON. */
export async function describeApi(): Promise<string> {
  const { openApiDocument } = await import('../../contract/openapi/document.ts');
  const { documentText } = await import('../../contract/openapi/text.ts');
  return documentText(openApiDocument(version));
}

/** Lowers the priority of this process, so that a long operation does not slow down a server on the same machine. */
export function lowerOwnPriority(): void {
  try {
    setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // Setting the priority fails if the process already has a lower priority.
  }
}

/**
 * Returns true if the local SQLite database exists, or the database is not SQLite. Opening a missing file would create
 * it.
 * @throws ConfigError
 */
export function hasDatabase(): boolean {
  const path = /^sqlite:(.+)$/.exec(readConfig().DATABASE_URL)?.[1];
  try {
    return path === undefined || lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    // The path cannot be read. Opening the database will report the error.
    return true;
  }
}
