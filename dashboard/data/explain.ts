import { LinkfoldError, Unreachable } from '../../src/client/errors.ts';
import { t } from './texts.ts';
import { tell } from './undo.ts';

/** One calm sentence about an error, in the reader's language where we have it. */
export function explain(error: unknown): string {
  if (error instanceof Unreachable) return t.errors.unreachable;
  if (!(error instanceof LinkfoldError)) return error instanceof Error ? error.message : String(error);
  const known = t.errors.codes[error.code];
  const said = known ?? error.details[0]?.message ?? error.message;
  return (error.status ?? 0) >= 500 ? `${said} ${t.errors.stillRedirects}` : said;
}

/** What somebody who helps has to know: the code, and which request it was. */
export function detailsOf(error: unknown): string {
  if (!(error instanceof LinkfoldError)) return String(error);
  return [error.code, error.requestId && `request ${error.requestId}`].filter(Boolean).join(' · ');
}

/** Tells that something could not be changed. */
export function tellFailure(error: unknown): void {
  tell(explain(error), { isError: true });
}
