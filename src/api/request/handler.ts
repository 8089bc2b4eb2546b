import type { IncomingHttpHeaders } from 'node:http';
import type { ReadFacts } from '../../clicks/dimensions/facts.ts';
import type { BodyOf, Endpoint, ParamsOf, QueryOf, SuccessOf } from '../../contract/endpoint.ts';
import type { Actor } from '../../model/accounts/actors.ts';
import type { ExcludedBrowsers } from '../../model/accounts/excluded-browsers.ts';
import type { ApiKey } from '../../model/accounts/keys.ts';
import type { Mailer } from '../../model/accounts/mail.ts';
import type { Ceremonies } from '../../model/accounts/passkeys.ts';
import type { Provider } from '../../model/accounts/single-sign-on.ts';
import type { Context } from '../../model/context.ts';
import type { Problem } from '../../model/failures.ts';
import type { IfMatch } from '../../model/history/revisions.ts';
import type { Caller } from '../../model/links/links.ts';
import type { Serially } from '../../runtime/serial.ts';
import type { EventHub } from '../events/hub.ts';
import type { Exports } from '../tables/exports.ts';
import type { Exported } from '../tables/table.ts';
import type { Exclusively } from './idempotency.ts';
import type { Written } from './long-work.ts';

/** Settings and services that the API needs in addition to {@link Context}. */
export interface ApiContext extends Context {
  /** Returns the base URL of the shared domain including its path, if any, without a trailing slash. */
  readonly baseUrl: () => string;
  /** Returns the URL of the dashboard, without a trailing slash. */
  readonly dashboardUrl: () => string;
  readonly excludedBrowsers: ExcludedBrowsers;
  readonly ceremonies: Ceremonies;
  /** Limits failed sign-ins per user, across all IP addresses. */
  readonly attempts: {
    /** Checks that another attempt is allowed. @throws Failure RATE_LIMIT_EXCEEDED */
    require(who: string): void;
    failed(who: string): void;
  };
  /** Sends emails; undefined if no mail server is configured. */
  readonly mailer: Mailer | undefined;
  /** OpenID Connect provider for sign-in; undefined if none is configured. */
  readonly provider: Provider | undefined;
  /** Retention of statistics in UTC days, including today; undefined for unlimited. */
  readonly statisticsDays: number | undefined;
  readonly exports: Exports;
  /** Encrypts a string with the installation's secret, so that the database alone does not reveal the string. */
  readonly encrypt: (text: string, about: string) => Uint8Array;
  /** Returns a key's rate limit in requests per minute; undefined for no limit. */
  readonly requestsPerMinute: (key: ApiKey) => number | undefined;
  readonly eventHub: EventHub;
  /** Prevents concurrent requests with the same idempotency key. */
  readonly exclusively: Exclusively;
  /** Runs an account's writes one request at a time. */
  readonly inOrder: Serially;
  /** Derives click facts from request headers, for imported clicks. */
  readonly readFacts: ReadFacts;
}

export type BrowserHeaders = IncomingHttpHeaders;

/** One authenticated, validated request. */
export interface Call<E extends Endpoint> {
  readonly context: ApiContext;
  /** The caller's key; undefined for endpoints that require no key. */
  readonly key: E['access']['key'] extends 'none' ? undefined : ApiKey;
  /** The key, or a session or login link that has the key's permissions or fewer. */
  readonly actor: Actor;
  /** Request headers and session cookie, for endpoints that set the cookie. */
  readonly browser: {
    readonly headers: IncomingHttpHeaders;
    setCookie(cookie: string): void;
  };
  readonly params: ParamsOf<E>;
  readonly body: BodyOf<E>;
  readonly query: QueryOf<E>;
  /** The unparsed body, for fields that are compared with the existing record. */
  readonly sent: Readonly<Record<string, unknown>>;
  /**
   * Revisions from `If-Match`. One of them must be the link's current revision. Undefined if any revision is accepted.
   */
  readonly ifMatch: IfMatch;
  /** Sets the revision for the response's `ETag`. */
  readonly tag: (revision: number | undefined) => void;
  /**
   * Checks again, while a long response is being sent, that the key is still allowed to receive it.
   * @throws Failure if the key is no longer allowed
   */
  readonly requireStill: () => Promise<ApiKey>;
  /** The `Accept` header if the endpoint supports several media types; otherwise empty. */
  readonly accept: string;
}

/** The response for a record that already existed, for endpoints that use a different status in this case. */
export class Existing<Body> {
  readonly body: Body;

  constructor(body: Body) {
    this.body = body;
  }
}

/** Implementation of an endpoint, including validation that needs the clock or settings. */
export interface Handler<E extends Endpoint> {
  /**
   * Returns validation errors other than wrong types and lengths. Fields with a wrong type or length are missing from
   * `body`.
   */
  readonly rules?: (call: Omit<Call<E>, 'body'> & { readonly body: Partial<BodyOf<E>> }) => Problem[];
  readonly run: (call: Call<E>) => Promise<SuccessOf<E> | Existing<SuccessOf<E>> | Written | Exported>;
  /** Runs after the transaction has committed, but not when a stored response is replayed. @returns the response */
  readonly afterwards?: (body: SuccessOf<E>, call: Call<E>) => Promise<SuccessOf<E>>;
  /** Returns the path of the created record (CONTRACT §3: `Location` on 201). */
  readonly location?: (body: SuccessOf<E>, call: Call<E>) => string;
}

/** One handler per endpoint. A missing handler is a compile error. */
export type Handlers<T extends Readonly<Record<string, Endpoint>>> = {
  readonly [N in keyof T]: Handler<T[N]>;
};

/** Returns the key's account, plan, default domain and restrictions, in the form that business rules use. */
export function callerOf({ accountId, plan, domain, restrictions }: ApiKey): Caller {
  const [folderId] = restrictions?.folders ?? [];
  return {
    accountId,
    plan,
    ...(domain !== undefined && { domain }),
    ...(folderId !== undefined && { folderId }),
  };
}
