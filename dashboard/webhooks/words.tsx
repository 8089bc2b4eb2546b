import type { ListDeliveriesResult, ListWebhooksResult } from '../../src/client/client.ts';
import { relative } from '../texts/format.ts';
import { t } from './texts.ts';

export type Webhook = ListWebhooksResult[number];
export type EventType = Webhook['events'][number];
export type Delivery = ListDeliveriesResult['data'][number];

/** What can be told, in the order in which it is offered. */
export const eventTypes: readonly EventType[] = [
  ...([
    'link.created',
    'link.updated',
    'link.deleted',
    'link.restored',
    'link.expired',
    'link.exhausted',
  ] as const),
  ...(['folder.created', 'folder.updated', 'folder.deleted', 'folder.restored'] as const),
  ...(['domain.active', 'domain.failing'] as const),
  ...(['destination.failing', 'destination.recovered', 'import.finished'] as const),
];

export function hostOf({ url }: Pick<Webhook, 'url'>): string {
  return new URL(url).host;
}

/** `Links: made, changed`. */
export function eventWords(events: readonly EventType[]): string {
  const groups = Map.groupBy(events, (type) => type.split('.')[0] ?? '');
  return [...groups]
    .map(([kind, types]) => `${t.webhooks.events[kind] ?? kind}: ${types.map(actionName).join(', ')}`)
    .join(' · ');
}

export function actionName(type: string): string {
  const action = type.split('.')[1] ?? type;
  return t.webhooks.actions[action] ?? action;
}

/** Whether it is on, and how it does. */
export function State({ webhook }: { readonly webhook: Webhook }) {
  const { disabledReason, failingSince, lastSuccessAt } = webhook;
  if (disabledReason !== null)
    return (
      <span class={disabledReason === 'owner' ? 'soft' : 'hook-bad'}>
        {t.webhooks.states[disabledReason]}
      </span>
    );
  if (failingSince !== null)
    return <span class="hook-bad">{t.webhooks.failingSince(relative(failingSince))}</span>;
  return (
    <span>
      {t.webhooks.on}
      <span class="soft block">
        {lastSuccessAt === null ? t.webhooks.neverArrived : t.webhooks.lastSuccess(relative(lastSuccessAt))}
      </span>
    </span>
  );
}
