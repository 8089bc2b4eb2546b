/** Reason why a request has no response. */
export type OutboundReason =
  /** The URL is not an http(s) URL, or contains a password. */
  | 'address'
  /** The host resolves to a forbidden address. */
  | 'forbidden'
  /** The host does not exist, the connection cannot be opened, or the certificate is invalid. */
  | 'unreachable'
  | 'timeout'
  /** The headers or the body exceed the limit. */
  | 'too-long'
  /** There were too many redirects, or a redirect led to a forbidden URL. */
  | 'redirect'
  /** The response is not HTTP, or the connection was lost. */
  | 'broken'
  /** The caller's signal aborted the request. */
  | 'aborted';

/**
 * Thrown for a request without a response. The message contains the host, but never the path, query, headers or
 * response, which may be secret. It can be logged and shown.
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
