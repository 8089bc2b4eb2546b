import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Answer, errorAnswer, Refusal } from '../contract/envelope.ts';
import type { ErrorCode } from '../contract/errors.ts';
import { couldBeCode, foldCode } from '../domain/codes.ts';
import { Failure } from '../domain/failures.ts';
import type { Allowance, Limiter } from '../domain/limits.ts';
import type { Reads, Target } from '../domain/storage.ts';
import { pageHeaders } from '../pages/layout.ts';
import { expiredPage, messagePage, notFoundPage, previewPage, rootPage } from '../pages/pages.ts';
import type { Tell } from './directory.ts';
import type { Journal } from './journal.ts';
import { parsePath } from './path.ts';
import { createOutcomes, type Outcome, type Outcomes } from './stats.ts';
import { createVisitors } from './visitor.ts';

export interface RedirectOptions {
  readonly storage: Pick<Reads, 'findTarget'>;
  readonly journal: Pick<Journal, 'append'>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly newRequestId: () => string;
  /** Where `/` leads; without it, a page says what this server is. */
  readonly rootRedirect?: string | undefined;
  /** Sent with every redirect when set; by default the destination sees the page its visitor came from. */
  readonly referrerPolicy?: string | undefined;
  /** Counts the unknown codes that an address asks for (CONTRACT §7): whoever tries codes is slowed down. */
  readonly codeMisses: Limiter;
  /** Unknown codes an address may ask for in a window; 0 means no limit. */
  readonly missLimit: number;
  /** @returns undefined when the visitor is exempt from limits: loopback and private addresses */
  readonly addressOf: (request: IncomingMessage) => string | undefined;
  /** A fault of ours, for the log. */
  readonly onFault: Tell;
  /** Where to count what became of each request. */
  readonly outcomes?: Outcomes;
}

/** Takes over a request. @returns whether it was this part's to answer; after the server's own mounts, all are */
export type Handle = (request: IncomingMessage, response: ServerResponse) => boolean;

/** The path with its query, in bytes (CONTRACT §2: `URI_TOO_LONG`). */
const longestTarget = 4096;
const printable = /^[\x21-\x7e]+$/;
const robots = 'User-agent: *\nDisallow: /api/\n';

/**
 * The public side of the service (CONTRACT §6): short codes, their previews, the root, robots.txt. Plain `node:http`,
 * and for a live link no promise, no parsed headers and one write for all clicks of a turn.
 * @throws when `rootRedirect` is not printable ASCII
 */
export const createRedirect = (options: RedirectOptions): Handle => {
  const { storage, journal, now, newRequestId, codeMisses, missLimit, addressOf, onFault } = options;
  const { rootRedirect, referrerPolicy, outcomes = createOutcomes() } = options;
  if (rootRedirect !== undefined && !printable.test(rootRedirect)) {
    throw new Error('The address that the root leads to is not printable ASCII.');
  }
  const classOf = createVisitors();
  const policy = referrerPolicy === undefined ? [] : ['Referrer-Policy', referrerPolicy];

  const sendTo = (response: ServerResponse, location: string): void => {
    response.writeHead(302, [
      ...['Location', location, 'Cache-Control', 'no-store', 'Content-Length', '0'],
      ...policy,
    ]);
    response.end();
  };

  const fail = (
    request: IncomingMessage,
    response: ServerResponse,
    error: unknown,
    page?: () => string,
  ): void => {
    const requestId = newRequestId();
    const answer = errorAnswer(error, requestId);
    outcomes[outcomeOf(answer.body.error.code)] += 1;
    if (answer.body.error.code === 'INTERNAL_ERROR') onFault('A redirect failed.', { error, requestId });
    const body = wantsHtml(request) ? (page ?? (() => pageOf(answer)))() : undefined;
    send(response, answer.status, { ...answer.headers, 'x-request-id': requestId }, body ?? answer.body);
  };

  /** An unknown code. Beyond the limit of the address it is not even said to be unknown. */
  const miss = (request: IncomingMessage, response: ServerResponse): void => {
    const address = addressOf(request);
    const allowance = address === undefined ? undefined : codeMisses.take(address, missLimit);
    if (allowance?.exceeded) {
      const wait = Math.max(1, Math.ceil((allowance.resetsAt - now()) / 1000));
      for (const [name, value] of limitHeaders(allowance)) response.setHeader(name, value);
      const text = 'Too many unknown short codes were asked for from this address.';
      return fail(request, response, new Failure('RATE_LIMIT_EXCEEDED', text, { retryAfterSeconds: wait }));
    }
    fail(
      request,
      response,
      new Failure('CODE_NOT_FOUND', 'There is no link with this short code.'),
      notFoundPage,
    );
  };

  const follow = (request: IncomingMessage, response: ServerResponse, target: Target, at: number): void => {
    if (request.method === 'HEAD') {
      outcomes.redirected += 1;
      return sendTo(response, target.location);
    }
    journal.append(target, at, classOf(request.rawHeaders), (recorded) => {
      if (recorded) {
        outcomes.redirected += 1;
        return sendTo(response, target.location);
      }
      const text = 'The click cannot be recorded now. Try again in a moment.';
      fail(request, response, new Failure('STORAGE_UNAVAILABLE', text));
    });
  };

  const answer = (
    request: IncomingMessage,
    response: ServerResponse,
    code: string,
    preview: boolean,
    target: Target | undefined,
  ): void => {
    if (target === undefined) return miss(request, response);
    const at = now();
    if (target.expiresAt !== null && at >= target.expiresAt) {
      return fail(
        request,
        response,
        new Failure('LINK_EXPIRED', 'This short link has expired.'),
        expiredPage,
      );
    }
    // Storage holds serialized URLs. Were one not, it could end the header and begin another.
    if (!printable.test(target.location)) {
      return fail(
        request,
        response,
        new Error(`The destination of row ${target.row} is not printable ASCII.`),
      );
    }
    if (!preview) return follow(request, response, target, at);
    outcomes.previewed += 1;
    send(response, 200, {}, previewPage({ code, location: target.location }));
  };

  const find = (request: IncomingMessage, response: ServerResponse, code: string, preview: boolean): void => {
    if (!couldBeCode(code)) return miss(request, response);
    try {
      const found = storage.findTarget(foldCode(code));
      if (!(found instanceof Promise)) return answer(request, response, code, preview, found);
      found
        .then((target) => answer(request, response, code, preview, target))
        .catch((error: unknown) => fail(request, response, error));
    } catch (error) {
      fail(request, response, error);
    }
  };

  const root = (response: ServerResponse): void => {
    outcomes.page += 1;
    if (rootRedirect !== undefined) return sendTo(response, rootRedirect);
    send(response, 200, {}, rootPage());
  };

  return (request, response) => {
    const target = request.url ?? '/';
    if (target.length > longestTarget) {
      const text = `The path with its query is longer than ${longestTarget} bytes.`;
      fail(request, response, new Refusal('URI_TOO_LONG', text));
      return true;
    }
    const path = parsePath(target);
    if (path.kind === 'elsewhere') {
      fail(request, response, new Refusal('ROUTE_NOT_FOUND', 'There is no such path.'), notFoundPage);
    } else if (request.method !== 'GET' && request.method !== 'HEAD') {
      const text = 'This path answers GET and HEAD only.';
      fail(request, response, new Refusal('METHOD_NOT_ALLOWED', text, { allow: 'GET, HEAD' }));
    } else if (path.kind === 'root') {
      root(response);
    } else if (path.code === 'robots.txt') {
      outcomes.page += 1;
      send(response, 200, { 'content-type': 'text/plain; charset=utf-8' }, robots);
    } else if (path.code === 'favicon.ico') {
      fail(request, response, new Refusal('ROUTE_NOT_FOUND', 'There is no icon.'));
    } else {
      find(request, response, path.code, path.preview);
    }
    return true;
  };
};

const outcomeOf = (code: ErrorCode): Outcome => {
  switch (code) {
    case 'CODE_NOT_FOUND':
      return 'unknown';
    case 'LINK_EXPIRED':
      return 'expired';
    case 'RATE_LIMIT_EXCEEDED':
      return 'limited';
    case 'OVERLOADED':
      return 'shed';
    case 'INTERNAL_ERROR':
    case 'STORAGE_UNAVAILABLE':
      return 'failed';
    default:
      return 'refused';
  }
};

const jsonHeaders = {
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
};

/** A text is a page unless the headers say otherwise; anything else goes out as JSON. */
const send = (
  response: ServerResponse,
  status: number,
  headers: Readonly<Record<string, string>>,
  body: string | object,
): void => {
  const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  const usual = typeof body === 'string' ? pageHeaders : jsonHeaders;
  response.writeHead(status, { ...usual, ...headers, 'content-length': bytes.length });
  response.end(bytes);
};

const wantsHtml = (request: IncomingMessage): boolean =>
  request.headers.accept?.includes('text/html') ?? false;

const pageOf = ({ status, body }: Answer): string =>
  messagePage('That did not work', `Error ${status}`, body.error.message);

/** The reset is given in seconds since the epoch. */
const limitHeaders = ({ limit, remaining, resetsAt }: Allowance): readonly (readonly [string, string])[] => [
  ['x-ratelimit-limit', String(limit)],
  ['x-ratelimit-remaining', String(remaining)],
  ['x-ratelimit-reset', String(Math.ceil(resetsAt / 1000))],
];
