import { endOf, exits } from './exits.ts';
import { serve } from './local.ts';
import { clean, note, paint } from './print.ts';

/** Runs one command line, and says on stderr what kept it from its end. @returns the exit code */
export const run = async (args: readonly string[]): Promise<number> => {
  // The reader of a pipe may go away (`| head`): that is an end, not a failure.
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) =>
      process.exit(error.code === 'EPIPE' ? exits.done : exits.refused),
    );
  }
  try {
    // Somebody waits for its start, and it runs for months: it does without the other commands and their help.
    if (args.length === 1 && args[0] === 'serve') return await serve();
    return await (await import('./program.ts')).perform(args);
  } catch (error) {
    const { exit, message } = endOf(error);
    for (const line of message.split('\n').filter((text) => text !== '')) {
      note(`${paint('red', 'error:', process.stderr)} ${clean(line)}`);
    }
    return exit;
  }
};
