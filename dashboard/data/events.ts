import { signal } from '@preact/signals';
import type { FollowedEvent } from '../../src/client/client.ts';
import { api } from './client.ts';
import { checkServer, onBack } from './connection.ts';

/** Whether the dashboard receives live events. If not, screens poll. */
export const isFollowing = signal(false);

/** Milliseconds before reconnecting after the server rejected the connection. */
const againMs = 60_000;
/** How long the connection stays open without listeners, in ms. The next screen may need it. */
const restMs = 1_000;
/** How long a screen ignores event gaps after loading its data, in ms. */
const freshMs = 2_000;
/** Each listener, and when its screen loaded its data, as a `performance.now()` time. */
const listeners = new Map<(event: FollowedEvent) => void, number>();
let connection: AbortController | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;
let lastEventId = '';

/**
 * Subscribes to events for the account's links while the page is visible. All screens share one connection, because
 * browsers limit the number of connections.
 * @param hasJustRead true if the screen has just loaded its data and need not reload when the connection opens
 * @returns a function that unsubscribes
 */
export function onEvent(listen: (event: FollowedEvent) => void, hasJustRead = true): () => void {
  listeners.set(listen, hasJustRead ? performance.now() : -freshMs);
  connect();
  return () => {
    listeners.delete(listen);
    setTimeout(rest, restMs);
  };
}

/** Returns true if the client may have missed events before this event. If so, the screen must reload its data. */
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
    // Without live events, screens poll. Call the API once here, because its response shows whether the session has
    // ended.
    timer = setTimeout(connect, againMs);
    void api.me().catch(() => {});
  }
  connection = undefined;
  isFollowing.value = false;
  if (ending.aborted) connect();
}

document.addEventListener('visibilitychange', () => (isWanted() ? connect() : rest()));
onBack(connect);
