import { keepAccountText, readAccountText } from '../../data/account-texts.ts';
import { type Draft, emptyDraft, isEmpty } from './draft.ts';
import { noUtm, type Utm } from './utm.ts';

const draftPlace = 'linkfold.draft';
const templatesName = 'utm-templates';

/** The draft of a link that was not made yet, without its password; it lasts as long as the tab. */
export function keptDraft(): Draft | undefined {
  const kept = read(sessionStorage, draftPlace);
  if (typeof kept !== 'object' || kept === null) return undefined;
  const draft = { ...emptyDraft, ...kept, utm: { ...noUtm, ...(kept as Draft).utm } };
  return isEmpty(draft) ? undefined : draft;
}

export function keepDraft(draft: Draft | undefined): void {
  const kept = draft && { ...draft, password: '' };
  write(sessionStorage, draftPlace, kept === undefined || isEmpty(kept) ? undefined : kept);
}

/** UTM values that go together, by a name of the reader's. */
export interface Template {
  readonly name: string;
  readonly utm: Utm;
}

/** The templates of the account; none while they cannot be read. */
export async function keptTemplates(): Promise<readonly Template[]> {
  try {
    const kept: unknown = JSON.parse((await readAccountText(templatesName)) ?? '[]');
    return Array.isArray(kept) ? kept.filter((one) => typeof one?.name === 'string') : [];
  } catch {
    return [];
  }
}

export function keepTemplates(templates: readonly Template[]): Promise<void> {
  return keepAccountText(templatesName, JSON.stringify(templates));
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
