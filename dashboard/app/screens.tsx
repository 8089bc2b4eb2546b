import type { ComponentType } from 'preact';
import { lazy, type Pending } from '../components/lazy.tsx';
import { Failure, ScreenSkeleton } from '../components/states.tsx';
import { Links } from '../links/links.tsx';
import { t } from './texts.ts';

function screen<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  return lazy(load, ScreenPending);
}

function ScreenPending({ error, onRetry }: Pending) {
  if (error === undefined) return <ScreenSkeleton />;
  return <Failure isScreen title={t.loadFailed} error={error} onRetry={onRetry} />;
}

/**
 * Screens by path. The link list is part of the initial bundle. All other screens and the dialogs load together, either
 * when one of them is first shown or when the browser is idle.
 */
export const screens = {
  '': screen(() => import('../home/home.tsx').then(({ Home }) => Home)),
  '/links': Links,
  '/links/:code': screen(() => import('../link/link.tsx').then(({ LinkPage }) => LinkPage)),
  '/compare': screen(() => import('../shares/compare.tsx').then(({ ComparePage }) => ComparePage)),
  '/activity': screen(() => import('../activity/activity.tsx').then(({ Activity }) => Activity)),
  '/statistics': screen(() => import('../statistics/page.tsx').then(({ StatisticsPage }) => StatisticsPage)),
  '/folders': screen(() => import('../folders/folders.tsx').then(({ Folders }) => Folders)),
  '/tags': screen(() => import('../tags/tags.tsx').then(({ Tags }) => Tags)),
  '/bin': screen(() => import('../bin/bin.tsx').then(({ Bin }) => Bin)),
  '/domains': screen(() => import('../domains/domains.tsx').then(({ Domains }) => Domains)),
  '/domains/:id': screen(() => import('../domains/domain.tsx').then(({ DomainPage }) => DomainPage)),
  '/golink': screen(() => import('../domains/golink.tsx').then(({ GolinkPage }) => GolinkPage)),
  '/people': screen(() => import('../members/members.tsx').then(({ People }) => People)),
  '/keys': screen(() => import('../keys/keys.tsx').then(({ Keys }) => Keys)),
  '/imports': screen(() => import('../imports/imports.tsx').then(({ Imports }) => Imports)),
  '/webhooks': screen(() => import('../webhooks/webhooks.tsx').then(({ Webhooks }) => Webhooks)),
  '/webhooks/:id': screen(() => import('../webhooks/webhook.tsx').then(({ WebhookPage }) => WebhookPage)),
  '/device': screen(() => import('../accounts/device.tsx').then(({ Device }) => Device)),
  '/operator': screen(() => import('../operator/operator.tsx').then(({ Operator }) => Operator)),
  '/settings': screen(() => import('../settings/settings.tsx').then(({ Settings }) => Settings)),
};

/** Screens without the sidebar. */
export const First = screen(() => import('../first/first.tsx').then((module) => module.First));
export const OfferedLink = screen(() =>
  import('../accounts/offered-link.tsx').then((module) => module.OfferedLink),
);
export const Join = screen(() => import('../sign-in/join.tsx').then((module) => module.Join));
export const ComeBack = screen(() => import('../sign-in/come-back.tsx').then((module) => module.ComeBack));
export const SharedPage = screen(() => import('../shares/page.tsx').then((module) => module.SharedPage));
