import { setTimeout as pause } from 'node:timers/promises';

const firstPauseMs = 250;
const maxPauseMs = 10_000;

export interface Waiting {
  /** Returns true if an error of opening may be temporary. */
  readonly mayPass: (error: unknown) => boolean;
  /** Called when the wait begins, and whenever the reason changes. */
  readonly onWait: (reason: string) => void;
  /** Called when the database is open after a wait. */
  readonly onOpen: () => void;
  /** Ends the wait. */
  readonly signal: AbortSignal;
}

/**
 * Opens a database that may not be available yet, as when a machine boots: retries after 0.25 s, 0.5 s and so on up
 * to every 10 s, indefinitely.
 * @throws the error of opening if it is not temporary; the signal's reason if it is aborted
 */
export async function waitForDatabase<T>(
  open: () => Promise<T>,
  { mayPass, onWait, onOpen, signal }: Waiting,
): Promise<T> {
  let reason: string | undefined;
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(maxPauseMs, pauseMs * 2)) {
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
