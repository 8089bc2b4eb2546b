import { OutboundFailure } from '../external/outbound/failure.ts';
import type { Outbound } from '../external/outbound/outbound.ts';
import { clickedType, clickIntervalMs } from '../model/webhooks/clicks.ts';
import {
  maxConcurrentEndpoints,
  maxFailingMs,
  nextAttempt,
  pauseMs,
  retryAfterIn,
  slowRequestMs,
} from '../model/webhooks/schedule.ts';
import { signedHeaders } from '../model/webhooks/signing.ts';
import type { WebhookReads, WebhookWrites } from '../model/webhooks/webhook-storage.ts';
import type {
  Attempt,
  DeliveryResult,
  DueDelivery,
  EncryptedSecrets,
  LeasedWebhook,
} from '../model/webhooks/webhooks.ts';
import type { Report } from '../runtime/report.ts';

export interface SenderOptions {
  readonly storage: Pick<WebhookReads, 'hasDueDeliveries' | 'dueDeliveries'> &
    Pick<WebhookWrites, 'leaseWebhooks' | 'extendLease' | 'saveDeliveryResult' | 'postponeDelivery'>;
  readonly outbound: Pick<Outbound, 'request'>;
  /** Decrypts a signing secret. @returns undefined if the signing secret was encrypted with another key */
  readonly decrypt: (encrypted: Uint8Array, about: string) => string | undefined;
  readonly now: () => number;
  /** Returns a random number from 0 to 1. */
  readonly chance: () => number;
  readonly onError: Report;
}

/** Number of requests since the process started, by result. */
export type SenderStats = Readonly<Record<'delivered' | 'refused' | 'unanswered', number>>;

export interface Sender {
  /** Starts sending due deliveries. @returns true if deliveries were due */
  send(): Promise<boolean>;
  /** Resolves when no request is in progress. */
  idle(): Promise<void>;
  stats(): SenderStats;
  /** Aborts requests in progress and waits until they have ended. Aborted requests are sent again later. */
  close(): Promise<void>;
}

/**
 * Duration of a lease in milliseconds, longer than a request may take. If a process dies, its webhooks are delayed by
 * up to this long.
 */
const leaseMs = 20_000;
const timeoutMs = 15_000;
/**
 * Maximum number of deliveries per webhook in memory. `turnMs` is the maximum duration of a webhook's turn, during
 * which it occupies a slot.
 */
const maxPrefetched = 10;
const turnMs = 20_000;
const answerBytes = 2_048;
/** Maximum time that `Retry-After` can pause a webhook, in milliseconds. */
const maxPauseMs = 3_600_000;

/**
 * Creates the sender of deliveries. It sends one request at a time per webhook. Accounts share the available slots, so
 * that a slow endpoint does not delay other accounts.
 */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: turns, leases and counts share the state of this sender
export function createSender(options: SenderOptions): Sender {
  const { storage, now, onError } = options;
  const closing = new AbortController();
  const turns = new Map<Promise<void>, number>();
  const counts = { delivered: 0, refused: 0, unanswered: 0 };

  /**
   * Sends one delivery.
   * @returns the end of the webhook's pause, in milliseconds since the epoch, or 0 to end its turn without a pause;
   * undefined to continue the turn
   */
  const sendOne = async (
    webhook: LeasedWebhook,
    secrets: readonly string[],
    delivery: DueDelivery,
    writes: Promise<void>[],
  ): Promise<number | undefined> => {
    const settled = await attempt(options, { webhook, secrets, delivery, signal: closing.signal });
    if (settled === undefined) return 0;
    const { isDelivered, isBusy, attempt: made, disable, nextAttemptAt } = settled;
    const kept = storage.saveDeliveryResult(settled);
    writes.push(kept);
    // Sends the next request without waiting for storage. If the process dies, the endpoint receives the same event
    // again, with the same ID.
    if (isDelivered) kept.catch(() => {});
    else await kept;
    counts[isDelivered ? 'delivered' : made.status === null ? 'unanswered' : 'refused'] += 1;
    if (isBusy) return Math.min(nextAttemptAt ?? 0, now() + maxPauseMs);
    const isSlow = made.status === null || made.ms >= slowRequestMs;
    if (isSlow && !isDelivered) return now() + pauseMs(webhook.failingSince ?? made.at, now());
    return disable === null && !isSlow ? undefined : 0;
  };

  /** Sends a webhook's due deliveries. @param writes collects the pending writes to storage */
  const sendTo = async (webhook: LeasedWebhook, writes: Promise<void>[]): Promise<number> => {
    const secrets = secretsOf(options, webhook);
    if (secrets === undefined) {
      onError(
        "Could not decrypt a webhook's secret, because SECRET_KEY has changed. Its deliveries are paused. Restore the previous key, or rotate the secret.",
        { webhook: webhook.id },
      );
      // Skips the webhook for one lease. Another process may have the right SECRET_KEY.
      return now() + leaseMs;
    }
    const endsAt = now() + turnMs;
    let leasedAt = now();
    let { clicksDueAt } = webhook;
    for (;;) {
      await Promise.all(writes.splice(0));
      const due = await storage.dueDeliveries(webhook.id, now(), maxPrefetched);
      if (due.length === 0) return 0;
      for (const delivery of due) {
        if (closing.signal.aborted || now() >= endsAt) return 0;
        if (now() - leasedAt > (leaseMs - timeoutMs) / 2) {
          leasedAt = now();
          await storage.extendLease(webhook.id, leasedAt + leaseMs);
        }
        if (delivery.type === clickedType) {
          if (now() < clicksDueAt) {
            await storage.postponeDelivery(delivery.row, clicksDueAt);
            continue;
          }
          clicksDueAt = now() + clickIntervalMs;
        }
        const until = await sendOne(webhook, secrets, delivery, writes);
        if (until !== undefined) return until;
      }
    }
  };

  const serve = async (webhook: LeasedWebhook): Promise<void> => {
    const writes: Promise<void>[] = [];
    try {
      const until = await sendTo(webhook, writes);
      await Promise.all(writes);
      await storage.extendLease(webhook.id, until);
    } catch (error) {
      // If storage is unavailable, the lease expires, and deliveries without a recorded result are sent again.
      onError('Could not save the result of a webhook delivery. Linkfold will send the delivery again.', {
        error,
        webhook: webhook.id,
      });
    }
  };

  return {
    async send() {
      const isFull = turns.size === maxConcurrentEndpoints;
      if (isFull || closing.signal.aborted || !(await storage.hasDueDeliveries(now()))) return false;
      const leased = await storage.leaseWebhooks(now(), now() + leaseMs, [...turns.values()]);
      for (const webhook of leased) {
        const turn = serve(webhook).finally(() => turns.delete(turn));
        turns.set(turn, webhook.accountId);
      }
      return leased.length > 0;
    },
    idle: async () => void (await Promise.all(turns.keys())),
    stats: () => ({ ...counts }),
    async close() {
      closing.abort();
      await Promise.all(turns.keys());
    },
  };
}

function secretsOf(
  { decrypt, now }: SenderOptions,
  { id, secret, oldSecret, oldUntil }: EncryptedSecrets & Pick<LeasedWebhook, 'id'>,
): readonly string[] | undefined {
  const current = decrypt(secret, id);
  const old = oldSecret !== null && oldUntil > now() ? decrypt(oldSecret, id) : undefined;
  if (current === undefined) return undefined;
  return old === undefined ? [current] : [current, old];
}

interface DeliveryRequest {
  readonly webhook: LeasedWebhook;
  readonly secrets: readonly string[];
  readonly delivery: DueDelivery;
  readonly signal: AbortSignal;
}

/** Sends a request and returns the result; undefined if the request was aborted. */
async function attempt(
  options: SenderOptions,
  { webhook, secrets, delivery: { row, eventId, type, body, attempts }, signal }: DeliveryRequest,
): Promise<DeliveryResult | undefined> {
  const { outbound, now, chance } = options;
  const at = now();
  const settled = (made: Omit<Attempt, 'at' | 'ms'>, retryAfterMs?: number): DeliveryResult => {
    const ended = now();
    const isDelivered = made.status !== null && made.status >= 200 && made.status < 300;
    const isGone = made.status === 410;
    const isBusy = made.status === 429 || retryAfterMs !== undefined;
    const isHopeless = !isBusy && ended - (webhook.failingSince ?? ended) >= maxFailingMs;
    const next = isGone ? undefined : nextAttempt(attempts + 1, ended, chance(), retryAfterMs);
    const clicksDueAt = type === clickedType ? at + clickIntervalMs : undefined;
    const whyDisabled = isGone ? 'gone' : isHopeless ? 'failing' : null;
    return {
      webhookId: webhook.id,
      deliveryRow: row,
      attempt: { at, ms: ended - at, ...made },
      isDelivered,
      isBusy,
      nextAttemptAt: next === undefined ? null : Math.max(next, clicksDueAt ?? 0),
      clicksDueAt,
      disable: isDelivered ? null : whyDisabled,
    };
  };
  try {
    const { status, headers, ...answer } = await outbound.request(webhook.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...signedHeaders(eventId, at, body, secrets) },
      body,
      anyPort: true,
      isTruncated: true,
      maxBytes: answerBytes,
      firstByteMs: timeoutMs,
      totalMs: timeoutMs,
      signal,
    });
    const mayWait = status === 429 || status === 503;
    const wait = mayWait ? retryAfterIn(headers['retry-after'], now()) : undefined;
    return settled({ status, answer: textOf(answer.body) }, wait);
  } catch (error) {
    if (signal.aborted) return undefined;
    if (!(error instanceof OutboundFailure)) throw error;
    return settled({ status: null, answer: error.message });
  }
}

/** Decodes a response body to a string that the database accepts. */
function textOf(body: Uint8Array): string {
  return new TextDecoder().decode(body).replaceAll('\0', '\ufffd');
}
