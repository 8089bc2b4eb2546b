import { setTimeout as pause } from 'node:timers/promises';

const firstPauseMs = 250;
const longestPauseMs = 10_000;

export interface Waiting {
  /** Whether an error of opening may pass by itself. */
  readonly mayPass: (error: unknown) => boolean;
  /** Called when the wait begins, and whenever the reason changes. */
  readonly onWait: (reason: string) => void;
  /** Called when the database is open after a wait. */
  readonly onOpen: () => void;
  /** Ends the waiting. */
  readonly signal: AbortSignal;
}

/**
 * Opens a database that may not be there yet, as at the boot of a machine: tries again after 0.25 s, 0.5 s and so on up to
 * 10 s, without an end.
 * @throws what opening throws when that does not pass by itself; the signal's reason when it is aborted
 */
export async function waitForDatabase<T>(
  open: () => Promise<T>,
  { mayPass, onWait, onOpen, signal }: Waiting,
): Promise<T> {
  let reason: string | undefined;
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(longestPauseMs, pauseMs * 2)) {
    try {
      const opened = await open();
      if (reason !== undefined) onOpen();
      return opened;
    } catch (error) {
      if (!mayPass(error)) throw error;
      const message = error instanceof Error ? error.message : String(error);
      if (message !== reason) onWait(message);
      reason = message;
    }
    await pause(pauseMs, undefined, { signal }).catch(() => signal.throwIfAborted());
  }
}
