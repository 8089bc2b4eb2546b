/** What an authority refuses with (RFC 8555, section 6.7). */
export interface ProblemDocument {
  readonly type?: string;
  readonly detail?: string;
  readonly subproblems?: readonly ProblemDocument[];
}

const prefix = 'urn:ietf:params:acme:error:';

/** An authority has refused, or what it says makes no sense. */
export class AcmeProblem extends Error {
  override readonly name = 'AcmeProblem';
  /** Such as `badNonce`; empty when the authority named none. */
  readonly kind: string;
  /** How long the authority asks to wait, ms; 0 when it does not. */
  readonly retryAfterMs: number;

  constructor({ type = '', detail = '', subproblems = [] }: ProblemDocument, retryAfterMs = 0) {
    const details = [detail, ...subproblems.map((one) => one.detail ?? '')].filter((text) => text !== '');
    super(`${type.replace(prefix, '')}${type && ': '}${details.join(' ')}`.slice(0, 500));
    this.kind = type.startsWith(prefix) ? type.slice(prefix.length) : '';
    this.retryAfterMs = retryAfterMs;
  }
}
