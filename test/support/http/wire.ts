import type { IncomingHttpHeaders } from 'node:http';
import { connect } from 'node:net';
import type { Answer } from './ask.ts';
import { statusOf } from './openapi.ts';

export const patienceMs = 20_000;

/** Returns all of a header's values. */
export function valuesOf(answer: Answer, name: string): string[] {
  return answer.rawHeaders.filter(
    (_, index) => index % 2 === 1 && answer.rawHeaders[index - 1]?.toLowerCase() === name,
  );
}

export interface Conversation {
  /** Everything that the server sent. */
  readonly text: string;
  readonly closed: boolean;
}

/**
 * Writes bytes to a socket and reads until the server closes the connection, `enough` returns true, or 5 seconds have
 * passed. `end` half-closes the connection after writing, for bytes after which the server would otherwise (correctly)
 * wait for more.
 */
export function converse(
  port: number,
  bytes: readonly (string | Uint8Array)[],
  options: {
    readonly end?: boolean;
    /** True to reset the connection instead of closing it. */
    readonly reset?: boolean;
    readonly enough?: (text: string) => boolean;
  } = {},
): Promise<Conversation> {
  return new Promise((resolve) => {
    const received: Buffer[] = [];
    let text = '';
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    const finish = (closed: boolean): void => {
      clearTimeout(patience);
      socket.destroy();
      resolve({ text: Buffer.concat(received).toString('latin1'), closed });
    };
    const patience = setTimeout(() => finish(false), patienceMs);
    socket.on('data', (chunk: Buffer) => {
      received.push(chunk);
      text += chunk.toString('latin1');
      if (options.enough?.(text)) finish(false);
    });
    socket.on('end', () => finish(true));
    // If the connection is reset while the client writes, the server either has responded or does not want to respond.
    socket.on('error', () => finish(true));
    for (const part of bytes) socket.write(part);
    if (options.end) socket.end();
    if (options.reset)
      socket.once('connect', () =>
        setImmediate(() => socket.resetAndDestroy().once('close', () => finish(true))),
      );
  });
}

/** Returns the complete responses at the start of a connection. Interim responses (1xx) are skipped. */
export function answersIn(text: string, { head = false } = {}): Answer[] {
  const answers: Answer[] = [];
  for (let at = 0; at < text.length; ) {
    const headEnd = text.indexOf('\r\n\r\n', at);
    if (headEnd < 0) break;
    const [statusLine = '', ...lines] = text.slice(at, headEnd).split('\r\n');
    const rawHeaders = lines.flatMap((line) => [
      line.slice(0, line.indexOf(':')),
      line.slice(line.indexOf(':') + 1).trim(),
    ]);
    const headers: IncomingHttpHeaders = {};
    for (let index = 0; index < rawHeaders.length; index += 2) {
      headers[(rawHeaders[index] ?? '').toLowerCase()] = rawHeaders[index + 1] ?? '';
    }
    const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(statusLine)?.[1] ?? Number.NaN);
    const bodyEnd = headEnd + 4 + (head || status < 200 ? 0 : Number(headers['content-length'] ?? 0));
    if (bodyEnd > text.length) break;
    const body = Buffer.from(text.slice(headEnd + 4, bodyEnd), 'latin1').toString('utf8');
    if (!(status < 200)) answers.push({ status, headers, rawHeaders, text: body });
    at = bodyEnd;
  }
  return answers;
}

/**
 * Returns the fault in an error response: an unknown code, a wrong status, a missing error object, or a server fault.
 * Undefined if there is none.
 */
export function faultIn(answer: Answer, { head = false } = {}): string | undefined {
  if (!(answer.status >= 200 && answer.status < 600)) return `status ${answer.status}`;
  if (answer.status === 500) return 'status 500';
  if (answer.status < 400) return undefined;
  if (answer.headers['content-type'] !== 'application/json; charset=utf-8') {
    return `an error of type ${answer.headers['content-type']}`;
  }
  if (head) return answer.text === '' ? undefined : 'a body for HEAD';
  const body = jsonOf(answer.text) as { success?: unknown; error?: Record<string, unknown> } | undefined;
  const { code, message, requestId } = body?.error ?? {};
  if (body?.success !== false || typeof code !== 'string' || typeof message !== 'string' || message === '') {
    return `not the error envelope: ${answer.text.slice(0, 200)}`;
  }
  if (!statusOf.has(code)) return `the code ${code}, which is not in the catalogue`;
  const several = code === 'VALIDATION_ERROR' && answer.status === 422;
  if (statusOf.get(code) !== answer.status && !several) return `${code} with status ${answer.status}`;
  if (requestId !== answer.headers['x-request-id'])
    return 'a different request id in the body than in the header';
  return undefined;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Runs the function on every item with limited concurrency, and returns the results in order. */
export async function atMost<T, R>(
  limit: number,
  items: readonly T[],
  work: (item: T, index: number) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let index = next++; index < items.length; index = next++) {
      results[index] = await work(items[index] as T, index);
    }
  };
  await Promise.all(Array.from({ length: limit }, worker));
  return results;
}
