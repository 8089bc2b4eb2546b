import { version } from './endpoints.ts';
import { ApiError, LinkfoldError, Unreachable } from './errors.ts';

/** Connection options of the client. */
export interface Connection {
  /** URL of the server, such as `https://go.example.com`. Default: the environment variable `LINKFOLD_URL`. */
  readonly baseUrl?: string | undefined;
  /**
   * API key. Default: the environment variable `LINKFOLD_API_KEY`. Use null in pages served by Linkfold itself, to
   * authenticate with the session cookie.
   */
  readonly apiKey?: string | null | undefined;
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** Maximum number of retries for a request that may succeed later and is safe to repeat. Default: 3. */
  readonly retries?: number | undefined;
  /** Timeout in ms for one attempt. Default: 30 000. */
  readonly timeoutMs?: number | undefined;
}

/** Status and headers of a response. */
export interface Answer {
  /** HTTP status. For `upsertLink`, 201 if the link was created or restored, 200 if it was replaced. */
  readonly status: number;
  /** Headers such as `X-RateLimit-Remaining`, `X-Request-Id` and `Idempotency-Replayed`. */
  readonly headers: Headers;
}

export interface Message {
  readonly method: string;
  /** Path and query, starting at the root. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  /** True if the request is safe to repeat. */
  readonly isRepeatable: boolean;
  /** True if the response is a file instead of JSON. */
  readonly isFile?: boolean;
  /** True if the file is streamed, without a timeout for its content. */
  readonly isStream?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onAnswer?: ((answer: Answer) => void) | undefined;
  readonly timeoutMs?: number | undefined;
  readonly retries?: number | undefined;
}

/** Sends a request. Returns the parsed body, a Blob or stream for a file, or undefined if there is no body. */
export type Send = (message: Message) => Promise<unknown>;

/** Opens a streaming response. The request is not retried. */
export type Open = (
  message: Pick<Message, 'path' | 'headers'> & { readonly type: string; readonly signal: AbortSignal },
) => Promise<ReadableStream<Uint8Array>>;

export interface Transport {
  readonly send: Send;
  readonly open: Open;
}

const firstWaitMs = 200;
const longestWaitMs = 60_000;

/** Statuses after which a retry may succeed. */
const passingStatuses: ReadonlySet<number> = new Set([429, 502, 503, 504]);
/** Error codes that guarantee that the server has changed nothing. */
const changedNothing: ReadonlySet<string> = new Set(['RATE_LIMIT_EXCEEDED', 'OVERLOADED', 'SHUTTING_DOWN']);
/** Causes of a failed `fetch` in Node that guarantee that no byte of the request was sent. */
const neverSent: ReadonlySet<unknown> = new Set([
  ...['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT'],
]);

/**
 * Creates the function that sends requests. It retries requests that may succeed later and are safe to repeat: reads,
 * POSTs with an Idempotency-Key, and requests that are known to have changed nothing. A PATCH or DELETE whose response
 * was lost is not retried, because the server may have executed it, and a retry could overwrite a later change by
 * another client.
 * @throws TypeError immediately if the URL or the key is invalid
 */
export function createTransport(connection: Connection): Transport {
  const { fetch = globalThis.fetch } = connection;
  const { base, apiKey } = readConnection(connection);

  const defaultTimeoutMs = connection.timeoutMs ?? 30_000;
  const always = {
    ...(apiKey !== null && { authorization: `Bearer ${apiKey}` }),
    // Browsers have a `location`, even in workers, and send their own user agent.
    ...((globalThis as { location?: unknown }).location === undefined && {
      'user-agent': `linkfold-client/${version}`,
    }),
  };

  const attempt = async (message: Message): Promise<unknown> => {
    const { method, path, headers, body = null, isFile, isStream, signal, onAnswer } = message;
    const { timeoutMs = defaultTimeoutMs } = message;
    const limit = new AbortController();
    const timeout = limit.signal;
    const timer = setTimeout(() => limit.abort(), timeoutMs);
    try {
      const response = await fetch(base + path, {
        method,
        headers: { accept: 'application/json', ...headers, ...always },
        body,
        redirect: 'manual',
        signal: signal === undefined ? timeout : AbortSignal.any([timeout, signal]),
      });
      onAnswer?.({ status: response.status, headers: response.headers });
      const hasFile = isFile && response.ok && isOneOf(headers['accept'], response);
      if (hasFile && isStream && response.body !== null) return withClientErrors(response.body, base);
      if (hasFile) return await response.blob();
      return readAnswer(response, await response.text(), base);
    } catch (error) {
      if (error instanceof LinkfoldError) throw error;
      signal?.throwIfAborted();
      const reason = timeout.aborted ? `no response within ${timeoutMs / 1000} s` : reasonOf(error);
      const doubt =
        message.isRepeatable || wasNeverSent(error) ? '' : ' The request may or may not have been executed.';
      throw new Unreachable(`Cannot reach ${base}: ${reason}.${doubt}`, error);
    } finally {
      clearTimeout(timer);
    }
  };

  const send: Send = async (message) => {
    const { retries = connection.retries ?? 3 } = message;
    for (let tried = 0; ; tried += 1) {
      try {
        return await attempt(message);
      } catch (error) {
        if (tried >= retries || !isWorthRepeating(error, message.isRepeatable)) throw error;
        const waitMs = waitBefore(error, tried);
        if (waitMs > longestWaitMs) throw error; // The caller decides whether to wait that long.
        await wait(waitMs, message.signal);
      }
    }
  };

  const open: Open = async ({ path, headers, type, signal }) => {
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), defaultTimeoutMs);
    try {
      const response = await fetch(base + path, {
        headers: { accept: `${type}, application/json;q=0.1`, ...headers, ...always },
        cache: 'no-store',
        redirect: 'manual',
        signal: AbortSignal.any([late.signal, signal]),
      });
      if (response.ok && response.body !== null && isOneOf(type, response)) return response.body;
      const text = response.ok ? '' : await response.text();
      void response.body?.cancel().catch(() => {});
      readAnswer(response, text, base);
      throw new Unreachable(`Cannot reach ${base}: the response was empty.`, undefined);
    } catch (error) {
      if (error instanceof LinkfoldError) throw error;
      signal.throwIfAborted();
      const reason = late.signal.aborted
        ? `no response within ${defaultTimeoutMs / 1000} s`
        : reasonOf(error);
      throw new Unreachable(`Cannot reach ${base}: ${reason}.`, error);
    } finally {
      clearTimeout(timer);
    }
  };

  return { send, open };
}

/**
 * Returns the base URL and the key from the options or the environment.
 * @throws TypeError if either is missing or invalid
 */
function readConnection({
  baseUrl = environment('LINKFOLD_URL'),
  apiKey = environment('LINKFOLD_API_KEY'),
}: Connection): { base: string; apiKey: string | null } {
  const base = baseUrl?.replace(/\/+$/, '') ?? '';
  if (!/^https?:\/\//i.test(base) || !URL.canParse(base))
    throw new TypeError('baseUrl or LINKFOLD_URL must be an http or https URL.');
  // The key is checked here, because the error message of fetch would contain the complete key.
  if (apiKey === undefined || (apiKey !== null && !/^[\x21-\x7e]+$/.test(apiKey)))
    throw new TypeError('apiKey or LINKFOLD_API_KEY must be printable ASCII without spaces.');
  return { base, apiKey };
}

/**
 * Returns an environment variable, if the runtime has environment variables: Node, Bun, Deno, Workers with
 * `nodejs_compat`.
 */
function environment(name: string): string | undefined {
  return (globalThis as { process?: { env?: Record<string, string | undefined> } }).process?.env?.[name];
}

/** Returns a stream with the same data. If the connection is lost, the stream fails with `Unreachable`. */
function withClientErrors(body: ReadableStream<Uint8Array>, base: string): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (done) controller.close();
        else controller.enqueue(value);
      } catch (error) {
        if (error instanceof Error && error.name === 'AbortError') return controller.error(error);
        controller.error(
          new Unreachable(`${base} closed the connection before the file was complete.`, error),
        );
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function isOneOf(accept: string | undefined, { headers }: Response): boolean {
  const [type = ''] = headers.get('content-type')?.split(';') ?? [];
  return type !== '' && type !== 'application/json' && (accept ?? '').includes(type);
}

function readAnswer(response: Response, text: string, base: string): unknown {
  if (response.status === 204) return undefined;
  const body = parseJson(text);
  if (response.ok && isRecord(body) && body['success'] === true) return body;
  const error = isRecord(body) && isRecord(body['error']) ? body['error'] : {};
  const { code, message, details, requestId, docs } = error;
  const retryAfterSeconds = secondsIn(response.headers.get('retry-after'));
  if (!response.ok && typeof code === 'string') {
    throw new ApiError(String(message), {
      status: response.status,
      code,
      details: Array.isArray(details) ? details : [],
      requestId: typeof requestId === 'string' ? requestId : undefined,
      docs: typeof docs === 'string' ? base + docs : undefined,
      retryAfterSeconds,
    });
  }
  const leadsTo = response.headers.get('location');
  const hint = leadsTo === null ? `is ${base} a Linkfold server?` : `it redirects to ${leadsTo}.`;
  throw new ApiError(`The response (${response.status}) is not from Linkfold; ${hint}`, {
    status: response.status,
    code: 'UNEXPECTED_ANSWER',
    retryAfterSeconds,
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Converts a `Retry-After` header to seconds. The header contains a number or, from some proxies, a date. */
function secondsIn(header: string | null): number | undefined {
  if (header === null) return undefined;
  const seconds = /^\d+$/.test(header) ? Number(header) : Math.ceil((Date.parse(header) - Date.now()) / 1000);
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
}

/** Returns true if a retry may succeed, and is safe even if the previous attempt was executed. */
export function isWorthRepeating(error: unknown, isRepeatable: boolean): error is LinkfoldError {
  if (error instanceof Unreachable) return isRepeatable || wasNeverSent(error.cause);
  if (!(error instanceof ApiError)) return false;
  if (error.code === 'IDEMPOTENCY_IN_PROGRESS') return isRepeatable;
  return passingStatuses.has(error.status) && (isRepeatable || changedNothing.has(error.code));
}

function wasNeverSent(error: unknown): boolean {
  return isRecord(error) && isRecord(error['cause']) && neverSent.has(error['cause']['code']);
}

/** Returns the delay in ms before the next attempt. The delay is never shorter than the server requested. */
export function waitBefore({ retryAfterSeconds }: LinkfoldError, tried: number): number {
  return retryAfterSeconds === undefined
    ? firstWaitMs * 2 ** tried * (0.5 + Math.random() / 2)
    : retryAfterSeconds * 1000 + Math.random() * firstWaitMs;
}

export function wait(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
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
}

function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (isRecord(cause) && typeof cause['code'] === 'string') return cause['code'];
  return cause instanceof Error ? cause.message : String(cause);
}
