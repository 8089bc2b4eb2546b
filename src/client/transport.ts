import { ApiError, Unreachable } from './errors.ts';

export interface Connection {
  /** Where the server is, such as `https://go.example.com`. */
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly fetch?: typeof globalThis.fetch;
  /** How often a request is tried again after a network error, 429, 502, 503 or 504; default 3. */
  readonly retries?: number;
  /** How long one attempt may take, in ms; default 30 000. */
  readonly timeoutMs?: number;
}

export interface Message {
  readonly method: string;
  /** Path and query, from the root. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Sends a message and answers with the parsed body; undefined where there is none. */
export type Send = (message: Message) => Promise<unknown>;

const firstWaitMs = 200;
const longestWaitMs = 60_000;
const passingStatuses: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/**
 * Sends requests and repeats those that can succeed later. Everything may be repeated: reads and settings of fields
 * by their nature, POSTs by their Idempotency-Key; and when the answer to a DELETE was lost, a 404 to its repetition
 * means that it was done.
 * @throws TypeError at once when the address or the key cannot be used
 */
export const createTransport = (connection: Connection): Send => {
  const { apiKey, fetch = globalThis.fetch, retries = 3, timeoutMs = 30_000 } = connection;
  const base = connection.baseUrl.replace(/\/+$/, '');
  if (!/^https?:$/.test(URL.parse(base)?.protocol ?? ''))
    throw new TypeError('baseUrl must be an http or https URL.');
  // Refused here, because fetch would repeat the whole key in its complaint.
  if (!/^[\x21-\x7e]+$/.test(apiKey)) throw new TypeError('apiKey must be printable ASCII without spaces.');

  const attempt = async ({ method, path, headers, body, signal }: Message): Promise<unknown> => {
    const timeout = AbortSignal.timeout(timeoutMs);
    const init = { method, headers, body: body ?? null, redirect: 'manual' as const };
    try {
      const response = await fetch(base + path, {
        ...init,
        signal: signal === undefined ? timeout : AbortSignal.any([timeout, signal]),
      });
      return readAnswer(response, await response.text(), base);
    } catch (error) {
      if (error instanceof ApiError) throw error;
      signal?.throwIfAborted();
      const reason = timeout.aborted ? `no answer within ${timeoutMs / 1000} s` : reasonOf(error);
      throw new Unreachable(`${base} cannot be reached: ${reason}.`, { cause: error });
    }
  };

  return async function send(message) {
    const headers = { accept: 'application/json', ...message.headers, authorization: `Bearer ${apiKey}` };
    let answerLost = false;
    for (let tried = 0; ; tried += 1) {
      try {
        return await attempt({ ...message, headers });
      } catch (error) {
        const gone = error instanceof ApiError && error.status === 404;
        if (message.method === 'DELETE' && answerLost && gone) return undefined;
        const waitMs = waitBefore(error, tried);
        if (tried >= retries || waitMs === undefined) throw error;
        answerLost ||= !(error instanceof ApiError) || error.code === 'UNEXPECTED_ANSWER';
        await wait(waitMs, message.signal);
      }
    }
  };
};

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

const readAnswer = (response: Response, text: string, base: string): unknown => {
  if (response.status === 204) return undefined;
  const body = parseJson(text);
  if (response.ok && isRecord(body) && body.success === true) return body;
  const error = isRecord(body) && isRecord(body.error) ? body.error : {};
  const retryAfterSeconds = secondsIn(response.headers.get('retry-after'));
  if (!response.ok && typeof error.code === 'string') {
    throw new ApiError(String(error.message), {
      status: response.status,
      code: error.code,
      details: Array.isArray(error.details) ? error.details : [],
      requestId: typeof error.requestId === 'string' ? error.requestId : undefined,
      retryAfterSeconds,
    });
  }
  const leadsTo = response.headers.get('location');
  const hint = leadsTo === null ? `is ${base} a Linkfold server?` : `it leads to ${leadsTo}.`;
  throw new ApiError(`The answer (${response.status}) is not one of Linkfold; ${hint}`, {
    status: response.status,
    code: 'UNEXPECTED_ANSWER',
    retryAfterSeconds,
  });
};

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** `Retry-After` as seconds: a number, or a date as proxies write it. */
const secondsIn = (header: string | null): number | undefined => {
  if (header === null) return undefined;
  const seconds = /^\d+$/.test(header) ? Number(header) : Math.ceil((Date.parse(header) - Date.now()) / 1000);
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
};

/** How long to wait before the next attempt, or undefined when another one would not help. */
const waitBefore = (error: unknown, tried: number): number | undefined => {
  const backoff = firstWaitMs * 2 ** tried * (0.5 + Math.random() / 2);
  if (error instanceof Unreachable) return backoff;
  if (!(error instanceof ApiError)) return undefined;
  if (!passingStatuses.has(error.status) && error.code !== 'IDEMPOTENCY_IN_PROGRESS') return undefined;
  if (error.retryAfterSeconds === undefined) return backoff;
  const asked = error.retryAfterSeconds * 1000;
  // Never earlier than asked; when that is too long to sit through, the caller decides.
  return asked <= longestWaitMs ? asked + Math.random() * firstWaitMs : undefined;
};

const wait = (ms: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    if (signal?.aborted) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });

const reasonOf = (error: unknown): string => {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (isRecord(cause) && typeof cause.code === 'string') return cause.code;
  return cause instanceof Error ? cause.message : String(cause);
};
