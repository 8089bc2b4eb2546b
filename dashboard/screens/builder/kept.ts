import { type Draft, emptyDraft, isEmpty } from './draft.ts';
import { noUtm, type Utm } from './utm.ts';

const draftPlace = 'linkfold.draft';
const templatesPlace = 'linkfold.utm-templates';

/** The draft of a link that was not made yet; it lasts as long as the tab. */
export function keptDraft(): Draft | undefined {
  const kept = read(sessionStorage, draftPlace);
  if (typeof kept !== 'object' || kept === null) return undefined;
  const draft = { ...emptyDraft, ...kept, utm: { ...noUtm, ...(kept as Draft).utm } };
  return isEmpty(draft) ? undefined : draft;
}

export function keepDraft(draft: Draft | undefined): void {
  write(sessionStorage, draftPlace, draft === undefined || isEmpty(draft) ? undefined : draft);
}

/** UTM values that go together, by a name of the reader's. */
export interface Template {
  readonly name: string;
  readonly utm: Utm;
}

export function keptTemplates(): readonly Template[] {
  const kept = read(localStorage, templatesPlace);
  return Array.isArray(kept) ? kept.filter((one) => typeof one?.name === 'string') : [];
}

export function keepTemplates(templates: readonly Template[]): void {
  write(localStorage, templatesPlace, templates);
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
    // A browser that stores nothing keeps nothing.
  }
}
