import type { MaybePromise } from '../maybe-promise.ts';
import type { ClickedReads, ClickedWrites } from './clicks.ts';
import type {
  Delivery,
  DeliveryResult,
  DueDelivery,
  EncryptedSecrets,
  LeasedWebhook,
  NewDelivery,
  Replay,
  SubscribedWebhook,
  Webhook,
  WebhookSettings,
} from './webhooks.ts';

export interface WebhookReads extends ClickedReads {
  /** Lists endpoints, oldest first. */
  webhooks(accountId: number): MaybePromise<readonly Webhook[]>;
  webhook(accountId: number, id: string): MaybePromise<Webhook | undefined>;
  /** Lists deliveries, newest first. @param before id of the last delivery on the previous page */
  deliveries(
    accountId: number,
    webhookId: string,
    limit: number,
    before?: string,
  ): MaybePromise<readonly Delivery[]>;
  /** Returns true if any endpoint is enabled. */
  hasWebhooks(): MaybePromise<boolean>;
  /** Lists the enabled endpoints of these accounts. */
  subscribedWebhooks(accountIds: readonly number[]): MaybePromise<readonly SubscribedWebhook[]>;
  /** Returns an endpoint with a pending replay. */
  nextReplay(): MaybePromise<Replay | undefined>;
  /** Returns the position in the event log up to which deliveries have been created, for all accounts. */
  webhookPosition(): MaybePromise<number>;
  /** Returns true if deliveries are due for an endpoint without a lease. @param now ms since the epoch */
  hasDueDeliveries(now: number): MaybePromise<boolean>;
  /** Lists an endpoint's due deliveries, in sending order. @param now ms since the epoch */
  dueDeliveries(webhookId: string, now: number, limit: number): MaybePromise<readonly DueDelivery[]>;
}

export interface NewWebhook extends WebhookSettings, Pick<EncryptedSecrets, 'secret'> {
  readonly id: string;
  readonly createdAt: number;
  readonly createdBy?: Webhook['createdBy'];
}

export interface WebhookWrites extends ClickedWrites {
  /** @throws Failure LIMIT_REACHED */
  createWebhook(accountId: number, draft: NewWebhook): Promise<Webhook>;
  /** @throws Failure WEBHOOK_NOT_FOUND */
  updateWebhook(
    accountId: number,
    id: string,
    change: Partial<WebhookSettings>,
    now: number,
  ): Promise<Webhook>;
  /** Replaces the secret. The previous secret also signs requests for a day. @throws Failure WEBHOOK_NOT_FOUND */
  rotateWebhook(accountId: number, id: string, secret: Uint8Array, now: number): Promise<Webhook>;
  /** @throws Failure WEBHOOK_NOT_FOUND */
  deleteWebhook(accountId: number, id: string): Promise<void>;
  /** Creates deliveries for logged events, unless another process has already advanced the position in the log. */
  addDeliveries(from: number, to: number, added: readonly NewDelivery[], now: number): Promise<void>;
  /**
   * Creates deliveries for past events that an endpoint has missed.
   * @param to position in the log at which the replay continues; null if the replay is complete
   */
  replayDeliveries(
    webhookId: string,
    from: number,
    to: number | null,
    added: readonly NewDelivery[],
    now: number,
  ): Promise<void>;
  /** Creates a test delivery. @throws Failure WEBHOOK_NOT_FOUND */
  addDelivery(accountId: number, delivery: NewDelivery, now: number): Promise<Delivery>;
  /** Resends a delivery now. @throws Failure WEBHOOK_NOT_FOUND, DELIVERY_NOT_FOUND */
  resendDelivery(accountId: number, webhookId: string, id: string, now: number): Promise<Delivery>;
  /**
   * Sends the events since `asked.since` that were not delivered, including events from the time when the endpoint was
   * disabled.
   * @param asked.all whether to also send delivered events again
   * @returns the number of existing deliveries that will be sent again
   * @throws Failure WEBHOOK_NOT_FOUND
   */
  replayWebhook(
    accountId: number,
    webhookId: string,
    asked: { readonly since: number; readonly all: boolean },
    now: number,
  ): Promise<number>;
  /**
   * Leases endpoints with due deliveries, round-robin across accounts. Within an account, healthy endpoints come first.
   * @param until ms since the epoch
   * @param held account id for each slot in use
   */
  leaseWebhooks(now: number, until: number, held: readonly number[]): Promise<readonly LeasedWebhook[]>;
  /** Extends or ends a lease. No other process sends to the endpoint before `until`. @param until ms since the epoch */
  extendLease(webhookId: string, until: number): Promise<void>;
  saveDeliveryResult(settled: DeliveryResult): Promise<void>;
  /**
   * Deletes some deliveries created before a time (ms since the epoch), and clicks that were pending for too long.
   * @returns true if there may be more to delete
   */
  trimDeliveries(before: number, max: number): Promise<boolean>;
}
