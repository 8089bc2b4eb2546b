import { LinkfoldError, Unreachable } from '../../src/client/errors.ts';
import { t } from './texts.ts';
import { notify } from './undo.ts';

/** Returns the message for an error, in the user's language if available. */
export function explain(error: unknown): string {
  if (error instanceof Unreachable) return t.errors.unreachable;
  if (!(error instanceof LinkfoldError)) return error instanceof Error ? error.message : String(error);
  const known = t.errors.codes[error.code];
  const said = known ?? error.details[0]?.message ?? error.message;
  return (error.status ?? 0) >= 500 ? `${said} ${t.errors.stillRedirects}` : said;
}

/** Returns the error code and request id, for support. */
export function detailsOf(error: unknown): string {
  if (!(error instanceof LinkfoldError)) return String(error);
  return [error.code, error.requestId && `request ${error.requestId}`].filter(Boolean).join(' · ');
}

/** Shows the error message for a failed change. */
export function showFailure(error: unknown): void {
  notify(explain(error), { isError: true });
}
