import type { ReadFacts } from '../clicks/dimensions/facts.ts';
import type { ClickFacts } from '../model/clicks/click-facts.ts';
import type { ServedDomain } from '../model/domains/domains.ts';

/** A request for a public path, and how to answer it, whichever parser read it. It is answered once. */
export interface Visit {
  readonly method: string;
  /** As on the request line: the path with its query. Without stray characters once a link was found without them. */
  target: string;
  /** The domain that was asked for; undefined for the shared one. The redirect finds it by the host, before all else. */
  domain: ServedDomain | undefined;
  /** The host that was asked for, as `VisitOptions.hostOf` reads it. */
  host(): string;
  /** What the click says; read only when one is counted. */
  facts(): ClickFacts;
  /** The `Accept` header; empty when there is none. */
  accept(): string;
  /** @returns undefined when the visitor is exempt from limits: loopback and private addresses */
  address(): string | undefined;
  /** The whole `Accept-Language` header; empty when there is none. */
  languages(): string;
  /** The `Cookie` header; empty when there is none. */
  cookies(): string;
  /** Whom a trusted proxy names as the visitor; empty when it names nobody, or no header is set. */
  user(): string;
  /** The fields of the form that came by POST. @throws Refusal BODY_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE */
  form(): Promise<URLSearchParams>;
  /** Redirects. @param location printable ASCII @param status 302 unless it is given */
  sendTo(location: string, status?: number): void;
  /** @param headers without `Content-Length`, which follows from the body */
  send(status: number, headers: Readonly<Record<string, string>>, body: string | Buffer): void;
}

/** Where a visit leads, and how; what its click says, when a rule adds to it. */
export interface Way {
  readonly location: string;
  readonly status?: number | undefined;
  readonly facts?: () => ClickFacts;
  /** What is answered instead of a redirect. */
  readonly answer?: () => void;
}

/** Answers a visit, now or later. */
export type Redirect = (visit: Visit) => void;

/** Where a visit comes from. */
export interface VisitClient {
  /** An IPv4 address or IPv6 network; empty when it is not known. */
  readonly network: string;
  readonly isExempt: boolean;
  /** Whether a trusted proxy has sent it on. */
  readonly isProxied: boolean;
}

/** What both parsers need to answer visits. */
export interface VisitOptions {
  readonly redirect: Redirect;
  readonly readFacts: ReadFacts;
  /** The host of a `Host` header by which its domain is found; empty for the shared domain. */
  readonly hostOf: (header: string) => string;
  /** By the address of the connection's other end and the `X-Forwarded-For` header. */
  readonly clientOf: (address: string | undefined, forwarded: string | undefined) => VisitClient;
  /** The header, in lower case, in which a trusted proxy says the visitor's country; empty when there is none. */
  readonly countryHeader: string;
  /** The header, in lower case, in which a trusted proxy says who the visitor is; empty when there is none. */
  readonly userHeader: string;
  /** The `Referrer-Policy` of every redirect; without it the destination sees the page that the visitor came from. */
  readonly referrerPolicy: string | undefined;
}
