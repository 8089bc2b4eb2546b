import type { IncomingHttpHeaders } from 'node:http';
import type { ReadFacts } from '../../clicks/dimensions/facts.ts';
import type { BodyOf, Endpoint, ParamsOf, QueryOf, SuccessOf } from '../../contract/endpoint.ts';
import type { Actor } from '../../model/accounts/actors.ts';
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

/** The settings of this installation that the API needs beyond the rules' {@link Context}. */
export interface ApiContext extends Context {
  /** Origin of the short URLs, without a slash at the end. */
  readonly baseUrl: () => string;
  /** Where the dashboard is, for addresses that people open; without a slash at the end. */
  readonly dashboardUrl: () => string;
  readonly ceremonies: Ceremonies;
  /** Failed sign-ins that name a person, of all addresses together. */
  readonly attempts: {
    /** @throws Failure RATE_LIMIT_EXCEEDED */
    require(who: string): void;
    failed(who: string): void;
  };
  /** What sends links to people; undefined where the operator has named no server for mail. */
  readonly mailer: Mailer | undefined;
  /** At which people sign in; undefined where the operator has named none. */
  readonly provider: Provider | undefined;
  /** For how many UTC days, today included, statistics are kept; undefined permanently. */
  readonly statisticsDays: number | undefined;
  readonly exports: Exports;
  /** Closes a text, so that the database is no use without the secret of the installation. */
  readonly close: (text: string, about: string) => Uint8Array;
  /** The limit of requests of this key in a minute; undefined for none. */
  readonly requestsPerMinute: (key: ApiKey) => number | undefined;
  readonly eventHub: EventHub;
  /** Keeps requests with one idempotency key from running side by side. */
  readonly exclusively: Exclusively;
  /** Makes writes of an account of one request after the other. */
  readonly inOrder: Serially;
  /** What a click says, for those that were counted elsewhere. */
  readonly readFacts: ReadFacts;
}

export type BrowserHeaders = IncomingHttpHeaders;

/** One authenticated, validated request. */
export interface Call<E extends Endpoint> {
  readonly context: ApiContext;
  /** Of the request; undefined where no key is asked for. */
  readonly key: E['access']['key'] extends 'none' ? undefined : ApiKey;
  /** What acts: the key itself, or something through it that can do no more. */
  readonly actor: Actor;
  /** For endpoints that give a browser its session. */
  readonly browser: {
    readonly headers: IncomingHttpHeaders;
    setCookie(cookie: string): void;
  };
  readonly params: ParamsOf<E>;
  readonly body: BodyOf<E>;
  readonly query: QueryOf<E>;
  /** The body as sent, for fields that are only compared. */
  readonly sent: Readonly<Record<string, unknown>>;
  /** Revisions that the sender has seen, one of which the link must have; undefined for any. */
  readonly ifMatch: IfMatch;
  /** Says which revision the link of the answer has. */
  readonly tag: (revision: number | undefined) => void;
  /** Checks again that the sender may have the answer, while that is being sent. @throws Failure why it may not */
  readonly requireStill: () => Promise<ApiKey>;
  /** The `Accept` header, where the answer can have several media types; empty when there is none. */
  readonly accept: string;
}

/** The answer for a record that existed already, where an endpoint distinguishes that. */
export class Existing<Body> {
  readonly body: Body;

  constructor(body: Body) {
    this.body = body;
  }
}

/** How an endpoint is answered: a small function, and the checks that need clock or settings. */
export interface Handler<E extends Endpoint> {
  /** Problems beyond types and lengths; the body may lack fields that failed before. */
  readonly rules?: (call: Omit<Call<E>, 'body'> & { readonly body: Partial<BodyOf<E>> }) => Problem[];
  readonly run: (call: Call<E>) => Promise<SuccessOf<E> | Existing<SuccessOf<E>> | Written | Exported>;
  /**
   * What is done once the change is there, outside of its transaction; for a repetition not again.
   * @returns the answer
   */
  readonly afterwards?: (body: SuccessOf<E>, call: Call<E>) => Promise<SuccessOf<E>>;
  /** The address of the created record, as an absolute path (CONTRACT §3: `Location` on 201). */
  readonly location?: (body: SuccessOf<E>, call: Call<E>) => string;
}

/** One handler for every endpoint: a missing one does not compile. */
export type Handlers<T extends Readonly<Record<string, Endpoint>>> = {
  readonly [N in keyof T]: Handler<T[N]>;
};

/** The caller as the rules see it: account, tier, and where links are that say nothing of it. */
export function callerOf({ accountId, plan, domain, reach }: ApiKey): Caller {
  const [folderId] = reach?.folders ?? [];
  return {
    accountId,
    plan,
    ...(domain !== undefined && { domain }),
    ...(folderId !== undefined && { folderId }),
  };
}
