import { LinkfoldError } from '../../src/client/errors.ts';
import type { Domain } from '../data/domains.ts';
import { explain } from '../data/explain.ts';
import { may } from '../data/session-state.ts';
import { writesWait } from '../data/writes.ts';
import { longDate, shortDate } from '../texts/format.ts';
import { isComplete } from './model.ts';
import { t } from './texts.ts';

/** Returns why domains cannot be changed now, or undefined if they can be changed. */
export function changesWait(): string | undefined {
  return may('domains:write') ? writesWait() : t.domains.lacks;
}

/** Describes an error in one sentence. */
export function explainRefusal(error: unknown): string {
  const known = error instanceof LinkfoldError ? t.domains.errors[error.code] : undefined;
  return known ?? explain(error);
}

/** Shows a host in Unicode, followed by the Punycode form if different. */
export function HostName({ domain }: { readonly domain: Pick<Domain, 'host' | 'hostUnicode'> }) {
  const { host, hostUnicode } = domain;
  return (
    <>
      <b>{hostUnicode}</b>
      {host !== hostUnicode && <span class="soft mono"> {host}</span>}
    </>
  );
}

const shapes = { pending: 'soon', active: '', incomplete: 'soon', failing: 'failing' } as const;

/**
 * Shows a domain's status as shape and text. A domain is not shown as active until its DNS records point to this
 * server.
 */
export function StatusWords({ domain }: { readonly domain: Domain }) {
  const status = domain.status === 'active' && !isComplete(domain) ? 'incomplete' : domain.status;
  return (
    <span class="with-icon">
      <span class={`dot ${shapes[status]}`} />
      {t.domains.statuses[status]}
    </span>
  );
}

interface CertificateProps {
  readonly domain: Pick<Domain, 'certificate'>;
  /** Whether to show the label and the error text. Tables omit both, because the column header names the value. */
  readonly isComplete?: boolean;
}

/** Shows when a domain's certificate expires, and the last certificate error. */
export function CertificateWords({ domain: { certificate }, isComplete = false }: CertificateProps) {
  if (certificate == null) return null;
  const { validUntil, problem } = certificate;
  const until =
    validUntil !== null &&
    (isComplete ? t.domains.certificateUntil(longDate(validUntil)) : shortDate(validUntil));
  return (
    <>
      {until || t.domains.certificateWaits}
      {problem !== null && (
        <span class="soft block">
          {t.domains.certificateFails}
          {isComplete && <span class="mono small block">{problem}</span>}
        </span>
      )}
    </>
  );
}
