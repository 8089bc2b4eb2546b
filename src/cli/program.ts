import { Command, CommanderError } from 'commander';
import { version } from '../runtime/version.ts';
import { addAccounts } from './accounts.ts';
import { addCodes } from './codes.ts';
import { addConfig } from './config.ts';
import { addDb } from './db.ts';
import { exits, Stop } from './exits.ts';
import { addFolders } from './folders.ts';
import { addHelp } from './help.ts';
import { addKeys } from './keys.ts';
import { addLinks } from './links.ts';
import { addLogin } from './login.ts';
import { addOpenApi } from './openapi.ts';
import { hasColours, paint } from './print.ts';
import { addQr } from './qr.ts';
import { addServe } from './serve.ts';
import { addSessions } from './sessions.ts';
import { addStats } from './stats.ts';
import { addTags } from './tags.ts';

const afterAll = `
Exit codes:
  0    done
  1    the operation was refused, or something was found
  2    usage or settings error
  3    the server or the database cannot be reached
  130  interrupted

serve, keys, accounts, login, sessions, codes and db work on the installation that the settings name (linkfold config).
links, folders, tags, qr and stats talk to a server: LINKFOLD_URL, and LINKFOLD_API_KEY or LINKFOLD_API_KEY_FILE.

Start here:
  linkfold serve
  linkfold help COMMAND`;

/** The whole command line, as commander knows it; walked by the documentation's test. */
export function createProgram({ json = false } = {}): Command {
  const program = new Command('linkfold')
    .description('Short links that are never lost, clicks that are never lost, and one command to run it.')
    .version(version, '-V, --version', 'print the version of this program')
    .helpCommand(false)
    .exitOverride()
    .configureOutput({
      getOutHasColors: () => hasColours(process.stdout),
      getErrHasColors: () => hasColours(process.stderr),
      // Printed at the end, like every other failure.
      outputError: () => {},
      writeErr: (text) => void (json || process.stderr.write(text)),
    })
    .configureHelp({ styleTitle: (title) => paint('bold', title), sortOptions: false })
    .addHelpText('after', afterAll);
  addServe(program);
  addKeys(program);
  addAccounts(program);
  addLogin(program);
  addSessions(program);
  addCodes(program);
  addLinks(program);
  addFolders(program);
  addTags(program);
  addQr(program);
  addStats(program);
  addDb(program);
  addOpenApi(program);
  addConfig(program);
  addHelp(program);
  return program;
}

/** Of the package; `dist/` lies where `src/` does. */
/** Performs one command line. @returns the exit code @throws the error that ended the command */
export async function perform(args: readonly string[], options: { readonly json: boolean }): Promise<number> {
  try {
    await createProgram(options).parseAsync(args, { from: 'user' });
    return exits.done;
  } catch (error) {
    if (error instanceof CommanderError) return endOfParsing(error, options.json);
    throw error;
  }
}

/** @throws Stop when the command line cannot be understood */
function endOfParsing(error: CommanderError, json: boolean): number {
  if (error.exitCode === 0) return exits.done;
  // A group without a command: its help was printed.
  if (error.code === 'commander.help')
    throw new Stop(exits.usage, json ? 'Name a command; see linkfold help.' : '');
  throw new Stop(exits.usage, error.message.replace(/^error: /, '').replaceAll('\n', ' '));
}
