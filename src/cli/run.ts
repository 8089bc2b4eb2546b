import { type End, endOf, exits, Stop } from './terminal/exits.ts';
import { serve } from './terminal/local.ts';
import { requireNode } from './terminal/node-version.ts';
import { clean, note, noteJson, paint, stdoutClosed } from './terminal/print.ts';

/** Runs a command line, and prints errors to stderr. @returns the exit code */
export async function run(given: readonly string[]): Promise<number> {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') process.exit(exits.refused);
    stdoutClosed();
  });
  // Write errors are ignored, so that the command continues if the reader of stderr closes it.
  process.stderr.on('error', () => {});
  const json = wantsJson(given);
  let args = given;
  try {
    requireText(given);
    // `serve` must start fast and may run for months, so the code for the other commands and their help is not loaded.
    if (given.length === 1 && given[0] === 'serve') {
      requireNode(given);
      return await serve();
    }
    const { perform, normalizeArguments } = await import('./program.ts');
    args = normalizeArguments(given);
    requireNode(args);
    return await perform(args, { json });
  } catch (error) {
    const end = endOf(error);
    if (json) noteFault(end);
    else {
      noteMessage(end.message + (await hintFor(end)));
      if (end.hint !== undefined) note(clean(end.hint));
    }
    if (end.exit !== exits.usage || end.message === '') return end.exit;
    // If the command uses exit code 2 to report a finding, usage errors exit with another code.
    return (await (await import('./program.ts')).findsSomething(args[0])) ? exits.refused : exits.usage;
  }
}

function wantsJson(args: readonly string[]): boolean {
  const end = args.indexOf('--');
  return args.slice(0, end === -1 ? undefined : end).includes('--json');
}

/**
 * Rejects arguments that are not UTF-8: Node.js replaces their invalid bytes with the replacement character.
 * @throws Stop that names the first invalid argument
 */
function requireText(args: readonly string[]): void {
  const at = args.findIndex((argument) => argument.includes('\ufffd'));
  if (at === -1) return;
  throw new Stop(
    exits.usage,
    `Argument ${at + 1}, "${args[at]}", is not valid UTF-8 (it contains U+FFFD). Nothing was done.`,
  );
}

function noteFault({ fault }: End): void {
  if (fault.message !== '') noteJson({ error: fault });
}

/** Returns a hint to append to the human-readable message, or an empty string if there is none. */
async function hintFor({ isServerAway }: End): Promise<string> {
  return isServerAway ? (await import('./terminal/servers.ts')).unreachableHint() : '';
}

function noteMessage(message: string): void {
  for (const line of message.split('\n').filter((text) => text !== '')) {
    note(`${paint('red', 'error:', process.stderr)} ${clean(line)}`);
  }
}
