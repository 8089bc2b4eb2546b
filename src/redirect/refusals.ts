import type { Outcome } from '../rules/outcome.ts';
import { exhaustedPage, expiredPage, notStartedPage, unavailablePage } from './pages/pages.ts';

/** Why a visitor does not get through. */
export type Refused = Exclude<Outcome['kind'], 'redirect'>;

/** Whether a link that worked does so for no visitor any more: then visitors may go elsewhere. */
export function isOver(kind: Refused): boolean {
  return kind === 'expired' || kind === 'exhausted' || kind === 'disabled';
}

const unavailable = {
  code: 'LINK_UNAVAILABLE',
  text: 'This short link is switched off, or not for this visitor.',
  page: unavailablePage,
} as const;
/** What a visitor is told, by the reason. */
export const refusals = {
  expired: { code: 'LINK_EXPIRED', text: 'This short link has expired.', page: expiredPage },
  'not-started': {
    code: 'LINK_NOT_STARTED',
    text: 'This short link does not work yet.',
    page: notStartedPage,
  },
  exhausted: {
    code: 'LINK_EXHAUSTED',
    text: 'This short link was followed as often as it may be.',
    page: exhaustedPage,
  },
  ...{ disabled: unavailable, gone: unavailable },
} as const;
