/** Why a request has no response. */
export type OutboundReason =
  /** The URL is not an http(s) URL, or contains a password. */
  | 'address'
  /** The host resolves to an address that must not be requested. */
  | 'forbidden'
  /** No such host, no connection, or no valid certificate. */
  | 'unreachable'
  | 'timeout'
  /** The headers or the body exceed the limit. */
  | 'too-long'
  /** Too many redirects, or one to a forbidden URL. */
  | 'redirect'
  /** The response is not HTTP, or broke off. */
  | 'broken'
  /** Aborted by the caller's signal. */
  | 'aborted';

/**
 * A request without a response. The message contains the host, but never the path, query, headers or response, which
 * may be secret, so it can be logged and shown.
 */
export class OutboundFailure extends Error {
  override readonly name = 'OutboundFailure';
  readonly reason: OutboundReason;
  /** System error code, such as `ENOTFOUND`; empty if there is none. */
  readonly code: string;

  constructor(reason: OutboundReason, message: string, code = '') {
    super(message);
    this.reason = reason;
    this.code = code;
  }
}
