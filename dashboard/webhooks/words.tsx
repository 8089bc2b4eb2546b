import type { ListDeliveriesResult, ListWebhooksResult } from '../../src/client/client.ts';
import { relative } from '../texts/format.ts';
import { t } from './texts.ts';

export type Webhook = ListWebhooksResult[number];
export type EventType = Webhook['events'][number];
export type Delivery = ListDeliveriesResult['data'][number];

/** Event types in the order shown in the form. A missing event type is a type error. */
const offered: Readonly<Record<EventType, true>> = {
  'link.created': true,
  'link.updated': true,
  'link.deleted': true,
  'link.restored': true,
  'link.expired': true,
  'link.exhausted': true,
  'link.clicked': true,
  'folder.created': true,
  'folder.updated': true,
  'folder.deleted': true,
  'folder.restored': true,
  'domain.active': true,
  'domain.failing': true,
  'destination.failing': true,
  'destination.recovered': true,
  'import.finished': true,
};
export const eventTypes = Object.keys(offered) as EventType[];

export function hostOf({ url }: Pick<Webhook, 'url'>): string {
  return new URL(url).host;
}

/** Describes event types, such as `Links: created, updated`. */
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

/** Shows whether a webhook is enabled or disabled, and whether its deliveries fail. */
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
