/** Problem document from a certificate authority (RFC 8555, section 6.7). */
export interface ProblemDocument {
  readonly type?: string;
  readonly detail?: string;
  readonly subproblems?: readonly ProblemDocument[];
}

const prefix = 'urn:ietf:params:acme:error:';

/** Thrown if the authority rejected a request, or its response is invalid. */
export class AcmeProblem extends Error {
  override readonly name = 'AcmeProblem';
  /** Error type such as `badNonce`; empty if the authority sent none. */
  readonly kind: string;
  /** Value of `Retry-After` in ms; 0 if absent. */
  readonly retryAfterMs: number;

  constructor({ type = '', detail = '', subproblems = [] }: ProblemDocument, retryAfterMs = 0) {
    const details = [detail, ...subproblems.map((one) => one.detail ?? '')].filter((text) => text !== '');
    super(`${type.replace(prefix, '')}${type && ': '}${details.join(' ')}`.slice(0, 500));
    this.kind = type.startsWith(prefix) ? type.slice(prefix.length) : '';
    this.retryAfterMs = retryAfterMs;
  }
}
