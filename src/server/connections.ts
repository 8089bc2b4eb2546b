import { readFileSync } from 'node:fs';
import type { Server, Socket } from 'node:net';

/** File descriptors reserved for other uses: database, journal, logs, threads and commands. */
const otherFiles = 200;
const checkEveryMs = 1_000;
/** Maximum number of unread response bytes per slow reader. */
const maxForSlowReader = 64 * 1024;
/** A client that stays above `maxForSlowReader`, or reads nothing, is disconnected after this many milliseconds. */
const maxReaderPauseMs = 30_000;
/**
 * Maximum number of unread response bytes across all clients. Above this limit, the clients with the most unread data
 * are disconnected immediately.
 */
const maxBuffered = 64 * 1024 * 1024;

export interface ConnectionStats {
  /** Number of open connections. */
  readonly open: number;
  /** Number of connections closed on arrival because too many were open. */
  readonly refused: number;
  /** Number of connections closed because the client did not read the responses. */
  readonly slowReaders: number;
  /** Number of response bytes that clients had not read at the last check. */
  readonly buffered: number;
}

export interface Connections {
  /** Disconnects slow readers. Runs automatically every second. */
  check(): void;
  stats(): ConnectionStats;
}

type Notice = (sentence: string, facts: Readonly<Record<string, number>>) => void;

/**
 * Returns the maximum number of connections: the configured number, or less if the open-file limit requires it. Above
 * the open-file limit, the operating system would reject connections, and the process could not open database files
 * either.
 * @param openFiles open-file limit of this process; undefined if unknown
 */
export function fitConnections(wanted: number, openFiles: number | undefined, onInfo: Notice): number {
  const most = Math.max(1, Math.min(wanted, (openFiles ?? Number.POSITIVE_INFINITY) - otherFiles));
  if (most < wanted) {
    const sentence =
      "The system's open-file limit allows fewer connections than MAX_CONNECTIONS. Raise the limit, or lower MAX_CONNECTIONS.";
    onInfo(sentence, { wanted, most, openFiles: openFiles ?? 0 });
  }
  return most;
}

/** Returns this process's open-file limit. Node raises the soft limit to the hard limit when it starts. */
export function maxOpenFiles(): number | undefined {
  try {
    const [, soft] = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return soft === undefined ? undefined : Number(soft);
  } catch {
    return undefined;
  }
}

/** Limits for a server's connections. */
export interface ConnectionLimits {
  /** Maximum number of open connections. */
  readonly max: number;
  /** Returns the time of a monotonic clock, in milliseconds. */
  readonly clock?: () => number;
}

/**
 * Limits the number of connections, and the memory for responses that slow readers have not read. Checks the
 * connections once a second, so that requests cause no additional work.
 */
export function guardConnections(
  server: Server,
  { max, clock = () => performance.now() }: ConnectionLimits,
): Connections {
  const open = new Set<Socket>();
  const waiting = new Map<Socket, { since: number; written: number }>();
  let refused = 0;
  let slowReaders = 0;
  let buffered = 0;

  /** A single function for all connections saves the memory for a closure per connection. */
  function forget(this: Socket): void {
    open.delete(this);
    waiting.delete(this);
  }

  server.maxConnections = max;
  server.on('drop', () => {
    refused += 1;
  });
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.on('close', forget);
  });

  const end = (socket: Socket): void => {
    slowReaders += 1;
    buffered -= socket.writableLength;
    waiting.delete(socket);
    socket.destroy();
  };

  const check = (): void => {
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
      } else if (now - seen.since >= maxReaderPauseMs) end(socket);
    }
    if (buffered <= maxBuffered) return;
    for (const socket of [...waiting.keys()].sort((a, b) => b.writableLength - a.writableLength)) {
      if (buffered <= maxBuffered) return;
      end(socket);
    }
  };
  const checking = setInterval(check, checkEveryMs).unref();
  server.once('close', () => clearInterval(checking));

  return { check, stats: () => ({ open: open.size, refused, slowReaders, buffered }) };
}
