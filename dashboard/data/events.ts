import { signal } from '@preact/signals';
import type { FollowedEvent } from '../../src/client/client.ts';
import { api } from './client.ts';
import { checkServer, onBack } from './connection.ts';

/** Whether events come as they happen. While they do not, screens ask now and then. */
export const isFollowing = signal(false);

/** After a refusal it is tried again. */
const againMs = 60_000;
/** A screen that goes makes room for the next one, which may want events too. */
const restMs = 1_000;
/** How long what a screen read when it began to listen counts as fresh, ms. */
const freshMs = 2_000;
/** Since when what each listener shows is fresh, ms on the clock of the page. */
const listeners = new Map<(event: FollowedEvent) => void, number>();
let connection: AbortController | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;
let lastEventId = '';

/**
 * Calls with what happens to the links of the account, while the page is in sight; for all screens over one connection, of
 * which a browser has few.
 * @param hasJustRead whether the screen has read what it shows: then a gap before the connection opened is none
 * @returns what ends it
 */
export function onEvent(listen: (event: FollowedEvent) => void, hasJustRead = true): () => void {
  listeners.set(listen, hasJustRead ? performance.now() : -freshMs);
  connect();
  return () => {
    listeners.delete(listen);
    setTimeout(rest, restMs);
  };
}

/** Whether something may have happened before this event that was not told: what a screen shows is to be read again. */
export function isAfterGap(event: FollowedEvent): boolean {
  return event.type === 'reset' || (event.type === 'ready' && !event.resumed);
}

function isWanted(): boolean {
  return listeners.size > 0 && !document.hidden;
}

function rest(): void {
  if (isWanted()) return;
  clearTimeout(timer);
  connection?.abort();
}

function connect(): void {
  if (connection !== undefined || !isWanted()) return;
  clearTimeout(timer);
  connection = new AbortController();
  void follow(connection.signal);
}

async function follow(ending: AbortSignal): Promise<void> {
  const onLost = () => {
    isFollowing.value = false;
    if (!ending.aborted) void checkServer();
  };
  try {
    for await (const event of api.events({}, { signal: ending, lastEventId, onLost })) {
      lastEventId = event.id;
      isFollowing.value = true;
      const before = performance.now() - (isAfterGap(event) ? freshMs : 0);
      for (const [listen, since] of listeners) if (since <= before) listen(event);
    }
  } catch {
    // Screens ask instead. A call like any other tells whether it is the session that is gone.
    timer = setTimeout(connect, againMs);
    void api.me().catch(() => {});
  }
  connection = undefined;
  isFollowing.value = false;
  if (ending.aborted) connect();
}

document.addEventListener('visibilitychange', () => (isWanted() ? connect() : rest()));
onBack(connect);
