/** Why there is no answer. */
export type OutboundReason =
  /** What was asked for is no address of the web, or has a password in it. */
  | 'address'
  /** The host is at an address that must not be requested. */
  | 'forbidden'
  /** No such host, no connection, or no valid certificate. */
  | 'unreachable'
  | 'timeout'
  /** More headers or a longer body than may be read. */
  | 'too-long'
  /** It leads on too often, or to where it must not. */
  | 'redirect'
  /** What came is no answer of HTTP, or broke off. */
  | 'broken'
  /** The caller's signal. */
  | 'aborted';

/**
 * A request without an answer. Its sentence names the host and never the path, the query, a header or what came, which may be
 * secret: it may be logged and shown.
 */
export class OutboundFailure extends Error {
  override readonly name = 'OutboundFailure';
  readonly reason: OutboundReason;
  /** What the system called it, such as `ENOTFOUND`; empty where it said nothing. */
  readonly code: string;

  constructor(reason: OutboundReason, message: string, code = '') {
    super(message);
    this.reason = reason;
    this.code = code;
  }
}
