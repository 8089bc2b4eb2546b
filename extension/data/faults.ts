import { LinkfoldError, Unreachable } from '../../src/client/errors.ts';
import { t } from '../browser/texts.ts';

export interface Fault {
  readonly text: string;
  /** Form field that the user must correct. Undefined if the request failed as a whole. */
  readonly field?: string | undefined;
  /** Whether the user can fix the error in the settings. */
  readonly isOfSettings?: boolean;
}

const refusedKeys: ReadonlySet<string> = new Set(['INVALID_API_KEY', 'EXPIRED_API_KEY', 'MISSING_API_KEY']);

/** Explains an error and its fix in one or two sentences. @param url server URL */
export function faultOf(error: unknown, url: string): Fault {
  const host = new URL(url).host;
  if (error instanceof Unreachable)
    return navigator.onLine ? { text: t('unreachable', host) } : { text: t('offline') };
  // The client throws a TypeError for a malformed key, without sending a request.
  if (error instanceof TypeError) return { text: t('keyRefused', host), isOfSettings: true };
  if (!(error instanceof LinkfoldError)) return { text: String(error) };
  const { code, details, message, retryAfterSeconds = 60 } = error;
  if (refusedKeys.has(code)) return { text: t('keyRefused', host), isOfSettings: true };
  if (code === 'INSUFFICIENT_SCOPE') return { text: t('keyLacks', host), isOfSettings: true };
  if (code === 'UNEXPECTED_ANSWER') return { text: t('notLinkfold', host), isOfSettings: true };
  if (code === 'RATE_LIMIT_EXCEEDED') return { text: t('tooMany', String(retryAfterSeconds)) };
  if (code === 'CUSTOM_CODE_TAKEN') return { text: t('codeTaken'), field: 'customCode' };
  const field = details[0]?.field ?? (code === 'CUSTOM_CODE_RESERVED' ? 'customCode' : undefined);
  return { text: details[0]?.message ?? message, field };
}
