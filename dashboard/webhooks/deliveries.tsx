import { useEffect } from 'preact/hooks';
import { Button } from '../components/button.tsx';
import { Icon } from '../components/icon.tsx';
import { Loaded } from '../components/loaded.tsx';
import { api } from '../data/client.ts';
import { showFailure } from '../data/explain.ts';
import { usePages } from '../data/pages.ts';
import { notify } from '../data/undo.ts';
import { dateAndTime, relative } from '../texts/format.ts';
import { t } from './texts.ts';
import type { Delivery, Webhook } from './words.tsx';

interface DeliveriesProps {
  readonly webhook: Webhook;
  /** Counter that increases with each action that creates deliveries, to reload the list. */
  readonly reloads: number;
  /** Called when no more deliveries are waiting for their first attempt. */
  readonly onFinished: () => void;
  readonly onReplay: () => void;
}

/** Milliseconds between refreshes while deliveries are pending. */
const refreshMs = 1_500;
const pageSize = 20;
const icons = { waiting: 'clock', delivered: 'check', failed: 'alert' } as const;

/** List of deliveries, newest first, each with its response. */
export function Deliveries({ webhook: { id, disabled }, reloads, onFinished, onReplay }: DeliveriesProps) {
  const {
    rows: deliveries,
    setRows: setDeliveries,
    error,
    read,
    readMore,
  } = usePages((cursor) => api.listDeliveries(id, { limit: pageSize, cursor }));
  useEffect(() => {
    void read();
  }, [id, reloads]);
  const isNew =
    !disabled && (deliveries?.some(({ state, attempts }) => state === 'waiting' && attempts === 0) ?? false);
  useEffect(() => {
    if (!isNew) return undefined;
    const timer = setInterval(() => void read(), refreshMs);
    return () => {
      clearInterval(timer);
      onFinished();
    };
  }, [isNew]);
  const resend = async (delivery: Delivery) => {
    try {
      const again = await api.resendDelivery(id, delivery.id);
      setDeliveries(deliveries?.map((one) => (one.id === again.id ? again : one)));
      notify(t.webhooks.resent);
    } catch (failure) {
      showFailure(failure);
    }
  };
  return (
    <section class="hook-deliveries" aria-labelledby="deliveries">
      <div class="hook-head">
        <h2 id="deliveries">{t.webhooks.deliveries}</h2>
        <Button
          size="small"
          icon="refresh"
          disabledReason={disabled ? t.webhooks.states.owner : undefined}
          onClick={onReplay}
        >
          {t.webhooks.replay}
        </Button>
      </div>
      <Loaded value={deliveries} error={error} failed={t.webhooks.deliveriesFailed} onRetry={read}>
        {(deliveries) =>
          deliveries.length === 0 ? (
            <p class="soft">{t.webhooks.noDeliveries}</p>
          ) : (
            <ul>
              {deliveries.map((delivery) => (
                <li key={delivery.id}>
                  <One delivery={delivery} onResend={() => void resend(delivery)} />
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      {readMore !== undefined && <Button onClick={readMore}>{t.webhooks.more}</Button>}
    </section>
  );
}

function One({ delivery, onResend }: { readonly delivery: Delivery; readonly onResend: () => void }) {
  const { type, state, body, createdAt, attempts, nextAttemptAt, lastAttempt } = delivery;
  const isBad = state !== 'delivered' && attempts > 0;
  const words = [
    t.webhooks.delivery[state],
    attempts > 0 && t.webhooks.attempts(attempts),
    isBad && nextAttemptAt !== null && t.webhooks.next(relative(nextAttemptAt)),
  ].filter(Boolean);
  return (
    <details>
      <summary>
        <span class={`hook-icon ${isBad ? 'hook-bad' : ''}`}>
          <Icon name={isBad ? 'warning' : icons[state]} />
        </span>
        <span class="hook-what">
          <b class="mono">{type}</b>
          <span class="soft small">{words.join(', ')}</span>
        </span>
        <span class="hook-figures small">
          {lastAttempt !== null && (
            <span class={isBad ? 'hook-bad' : ''}>
              {lastAttempt.status ?? '–'} · {t.webhooks.ms(lastAttempt.ms)}
            </span>
          )}
          <time class="soft" dateTime={createdAt} title={dateAndTime(createdAt)}>
            {relative(createdAt)}
          </time>
        </span>
      </summary>
      <div class="hook-more">
        {lastAttempt !== null && (
          <>
            <h3>{t.webhooks.answered}</h3>
            {lastAttempt.answer === '' ? (
              <p class="soft small">{t.webhooks.noAnswer}</p>
            ) : (
              <pre>{lastAttempt.answer}</pre>
            )}
          </>
        )}
        <h3>{t.webhooks.sent}</h3>
        <pre>{body}</pre>
        <div>
          <Button size="small" icon="refresh" onClick={onResend}>
            {t.webhooks.resend}
          </Button>
        </div>
      </div>
    </details>
  );
}
