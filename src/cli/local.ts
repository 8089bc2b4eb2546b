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

/** Serves until a signal comes. @returns the exit code */
export const serve = async (): Promise<number> => {
  const config = readConfig();
  const { runServer } = await import('../serve.ts');
  return runServer(config);
};

/** The OpenAPI description of the API. */
export const describeApi = async (): Promise<object> =>
  (await import('../contract/openapi.ts')).openApiDocument();
