import type { ReadFacts } from '../clicks/dimensions/facts.ts';
import type { ClickFacts } from '../model/clicks/click-facts.ts';
import type { ServedDomain } from '../model/domains/domains.ts';

/** A request for a public path and its response, independent of the HTTP parser. The response is sent once. */
export interface Visit {
  readonly method: string;
  /** Path and query from the request line. Replaced if a link is found after removing stray characters. */
  target: string;
  /** Base path at which the visitor reaches this server, without a trailing slash; empty for the host's root. */
  readonly root: string;
  /** The requested domain; undefined for the shared domain. Set from the host before anything else. */
  domain: ServedDomain | undefined;
  /** Returns the requested host, as normalized by `VisitOptions.hostOf`. */
  host(): string;
  /** Returns the click facts. They are computed only if a click is counted. */
  facts(): ClickFacts;
  /** Returns the `Accept` header; empty if there is none. */
  accept(): string;
  /**
   * Returns the network to rate-limit; undefined for visitors from loopback and private addresses, which are exempt.
   */
  address(): string | undefined;
  client(): VisitClient;
  /** Returns the complete `Accept-Language` header; empty if there is none. */
  languages(): string;
  /** Returns the `Cookie` header; empty if there is none. */
  cookies(): string;
  /** Returns the user name from a trusted proxy; empty if there is none or no header is configured. */
  user(): string;
  /** Returns true if, according to the browser, a page on the requested host sent the request. */
  isSameOrigin(): boolean;
  /** Reads the fields of a form submitted with POST. @throws Refusal BODY_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE */
  form(): Promise<URLSearchParams>;
  /** Redirects the visitor. @param location printable ASCII @param status 302 by default */
  sendTo(location: string, status?: number): void;
  /** Sends the response. @param headers headers except `Content-Length`, which is derived from the body */
  send(status: number, headers: Readonly<Record<string, string>>, body: string | Buffer): void;
}

/** The response to a visit (a redirect or a page), and the click facts to record. */
export interface Way {
  readonly location: string;
  readonly status?: number | undefined;
  readonly facts?: () => ClickFacts;
  /** Sends a page instead of the redirect. */
  readonly answer?: () => void;
}

/** Responds to a visit, now or later. */
export type Redirect = (visit: Visit) => void;

/** The client that made a visit. */
export interface VisitClient {
  /** Complete IP address; empty if unknown. Never stored. */
  readonly address: string;
  /** IPv4 address or IPv6 /64 network; empty if unknown. */
  readonly network: string;
  /** Whether the client is exempt from rate limits, because its address is loopback or private (CONTRACT §7). */
  readonly isExempt: boolean;
  /** Whether the request came through a trusted proxy. */
  readonly isProxied: boolean;
}

/** Describes how request targets are handled if `BASE_URL` has a path. */
export interface BelowPath {
  /** Path of `BASE_URL`, without a trailing slash. */
  readonly path: string;
  /**
   * Removes the path from a request target.
   * @param host `Host` header. Custom domains are served at their root, so their targets stay unchanged
   * @returns the unchanged target for hosts and paths served at the root; undefined for other targets outside the path
   */
  targetOf(target: string, host: string): string | undefined;
}

/** Dependencies that the fast path and the `node:http` handler need to handle visits. */
export interface VisitOptions {
  readonly redirect: Redirect;
  readonly readFacts: ReadFacts;
  /** Normalizes a `Host` header to the key of its domain; empty for the shared domain. */
  readonly hostOf: (header: string) => string;
  /** Determines the client from the connection's peer address and the `X-Forwarded-For` header. */
  readonly clientOf: (address: string | undefined, forwarded: string | undefined) => VisitClient;
  /** Name, in lower case, of the header that trusted proxies set to the visitor's country; empty for none. */
  readonly countryHeader: string;
  /** Name, in lower case, of the header that trusted proxies set to the user name; empty for none. */
  readonly userHeader: string;
  /** `Referrer-Policy` for every redirect. If undefined, the destination sees the page that the visitor came from. */
  readonly referrerPolicy: string | undefined;
}
