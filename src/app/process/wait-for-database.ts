import { setTimeout as pause } from 'node:timers/promises';

const firstPauseMs = 250;
const maxPauseMs = 10_000;

export interface Waiting {
  /** Returns true if an error while opening the database may be temporary. */
  readonly mayPass: (error: unknown) => boolean;
  /** Called when the wait begins, and whenever the reason changes. */
  readonly onWait: (reason: string) => void;
  /** Called when the database has been opened after a wait. */
  readonly onOpen: () => void;
  /** Ends the wait when aborted. */
  readonly signal: AbortSignal;
}

/**
 * Opens a database that may not be available yet, for example while a machine boots. Retries indefinitely, at intervals
 * that double from 0.25 s up to 10 s.
 * @throws the error from `open` if it is not temporary; the signal's reason if the signal is aborted
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
