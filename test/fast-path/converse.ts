import { connect } from 'node:net';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { Sequence } from './sequences.ts';

/** Timing of the client in ms. */
export interface Pace {
  /** Pause between two chunks. 0 means one tick of the event loop. */
  readonly gap: number;
  /** Time after which a server that neither responds nor closes the connection counts as waiting. */
  readonly patience: number;
}

/** A code that no sequence requests. */
export const probeCode = 'plain-probe';
const probe = `GET /${probeCode} HTTP/1.1\r\nHost: probe\r\n\r\n`;
const probeAnswer = `Location: https://example.com/${probeCode}\r\n`;

/**
 * Sends a sequence on a new connection, and then a plain request. The response to the plain request ends the
 * conversation, and shows whether the connection is intact.
 * @returns the normalized responses, and the connection's state
 */
export async function play(port: number, sequence: Sequence, { gap, patience }: Pace): Promise<string> {
  const { pieces, end } = sequence;
  const socket = connect({ port, host: '127.0.0.1', noDelay: true, allowHalfOpen: true });
  let text = '';
  let fate = 'waits';
  const over = new Promise<void>((resolve) => {
    const closed = (): void => {
      fate = 'closed';
      resolve();
    };
    socket.on('end', closed).on('error', closed).on('close', closed);
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1');
      if (!text.includes(probeAnswer) || !text.endsWith('\r\n\r\n')) return;
      fate = 'goes on';
      resolve();
    });
  });
  await Promise.race([over, new Promise((resolve) => socket.once('connect', resolve))]);
  const wait = (): Promise<unknown> => (gap === 0 ? nextTurn() : sleep(gap));
  for (const piece of pieces) {
    if (socket.writable) socket.write(piece);
    await wait();
  }
  if (end) socket.end();
  else if (socket.writable) socket.write(probe);
  const timer = new AbortController();
  await Promise.race([over, sleep(patience, undefined, { signal: timer.signal }).catch(() => {})]);
  timer.abort();
  socket.destroy();
  return `${normalized(text)}\n[${fate}]`;
}

function normalized(text: string): string {
  return text
    .replaceAll(/127\.0\.0\.1:\d+/g, 'here')
    .replaceAll(/^date: .*$/gim, 'date: -')
    .replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'uuid');
}
