import { signal } from '@preact/signals';

/** Start of an outage and time of the next server check, in ms since the epoch. */
interface Outage {
  readonly since: number;
  readonly nextTryAt: number;
}

/** Set while the server is unreachable. */
export const outage = signal<Outage | undefined>(undefined);

/** Whether the server has a newer dashboard build than this page. */
export const isOutdated = signal(false);

const answersWithinMs = 5_000;
const firstWaitMs = 4_000;
const maxWaitMs = 30_000;
const backAgain = new Set<() => void>();
let timer: ReturnType<typeof setTimeout> | undefined;
let waitMs = firstWaitMs;

/**
 * Calls `load` when the server is reachable again, so that screens reload what failed to load.
 * @returns a function that unsubscribes
 */
export function onBack(load: () => void): () => void {
  backAgain.add(load);
  return () => backAgain.delete(load);
}

/** Records that an API call received no response, and schedules a server check. */
export function recordFailure(): void {
  if (timer !== undefined) return;
  const now = Date.now();
  outage.value = { since: outage.peek()?.since ?? now, nextTryAt: now + waitMs };
  timer = setTimeout(checkServer, waitMs);
  waitMs = Math.min(waitMs * 1.5, maxWaitMs);
}

/** Records that an API call received a response. */
export function recordResponse(): void {
  clearTimeout(timer);
  timer = undefined;
  waitMs = firstWaitMs;
  if (outage.peek() === undefined) return;
  outage.value = undefined;
  for (const load of backAgain) load();
}

/**
 * Checks the server, and records whether it serves a newer dashboard build. @returns true if the server responds
 */
export async function checkServer(): Promise<boolean> {
  clearTimeout(timer);
  timer = undefined;
  try {
    const answer = await fetch('/dashboard', {
      cache: 'no-cache',
      signal: AbortSignal.timeout(answersWithinMs),
    });
    // A proxy may respond even though the server is down, so treat these statuses as no response.
    if (answer.status >= 502) throw new Error(answer.statusText);
    const script = document.querySelector('script[src]')?.getAttribute('src');
    const page = await answer.text();
    if (answer.ok && script) isOutdated.value = !page.includes(script);
    recordResponse();
    return true;
  } catch {
    recordFailure();
    return false;
  }
}

// The browser reports a lost network connection before any API call fails.
if (typeof window !== 'undefined') {
  addEventListener('offline', recordFailure);
  addEventListener('online', () => void checkServer());
}
