import type { DimensionValues } from '../clicks/click-facts.ts';
import type { EventType } from '../clicks/events.ts';
import { type PublicEventType, publicEventType } from '../history/public-events.ts';
import type { MaybePromise } from '../maybe-promise.ts';
import type { NewDelivery, Webhook } from './webhooks.ts';

/**
 * Event type for clicks. Endpoints receive clicks only if they subscribe to this type by name. Clicks are not in the
 * event log, because they have their own store.
 */
export const clickedType = 'link.clicked';

/** Returns the webhook event type for an event from `GET /events`; undefined for internal events. */
export function webhookTypeOf(type: EventType): PublicEventType | typeof clickedType | undefined {
  return type === 'click' ? clickedType : publicEventType(type);
}

/** Maximum number of clicks per request. `maxClickBodyBytes` is the maximum size of the request body. */
export const maxClicksPerRequest = 1_000;
export const maxClickBodyBytes = 256_000;
/** Minimum interval between two requests to one endpoint, in ms. */
export const clickIntervalMs = 5_000;
/** How long clicks stay pending for an endpoint, in days. An endpoint that fails for this long is disabled. */
export const pendingClickDays = 5;
/** Maximum number of delivered requests to store per endpoint. Each request may be large. */
export const maxStoredClickDeliveries = 100;

/**
 * An endpoint's position. The endpoint has received all clicks up to number `after`, and the first `had` clicks after
 * that number.
 */
export interface ClickCursor {
  readonly after: number;
  readonly had: number;
}

/** A click with its link's current data, without data that identifies the visitor. */
export interface WebhookClick {
  readonly linkId: string;
  readonly code: string;
  /** Code space of the link's domain. */
  readonly space: string;
  readonly folderId: string | null;
  /** The link's tags; empty if the endpoint's filter does not need tags. */
  readonly tags: readonly string[];
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly click: DimensionValues;
  /** The endpoint's position after this click. */
  readonly upTo: ClickCursor;
}

export interface PendingClicks {
  readonly clicks: readonly WebhookClick[];
  readonly upTo: ClickCursor;
}

/** An endpoint that is subscribed to clicks. */
export interface ClickedWebhook extends Webhook {
  readonly upTo: ClickCursor;
}

export interface ClickedReads {
  /** Returns true if any endpoint is subscribed to clicks. */
  hasClickSubscribers(): MaybePromise<boolean>;
  /** Returns an endpoint with pending clicks and no click request in flight. @param now ms since the epoch */
  nextClicked(now: number): MaybePromise<ClickedWebhook | undefined>;
}

export interface ClickedFollowing {
  /** Returns an account's next clicks after a position. @param withTags whether to include the links' tags */
  pendingClicks(accountId: number, from: ClickCursor, max: number, withTags: boolean): Promise<PendingClicks>;
}

export interface ClickedWrites {
  /**
   * Creates a delivery of clicks, unless another process has already advanced the endpoint's position.
   * @param delivery undefined when no click matches the endpoint's filter
   */
  addClickDelivery(
    webhook: Pick<ClickedWebhook, 'id' | 'accountId' | 'upTo'>,
    upTo: ClickCursor,
    delivery: Omit<NewDelivery, 'webhookId'> | undefined,
    now: number,
  ): Promise<void>;
  /** Postpones a delivery. @param until ms since the epoch */
  postponeDelivery(row: number, until: number): Promise<void>;
}
