import { createInterface } from 'node:readline/promises';
import { exits, Stop } from './exits.ts';

/**
 * Asks for confirmation on the terminal. Returns only if the user confirms.
 * @param nothing message if the user declines
 * @param otherwise what else to tell the user if there is no terminal, with a leading space
 * @throws Stop if the user declines or there is no terminal
 */
export async function confirm(question: string, nothing: string, otherwise = ''): Promise<void> {
  if (!process.stdin.isTTY || !process.stderr.isTTY)
    throw new Stop(
      exits.usage,
      `Confirmation requires a terminal. To skip confirmation, pass --yes.${otherwise}`,
    );
  const asking = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await asking.question(`${question} Type yes: `);
    if (answer.trim().toLowerCase() !== 'yes') throw new Stop(exits.refused, nothing);
  } catch (error) {
    // The user pressed Ctrl-C or Ctrl-D at the prompt.
    if (error instanceof Error && error.name === 'AbortError') throw new Stop(exits.interrupted, nothing);
    throw error;
  } finally {
    asking.close();
  }
}
