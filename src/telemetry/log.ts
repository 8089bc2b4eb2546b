import { type Logger, pino } from 'pino';

import { keyPattern } from '../domain/keys.ts';

export type { Logger };

// JSON escapes C0 itself. DEL, C1 and the line separators could still steer a terminal or split a line.
const steering = /[\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

/** Takes API keys (their public id stays) and steering characters out of a line of log, wherever they came from. */
export function clean(line: string): string {
  return line
    .replace(keyPattern, (key) => `${key.slice(0, 12)}…`)
    .replace(steering, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Characters that may wait for the reader of the log; beyond, lines are dropped and counted. */
const maxUnread = 4 * 1_024 * 1_024;

interface Out {
  /** Characters that are not gone yet. */
  readonly writableLength: number;
  write(text: string): unknown;
}

/** So much at once is not mixed with what others write into the same pipe, bytes (Linux: PIPE_BUF). */
const unmixedBytes = 4_096;

/** Cuts between lines, so that no piece is longer than that, but for a line that is longer by itself. */
function piecesOf(text: string): readonly string[] {
  const pieces: string[] = [];
  let piece = '';
  for (const line of text.split(/(?<=\n)/)) {
    if (piece !== '' && Buffer.byteLength(piece + line) > unmixedBytes) {
      pieces.push(piece);
      piece = '';
    }
    piece += line;
  }
  return piece === '' ? pieces : [...pieces, piece];
}

/**
 * For several processes that write into one pipe: lines leave in pieces that stay whole, each when the one before is gone,
 * because what waits in a stream leaves together.
 */
function inPieces(out: NodeJS.WriteStream): Out {
  let waiting: string[] = [];
  let length = 0;
  let isBusy = false;
  let isEnding = false;
  const writeNext = (): void => {
    const piece = waiting.shift();
    isBusy = piece !== undefined;
    if (piece === undefined) return;
    out.write(piece, () => {
      length -= piece.length;
      if (!isEnding) writeNext();
    });
  };
  process.on('exit', () => {
    isEnding = true;
    for (const piece of waiting) out.write(piece);
    waiting = [];
  });
  return {
    get writableLength() {
      return length;
    },
    write(text) {
      for (const piece of piecesOf(text)) {
        length += piece.length;
        if (isEnding) out.write(piece);
        else waiting.push(piece);
      }
      if (!isBusy) writeNext();
    },
  };
}

/**
 * Lines of one turn leave together: a call of the system costs more than a line. Of a process that is killed the last
 * turn's are missing, of one that ends in any other way none.
 */
function sinkInto(out: Out) {
  let lines = '';
  let dropped = 0;
  const flush = (): void => {
    if (dropped > 0 && out.writableLength === 0) {
      const entry = { level: 40, time: new Date().toISOString(), lines: dropped };
      out.write(
        `${JSON.stringify({ ...entry, msg: 'Lines of the log were dropped: its reader was too slow.' })}\n`,
      );
      dropped = 0;
    }
    if (lines !== '') out.write(clean(lines));
    lines = '';
  };
  process.on('exit', flush);
  return {
    write: (line: string): void => {
      if (out.writableLength + lines.length > maxUnread) {
        dropped += 1;
        return;
      }
      if (lines === '') setImmediate(flush);
      lines += line;
    },
  };
}

/**
 * Structured logs: JSON lines on standard output, or readable lines when a person is watching.
 * @param crew given when several processes write to the same place: the number of this one, if it is a worker
 */
/** What is logged: from there on upwards. */
export type LogLevel = 'silent' | 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace';

export async function createLog(
  level: LogLevel,
  out: NodeJS.WriteStream = process.stdout,
  crew?: { readonly worker?: number },
): Promise<Logger> {
  const pretty = out.isTTY
    ? (await import('pino-pretty')).PinoPretty({ sync: true, ignore: 'pid,hostname', singleLine: true })
    : undefined;
  const lines = crew === undefined ? out : inPieces(out);
  const sink =
    pretty === undefined ? sinkInto(lines) : { write: (line: string) => pretty.write(clean(line)) };
  return pino(
    {
      level,
      base: { pid: process.pid, ...crew },
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { error: pino.stdSerializers.err },
    },
    sink,
  );
}
