import { readFileSync } from 'node:fs';
import type { Server, Socket } from 'node:net';

/** Files in addition to connections: database, journal, logs, threads, and what commands on the same process may open. */
const otherFiles = 200;
const checkEveryMs = 1_000;
/** Unread answer bytes that a slow reader may leave. */
const maxForSlowReader = 64 * 1024;
/** A reader that leaves more than that for this long, or takes nothing for as long, is closed, ms. */
const readerPatienceMs = 30_000;
/** What all readers together may leave unread, bytes: beyond, those with the most are closed at once. */
const maxBuffered = 64 * 1024 * 1024;

export interface ConnectionStats {
  /** Open now. */
  readonly open: number;
  /** Closed on arrival, because too many were open. */
  readonly refused: number;
  /** Closed because their clients did not read the answers. */
  readonly slowReaders: number;
  /** Unread answers at the last check, bytes. */
  readonly buffered: number;
}

export interface Connections {
  /** Closes slow readers; done by itself every second. */
  look(): void;
  stats(): ConnectionStats;
}

type Notice = (sentence: string, facts: Readonly<Record<string, number>>) => void;

/**
 * The largest number of connections: the configured one, but no more than this process may open files. Beyond that the
 * system would refuse connections, and the database's files as well.
 * @param openFiles the most files this process may open; undefined where the system does not say
 */
export function fitConnections(wanted: number, openFiles: number | undefined, onInfo: Notice): number {
  const most = Math.max(1, Math.min(wanted, (openFiles ?? Number.POSITIVE_INFINITY) - otherFiles));
  if (most < wanted) {
    const sentence = 'Fewer connections than MAX_CONNECTIONS: this process may not open more files.';
    onInfo(sentence, { wanted, most, openFiles: openFiles ?? 0 });
  }
  return most;
}

/** @returns the soft limit of open files, which Node has raised as far as it may */
export function maxOpenFiles(): number | undefined {
  try {
    const [, soft] = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return soft === undefined ? undefined : Number(soft);
  } catch {
    return undefined;
  }
}

/** What bounds the connections of a server. */
export interface ConnectionBounds {
  /** Maximum number of connections at a time. */
  readonly max: number;
  /** Monotonic, ms. */
  readonly clock?: () => number;
}

/**
 * Bounds how many connections a server holds, and how much memory the unread answers of slow readers take. Adds no work
 * to a request: it checks the connections once a second.
 */
export function guardConnections(
  server: Server,
  { max, clock = () => performance.now() }: ConnectionBounds,
): Connections {
  const open = new Set<Socket>();
  const waiting = new Map<Socket, { since: number; written: number }>();
  let refused = 0;
  let slowReaders = 0;
  let buffered = 0;

  server.maxConnections = max;
  server.on('drop', () => {
    refused += 1;
  });
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => {
      open.delete(socket);
      waiting.delete(socket);
    });
  });

  const end = (socket: Socket): void => {
    slowReaders += 1;
    buffered -= socket.writableLength;
    waiting.delete(socket);
    socket.destroy();
  };

  const look = (): void => {
    const now = clock();
    buffered = 0;
    for (const socket of open) {
      const length = socket.writableLength;
      buffered += length;
      const seen = waiting.get(socket);
      if (length === 0) {
        if (seen !== undefined) waiting.delete(socket);
      } else if (seen === undefined || (length <= maxForSlowReader && seen.written !== socket.bytesWritten)) {
        waiting.set(socket, { since: now, written: socket.bytesWritten });
      } else if (now - seen.since >= readerPatienceMs) end(socket);
    }
    if (buffered <= maxBuffered) return;
    for (const socket of [...waiting.keys()].sort((a, b) => b.writableLength - a.writableLength)) {
      if (buffered <= maxBuffered) return;
      end(socket);
    }
  };
  const looking = setInterval(look, checkEveryMs).unref();
  server.once('close', () => clearInterval(looking));

  return { look, stats: () => ({ open: open.size, refused, slowReaders, buffered }) };
}
