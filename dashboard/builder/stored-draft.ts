import { noUtm } from '../data/links/utm.ts';
import { type Draft, emptyDraft, isEmpty } from './draft.ts';

const draftPlace = 'linkfold.draft';

/**
 * Returns the stored draft for a new link, if any. Drafts are stored until the tab is closed, and never include the
 * password.
 */
export function readDraft(): Draft | undefined {
  const kept = read(sessionStorage, draftPlace);
  if (typeof kept !== 'object' || kept === null) return undefined;
  const draft = { ...emptyDraft, ...kept, utm: { ...noUtm, ...(kept as Draft).utm } };
  return isEmpty(draft) ? undefined : draft;
}

export function storeDraft(draft: Draft | undefined): void {
  const kept = draft && { ...draft, password: '' };
  write(sessionStorage, draftPlace, kept === undefined || isEmpty(kept) ? undefined : kept);
}

function read(storage: Storage, place: string): unknown {
  try {
    return JSON.parse(storage.getItem(place) ?? 'null');
  } catch {
    return undefined;
  }
}

function write(storage: Storage, place: string, value: unknown): void {
  try {
    if (value === undefined) storage.removeItem(place);
    else storage.setItem(place, JSON.stringify(value));
  } catch {
    // Storage may be disabled in the browser.
  }
}
