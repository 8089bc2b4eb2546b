import { type Logger, pino } from 'pino';

import { keyPattern, secretPattern } from '../model/accounts/keys.ts';
import { createFifo } from '../runtime/fifo.ts';

export type { Logger };

// Matches characters that could control a terminal or split a line. `JSON.stringify` escapes C0 control characters, but
// not DEL, C1, line separators and bidirectional controls.
const steering = /[\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

/** Removes secrets (except an API key's public id) and control characters from a log line. */
export function clean(line: string): string {
  return line
    .replace(keyPattern, (key) => `${key.slice(0, 12)}…`)
    .replace(secretPattern, (secret) => `${secret.slice(0, secret.indexOf('_') + 1)}…`)
    .replace(steering, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Maximum number of characters to buffer if the log's reader is slow. Additional lines are dropped and counted. */
const maxUnread = 4 * 1_024 * 1_024;
/** Maximum size in bytes of a write that is atomic in a pipe shared with other processes (Linux: PIPE_BUF). */
const unmixedBytes = 4_096;

/**
 * Creates a stream that writes all lines logged in one tick together, because a system call costs more than a line. If
 * several processes share a pipe, each write is small enough to be atomic. Each write waits for the previous one,
 * because Node's streams combine pending writes. A process that is killed loses the lines of its last tick; a process
 * that ends in any other way loses none.
 */
function sinkInto(out: NodeJS.WriteStream) {
  const lines = createFifo<string>();
  let unread = 0;
  let dropped = 0;
  let isBusy = false;

  const nextPiece = (): string => {
    let piece = '';
    for (let line = lines.first(), bytes = 0; line !== undefined; line = lines.first()) {
      bytes += Buffer.byteLength(line);
      if (piece !== '' && bytes > unmixedBytes) break;
      piece += line;
      lines.removeFirst();
    }
    return piece;
  };
  const writeNext = (): void => {
    if (dropped > 0 && unread === 0) {
      const entry = { level: 40, time: new Date().toISOString(), lines: dropped };
      dropped = 0;
      add(
        `${JSON.stringify({ ...entry, msg: 'Log lines were dropped because the reader was too slow.' })}\n`,
      );
    }
    const piece = nextPiece();
    isBusy = piece !== '';
    if (isBusy) {
      out.write(piece, () => {
        unread -= piece.length;
        writeNext();
      });
    }
  };
  const add = (line: string): void => {
    lines.add(line);
    unread += line.length;
  };
  process.on('exit', () => {
    for (let piece = nextPiece(); piece !== ''; piece = nextPiece()) out.write(piece);
  });
  return {
    write(line: string): void {
      if (unread > maxUnread) dropped += 1;
      else add(clean(line));
      if (isBusy) return;
      isBusy = true;
      setImmediate(writeNext);
    },
  };
}

/** Minimum level that is logged. */
export type LogLevel = 'silent' | 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace';

/**
 * Creates the structured log: JSON lines on standard output, or readable lines on a terminal. SIGUSR1 switches to
 * `debug` and back.
 * @param processFields fields for every line, if several processes write to the same output. In a worker process,
 * `worker` is its number.
 */
export async function createLog(
  level: LogLevel,
  out: NodeJS.WriteStream = process.stdout,
  processFields?: { readonly worker?: number },
): Promise<Logger> {
  const pretty = out.isTTY
    ? (await import('pino-pretty')).PinoPretty({ sync: true, ignore: 'pid,hostname', singleLine: true })
    : undefined;
  const sink = pretty === undefined ? sinkInto(out) : { write: (line: string) => pretty.write(clean(line)) };
  const log = pino(
    {
      level,
      base: { pid: process.pid, ...processFields },
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { error: pino.stdSerializers.err },
    },
    sink,
  );
  process.on('SIGUSR1', () => {
    log.level = log.level === 'debug' ? level : 'debug';
    log.warn({ level: log.level }, 'Log level changed by SIGUSR1.');
  });
  return log;
}
