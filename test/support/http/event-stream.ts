import assert from 'node:assert/strict';
import { type ClientRequest, request } from 'node:http';
import { until } from '../until.ts';

/** An event as received from the stream. */
export interface ReceivedEvent {
  readonly id: string;
  readonly event: string;
  // biome-ignore lint/suspicious/noExplicitAny: responses are checked at run time
  readonly data: any;
}

/** A client that reads the event stream on its own connection. */
export interface Follower {
  /** Events in order of arrival, except `ready`. */
  readonly received: readonly ReceivedEvent[];
  /** Returns true if the server has ended the stream. */
  hasEnded(): boolean;
  /** Waits until this number of events has arrived. */
  count(events: number): Promise<readonly ReceivedEvent[]>;
  close(): void;
}

/** Connects to the event stream and waits for its first event. */
export async function follow(
  server: { readonly port: number },
  key: string,
  {
    query = '',
    lastEventId = '',
    headers = {},
  }: { query?: string; lastEventId?: string; headers?: Record<string, string> } = {},
): Promise<Follower> {
  const received: ReceivedEvent[] = [];
  let text = '';
  let isOver = false;
  let status = 0;
  let begun = '';
  const call: ClientRequest = request(
    {
      host: '127.0.0.1',
      port: server.port,
      path: `/api/v1/events${query}`,
      agent: false,
      headers: {
        ...(key !== '' && { authorization: `Bearer ${key}` }),
        ...(lastEventId !== '' && { 'last-event-id': lastEventId }),
        ...headers,
      },
    },
    (response) => {
      status = response.statusCode ?? 0;
      response.setEncoding('utf8').on('data', (piece: string) => {
        text += piece;
        const blocks = text.split('\n\n');
        text = blocks.pop() ?? '';
        for (const block of blocks) {
          const fields = Object.fromEntries(block.split('\n').map((line) => line.split(/: (.*)/, 2)));
          if (fields['event'] === undefined) continue;
          begun ||= fields['event'];
          const one = { id: fields['id'] ?? '', event: fields['event'], data: JSON.parse(fields['data']) };
          if (one.event !== 'ready') received.push(one);
        }
      });
      response.on('close', () => {
        isOver = true;
      });
    },
  );
  call.on('error', () => {
    isOver = true;
  });
  call.end();
  await until('the stream starts', () => begun !== '' || isOver);
  assert.equal(status, 200, text);
  return {
    received,
    hasEnded: () => isOver,
    async count(events) {
      await until(`${events} events, not ${received.length}`, () => received.length >= events);
      return received;
    },
    close: () => call.destroy(),
  };
}
