import type { DimensionValues } from '../clicks/click-facts.ts';
import type { MaybePromise } from '../maybe-promise.ts';
import type { NewDelivery, Webhook } from './webhooks.ts';

/** Asked for by name only. What was clicked is in no log of events: clicks are in a store of their own. */
export const clickedType = 'link.clicked';
/** Clicks of one request at most, and its body, bytes. */
export const mostClicks = 1_000;
export const largestClicked = 256_000;
/** From the beginning of one request to that of the next, of one endpoint, ms at least. */
export const clickedEveryMs = 5_000;
/** Clicks wait for their endpoint for so long, days: as long as one may fail. */
export const clicksWaitDays = 5;
/** So many requests that arrived an endpoint keeps, whole: each may be large. */
export const clickedKept = 100;

/** How far an endpoint was told of clicks: of all up to a number, and of so many behind it. */
export interface ToldUpTo {
  readonly after: number;
  readonly had: number;
}

/** A click with its link as it is now. Nothing tells who the visitor was. */
export interface ToldClick {
  readonly linkId: string;
  readonly code: string;
  /** That of its domain. */
  readonly space: string;
  readonly folderId: string | null;
  /** Empty where nobody asks. */
  readonly tags: readonly string[];
  /** ms since the epoch */
  readonly at: number;
  readonly click: DimensionValues;
  /** How far an endpoint is told that was told of this one. */
  readonly upTo: ToldUpTo;
}

export interface ClicksToTell {
  readonly clicks: readonly ToldClick[];
  readonly upTo: ToldUpTo;
}

/** An endpoint that is to be told of clicks. */
export interface ClickedWebhook extends Webhook {
  readonly upTo: ToldUpTo;
}

export interface ClickedReads {
  /** Whether any endpoint is told of clicks. */
  areClicksTold(): MaybePromise<boolean>;
  /** Some endpoint that clicks wait for, and no request with such is under way to. @param now ms since the epoch */
  nextClicked(now: number): MaybePromise<ClickedWebhook | undefined>;
}

export interface ClickedFollowing {
  /** The next clicks of an account behind a place. @param withTags whether the tags of links are asked for */
  clicksToTell(accountId: number, from: ToldUpTo, max: number, withTags: boolean): Promise<ClicksToTell>;
}

export interface ClickedWrites {
  /**
   * Makes a delivery of clicks, once: unless another process has gone on from there already.
   * @param delivery undefined when the endpoint wants none of these clicks
   */
  tellClicks(
    webhook: Pick<ClickedWebhook, 'id' | 'accountId' | 'upTo'>,
    upTo: ToldUpTo,
    delivery: Omit<NewDelivery, 'webhookId'> | undefined,
    now: number,
  ): Promise<void>;
  /** Puts a delivery off. @param until ms since the epoch */
  postponeDelivery(row: number, until: number): Promise<void>;
}
