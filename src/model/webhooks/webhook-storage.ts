import type { MaybePromise } from '../maybe-promise.ts';
import type { ClickedReads, ClickedWrites } from './clicks.ts';
import type {
  Delivery,
  DueDelivery,
  LeasedWebhook,
  ListeningWebhook,
  NewDelivery,
  Replay,
  SealedSecrets,
  Settled,
  Webhook,
  WebhookSettings,
} from './webhooks.ts';

export interface WebhookReads extends ClickedReads {
  /** The oldest first. */
  webhooks(accountId: number): MaybePromise<readonly Webhook[]>;
  webhook(accountId: number, id: string): MaybePromise<Webhook | undefined>;
  /** The newest first. @param before the id of the last one of the page before */
  deliveries(
    accountId: number,
    webhookId: string,
    limit: number,
    before?: string,
  ): MaybePromise<readonly Delivery[]>;
  /** Whether any endpoint of any account is on. */
  hasWebhooks(): MaybePromise<boolean>;
  /** Endpoints of these accounts that are on. */
  listeningWebhooks(accountIds: readonly number[]): MaybePromise<readonly ListeningWebhook[]>;
  /** Some endpoint that is to be told again of what happened. */
  nextReplay(): MaybePromise<Replay | undefined>;
  /** Behind which event of the log deliveries are still to be made, of all accounts. */
  webhookPosition(): MaybePromise<number>;
  /** Whether something is due for an endpoint that nobody sends to. @param now ms since the epoch */
  hasDueDeliveries(now: number): MaybePromise<boolean>;
  /** What is due for an endpoint, in the order in which it is to be sent. @param now ms since the epoch */
  dueDeliveries(webhookId: string, now: number, limit: number): MaybePromise<readonly DueDelivery[]>;
}

export interface NewWebhook extends WebhookSettings, Pick<SealedSecrets, 'secret'> {
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
  /** The secret before signs too, for a day. @throws Failure WEBHOOK_NOT_FOUND */
  rotateWebhook(accountId: number, id: string, secret: Uint8Array, now: number): Promise<Webhook>;
  /** @throws Failure WEBHOOK_NOT_FOUND */
  deleteWebhook(accountId: number, id: string): Promise<void>;
  /** Makes deliveries of events of the log, once: unless another process has gone on from there already. */
  addDeliveries(from: number, to: number, added: readonly NewDelivery[], now: number): Promise<void>;
  /**
   * Makes deliveries of events for one endpoint, as far as there are none yet.
   * @param to where its replay goes on; null when it is over
   */
  replayDeliveries(
    webhookId: string,
    from: number,
    to: number | null,
    added: readonly NewDelivery[],
    now: number,
  ): Promise<void>;
  /** Makes one delivery, for a test. @throws Failure WEBHOOK_NOT_FOUND */
  addDelivery(accountId: number, delivery: NewDelivery, now: number): Promise<Delivery>;
  /** Sends one again, now. @throws Failure WEBHOOK_NOT_FOUND, DELIVERY_NOT_FOUND */
  resendDelivery(accountId: number, webhookId: string, id: string, now: number): Promise<Delivery>;
  /**
   * Sends events since a time that were not delivered, also those from while the endpoint was disabled.
   * @param asked.all whether delivered events are sent again, too
   * @returns the number of existing deliveries that are sent again
   * @throws Failure WEBHOOK_NOT_FOUND
   */
  replayWebhook(
    accountId: number,
    webhookId: string,
    asked: { readonly since: number; readonly all: boolean },
    now: number,
  ): Promise<number>;
  /**
   * Leases endpoints with due deliveries: round robin over accounts, within an account those first that do not fail.
   * @param until ms since the epoch
   * @param held the account of each slot that is taken
   */
  leaseWebhooks(now: number, until: number, held: readonly number[]): Promise<readonly LeasedWebhook[]>;
  /** Makes a lease longer, or ends it: nobody sends to the endpoint before. @param until ms since the epoch */
  extendLease(webhookId: string, until: number): Promise<void>;
  settleDelivery(settled: Settled): Promise<void>;
  /**
   * Removes some deliveries that were made before, ms since the epoch, and clicks that have waited too long.
   * @returns whether there may be more
   */
  trimDeliveries(before: number, max: number): Promise<boolean>;
}
