import { type CallOptions, queryText } from './call.ts';
import { type EventsData, type EventsInput, endpoints } from './endpoints.ts';
import { LinkfoldError, Unreachable } from './errors.ts';
import { readServerEvents, type ServerEvent } from './server-events.ts';
import { isWorthRepeating, type Open, wait, waitBefore } from './transport.ts';

/** An event, and its ID. A stream can resume after that ID. */
export type FollowedEvent = Exclude<EventsData, { type: 'end' }> & { readonly id: string };

export interface FollowOptions extends Pick<CallOptions, 'signal'> {
  /** ID of the last event that was received, perhaps by an earlier process. The stream resumes after this event. */
  readonly lastEventId?: string | undefined;
  /** Called when the connection is lost, before reconnecting. */
  readonly onLost?: ((error: LinkfoldError, waitMs: number) => void) | undefined;
}

/**
 * Milliseconds without data after which the connection is considered lost. The server sends a comment every 15 seconds.
 */
const silenceMs = 45_000;
const longestWaitMs = 30_000;
/** Maximum number of attempts to open the first connection. */
const firstAttempts = 4;

/** Streams events and reconnects as needed. @throws LinkfoldError for errors that a retry cannot fix */
export async function* followEvents(
  open: Open,
  input: EventsInput = {},
  { signal, lastEventId = '', onLost }: FollowOptions = {},
): AsyncGenerator<FollowedEvent, void, undefined> {
  const path = `/api/v1${endpoints.events.path}${queryText(Object.entries(input), [])}`;
  const state = { id: lastEventId, retryMs: 0 };
  let hasConnected = false;
  for (let tried = 0; signal?.aborted !== true; tried += 1) {
    try {
      for await (const event of connection(open, path, state, signal)) {
        hasConnected = true;
        tried = 0;
        yield event;
      }
    } catch (error) {
      if (signal?.aborted) return;
      const mayPass = error instanceof LinkfoldError && isWorthRepeating(error, true);
      if (!mayPass || (!hasConnected && (tried + 1 >= firstAttempts || error.code === 'TOO_MANY_STREAMS')))
        throw error;
      const waitMs = Math.min(Math.max(state.retryMs, waitBefore(error, tried)), longestWaitMs);
      onLost?.(error, waitMs);
      await wait(waitMs, signal).catch(() => {}); // the loop condition checks for an abort
    }
  }
}

/** Yields events from one connection until it ends. @throws Unreachable if the connection ends without an abort */
async function* connection(
  open: Open,
  path: string,
  state: { id: string; retryMs: number },
  signal: AbortSignal | undefined,
): AsyncGenerator<FollowedEvent, void, undefined> {
  const over = new AbortController();
  const end = (): void => over.abort(signal?.reason);
  signal?.addEventListener('abort', end, { once: true });
  let timer: ReturnType<typeof setTimeout> | undefined;
  const listen = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => over.abort(), silenceMs);
  };
  try {
    const headers = state.id === '' ? {} : { 'last-event-id': state.id };
    const body = await open({ path, headers, type: 'text/event-stream', signal: over.signal });
    for await (const { id, data, retryMs } of readServerEvents(body, listen)) {
      if (retryMs !== undefined) state.retryMs = retryMs;
      if (id !== undefined) state.id = id;
      const event = data === undefined ? undefined : eventIn(data);
      if (event?.type === 'end')
        throw new Unreachable(`The server closed the stream: ${event.message}`, event);
      if (event !== undefined) yield { ...event, id: state.id };
    }
    throw new Unreachable('The server closed the stream.', undefined);
  } catch (error) {
    if (error instanceof LinkfoldError) throw error;
    throw new Unreachable('The stream was interrupted.', error);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', end);
    over.abort();
  }
}

/** Parses an event. @returns undefined if the data is not an event */
function eventIn(data: NonNullable<ServerEvent['data']>): EventsData | undefined {
  try {
    const event: unknown = JSON.parse(data);
    const isEvent = typeof event === 'object' && event !== null && 'type' in event;
    return isEvent ? (event as EventsData) : undefined;
  } catch {
    return undefined;
  }
}
