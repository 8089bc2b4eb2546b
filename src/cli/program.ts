import { Command, CommanderError } from 'commander';
import { addAccounts } from './accounts.ts';
import { addConfig } from './config.ts';
import { addDb } from './db.ts';
import { exits } from './exits.ts';
import { addFolders } from './folders.ts';
import { addKeys } from './keys.ts';
import { addLinks } from './links.ts';
import { addOpenApi } from './openapi.ts';
import { hasColours, paint } from './print.ts';
import { addServe } from './serve.ts';

const afterAll = `
Exit codes:
  0    done
  1    the operation was refused, or something was found
  2    usage or settings error
  3    the server or the database cannot be reached
  130  interrupted

serve, keys, accounts and db work on the installation that the settings name (linkfold config).
links and folders talk to a server: LINKFOLD_URL, and LINKFOLD_API_KEY or LINKFOLD_API_KEY_FILE.

Start here:
  linkfold serve
  linkfold COMMAND --help`;

/** The whole command line, as commander knows it; walked by the documentation's test. */
export const createProgram = (): Command => {
  const program = new Command('linkfold')
    .description('Short links that are never lost, clicks that are never lost, and one command to run it.')
    .helpCommand(false)
    .exitOverride()
    .configureOutput({
      getOutHasColors: () => hasColours(process.stdout),
      getErrHasColors: () => hasColours(process.stderr),
      outputError: (text, write) => write(text.replace(/^error: /, paint('red', 'error: ', process.stderr))),
    })
    .configureHelp({ styleTitle: (title) => paint('bold', title), sortOptions: false })
    .addHelpText('after', afterAll);
  addServe(program);
  addKeys(program);
  addAccounts(program);
  addLinks(program);
  addFolders(program);
  addDb(program);
  addOpenApi(program);
  addConfig(program);
  return program;
};

/** Performs one command line. @returns the exit code @throws what kept the command from its end */
export const perform = async (args: readonly string[]): Promise<number> => {
  try {
    await createProgram().parseAsync(args, { from: 'user' });
    return exits.done;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exits.done : exits.usage;
    throw error;
  }
};
