import { LinkfoldError } from '../../src/client/errors.ts';
import type { Domain } from '../data/domains.ts';
import { explain } from '../data/explain.ts';
import { may } from '../data/session-state.ts';
import { writesWait } from '../data/writes.ts';
import { isComplete } from './model.ts';
import { t } from './texts.ts';

/** Why domains cannot be changed now. */
export function changesWait(): string | undefined {
  return may('domains:write') ? writesWait() : t.domains.lacks;
}

/** A refusal in one sentence. */
export function explainRefusal(error: unknown): string {
  const known = error instanceof LinkfoldError ? t.domains.errors[error.code] : undefined;
  return known ?? explain(error);
}

/** A host as people read it, and beside it as machines do, where they differ. */
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

/** The status by its shape and in words. A domain to which no record leads visitors yet is not told as one that works. */
export function StatusWords({ domain }: { readonly domain: Domain }) {
  const status = domain.status === 'active' && !isComplete(domain) ? 'incomplete' : domain.status;
  return (
    <span class="with-icon">
      <span class={`dot ${shapes[status]}`} />
      {t.domains.statuses[status]}
    </span>
  );
}
