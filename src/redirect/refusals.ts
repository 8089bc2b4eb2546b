import type { Refused } from '../rules/outcome.ts';
import { exhaustedPage, expiredPage, notStartedPage, unavailablePage } from './pages/pages.ts';

/** Whether a link that worked does so for no visitor any more: then visitors may go elsewhere. */
export function isOver(kind: Refused): boolean {
  return kind === 'expired' || kind === 'exhausted' || kind === 'disabled';
}

/** The page that a visitor gets, by the reason. */
export const refusalPages = {
  ...{ expired: expiredPage, 'not-started': notStartedPage, exhausted: exhaustedPage },
  ...{ disabled: unavailablePage, gone: unavailablePage },
} as const satisfies Record<Refused, unknown>;
