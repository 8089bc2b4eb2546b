import { availableParallelism, constants, setPriority } from 'node:os';
import { type Config, ConfigError, loadConfig } from '../config.ts';
import type { Tools } from '../database.ts';
import { exits, Stop } from './exits.ts';

/** The settings of this installation. @throws ConfigError */
export const readConfig = (): Config => loadConfig(process.env);

/** Opens this installation's storage for as long as the work takes. */
export const withTools = async <T>(work: (tools: Tools, config: Config) => Promise<T>): Promise<T> => {
  const config = readConfig();
  const { openTools } = await import('../database.ts');
  const tools = await openTools(config).catch((error: unknown) => {
    throw unopened(error);
  });
  try {
    return await work(tools, config);
  } finally {
    await tools.close();
  }
};

const unopened = (error: unknown): unknown => {
  if (error instanceof ConfigError || !(error instanceof Error)) return error;
  return new Stop(exits.unreachable, `The database cannot be opened: ${error.message}`);
};

/** The operations on the database as a whole. */
export const openDatabase = () => import('../database.ts');

/** Serves until a signal comes. @param overrides settings that the command line says otherwise @returns the exit code */
export const serve = async (overrides: Readonly<Record<string, string>> = {}): Promise<number> => {
  const config = loadConfig({ ...process.env, ...overrides });
  const workers = config.WORKERS === 'auto' ? availableParallelism() : config.WORKERS;
  if (workers > 1) return (await import('../workers/primary.ts')).runWorkers(config, workers);
  return (await import('../serve.ts')).runServer(config);
};

/** The OpenAPI description of the API. */
export const describeApi = async (): Promise<object> =>
  (await import('../contract/openapi.ts')).openApiDocument();

/** Long work beside a server: where both want the same processor, the server's visitors go first. */
export const letOthersFirst = (): void => {
  try {
    setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // Started with even less by whoever knows better.
  }
};
