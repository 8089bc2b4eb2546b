import lazy from 'preact-iso/lazy';
import { Links } from '../links/links.tsx';

/**
 * The screens, by their paths below the dashboard's. The list of links is in the first load; all others, with the dialogs, are
 * loaded together when the first of them is shown.
 */
export const screens = {
  '': lazy(() => import('../home/home.tsx').then(({ Home }) => Home)),
  '/links': Links,
  '/links/:code': lazy(() => import('../link/link.tsx').then(({ LinkPage }) => LinkPage)),
  '/statistics': lazy(() => import('../statistics/page.tsx').then(({ StatisticsPage }) => StatisticsPage)),
  '/folders': lazy(() => import('../folders/folders.tsx').then(({ Folders }) => Folders)),
  '/tags': lazy(() => import('../tags/tags.tsx').then(({ Tags }) => Tags)),
  '/bin': lazy(() => import('../bin/bin.tsx').then(({ Bin }) => Bin)),
  '/domains': lazy(() => import('../domains/domains.tsx').then(({ Domains }) => Domains)),
  '/domains/:id': lazy(() => import('../domains/domain.tsx').then(({ DomainPage }) => DomainPage)),
  '/people': lazy(() => import('../people/people.tsx').then(({ People }) => People)),
  '/keys': lazy(() => import('../keys/keys.tsx').then(({ Keys }) => Keys)),
  '/imports': lazy(() => import('../imports/imports.tsx').then(({ Imports }) => Imports)),
  '/webhooks': lazy(() => import('../webhooks/webhooks.tsx').then(({ Webhooks }) => Webhooks)),
  '/webhooks/:id': lazy(() => import('../webhooks/webhook.tsx').then(({ WebhookPage }) => WebhookPage)),
  '/device': lazy(() => import('../accounts/device.tsx').then(({ Device }) => Device)),
  '/operator': lazy(() => import('../operator/operator.tsx').then(({ Operator }) => Operator)),
  '/settings': lazy(() => import('../settings/settings.tsx').then(({ Settings }) => Settings)),
};

/** What stands alone, without the frame around it. */
export const First = lazy(() => import('../first/first.tsx').then((module) => module.First));
export const OfferedLink = lazy(() =>
  import('../accounts/offered-link.tsx').then((module) => module.OfferedLink),
);
export const Join = lazy(() => import('../sign-in/join.tsx').then((module) => module.Join));
export const ComeBack = lazy(() => import('../sign-in/come-back.tsx').then((module) => module.ComeBack));
export const SharedPage = lazy(() => import('../shares/page.tsx').then((module) => module.SharedPage));
