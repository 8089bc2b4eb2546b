import type { SimulateInput } from '../../src/client/client.ts';

/** Simulated visit being edited. Empty fields are unknown. */
export interface VisitDraft {
  /** ISO 8601. Null means now. */
  readonly at: string | null;
  readonly country: string;
  readonly device: string;
  readonly os: string;
  readonly browser: string;
  readonly class: 'human' | 'bot' | 'preview' | 'prefetch';
  readonly languages: string;
  readonly referrer: string;
  readonly query: string;
  readonly visitor: string;
}

export const plainVisit: VisitDraft = {
  at: null,
  country: '',
  device: '',
  os: '',
  browser: '',
  class: 'human',
  languages: '',
  referrer: '',
  query: '',
  visitor: '',
};

const maxVisitors = 2 ** 32 - 1;

/** Converts the visit to API format, with known facts only. */
export function writeVisit(visit: VisitDraft): NonNullable<SimulateInput['visit']> {
  const { at, visitor, ...words } = visit;
  const known = Object.fromEntries(
    Object.entries({ ...words, query: visit.query.replace(/^\?/, '') }).filter(([, word]) => word !== ''),
  );
  const number = Number(visitor);
  const isNumber = visitor !== '' && Number.isInteger(number) && number >= 0 && number <= maxVisitors;
  return { ...known, ...(at !== null && { at }), ...(isNumber && { visitor: number }) };
}
