import { signal } from '@preact/signals';

/** Since when the server does not answer, and when it is asked again; ms since the epoch. */
interface Outage {
  readonly since: number;
  readonly nextTryAt: number;
}

/** Set while the server does not answer. */
export const outage = signal<Outage | undefined>(undefined);

const firstWaitMs = 4_000;
const longestWaitMs = 30_000;
const backAgain = new Set<() => void>();
let timer: ReturnType<typeof setTimeout> | undefined;
let waitMs = firstWaitMs;

/** Called when the server answers again: screens that failed load anew. */
export function onBack(load: () => void): () => void {
  backAgain.add(load);
  return () => backAgain.delete(load);
}

/** A call had no answer. */
export function lost(): void {
  if (timer !== undefined) return;
  const now = Date.now();
  outage.value = { since: outage.peek()?.since ?? now, nextTryAt: now + waitMs };
  timer = setTimeout(tryNow, waitMs);
  waitMs = Math.min(waitMs * 1.5, longestWaitMs);
}

/** A call was answered. */
export function found(): void {
  clearTimeout(timer);
  timer = undefined;
  waitMs = firstWaitMs;
  if (outage.peek() === undefined) return;
  outage.value = undefined;
  for (const load of backAgain) load();
}

/** Asks whether the server is there. The answer may be no: it is an answer. */
export async function tryNow(): Promise<void> {
  clearTimeout(timer);
  timer = undefined;
  try {
    await fetch('/api/v1/me', { cache: 'no-store' });
    found();
  } catch {
    lost();
  }
}

// A browser that has lost its network says so before any call fails.
if (typeof window !== 'undefined') {
  addEventListener('offline', lost);
  addEventListener('online', () => void tryNow());
}
