import type { Config } from '../../config.ts';
import { createOutbound } from '../../external/outbound/outbound.ts';
import { type BackgroundTask, createBackgroundTask } from '../../runtime/background-task.ts';
import { type ClickDeliveryOptions, createClickDelivery } from '../../webhooks/clicks.ts';
import { type FanOutOptions, fanOut, replay } from '../../webhooks/fan-out.ts';
import { createSender, type SenderOptions, type SenderStats } from '../../webhooks/sender.ts';
import type { TaskOptions } from './storage-tasks.ts';

/** Creates webhook payloads. */
export interface WebhookBodies
  extends Pick<FanOutOptions, 'bodyOf'>,
    Pick<ClickDeliveryOptions, 'clickText' | 'clickedBody'> {}

interface WebhookOptions extends WebhookBodies, Omit<TaskOptions, 'intervalMs'> {
  readonly encryption: Pick<SenderOptions, 'decrypt'>;
}

const everyMs = 1_000;

/** Starts the task that creates deliveries for events and sends due deliveries. Every process runs it. */
export function openWebhooks(
  { OUTBOUND_ALLOW: allowed }: Pick<Config, 'OUTBOUND_ALLOW'>,
  { storage, encryption: { decrypt }, bodyOf, now, onError, ...clicks }: WebhookOptions,
): { readonly task: BackgroundTask; readonly stats: () => SenderStats } {
  const outbound = createOutbound({ allowed });
  const sender = createSender({ storage, outbound, decrypt, now, chance: Math.random, onError });
  const task = createBackgroundTask({
    hasWork: () => storage.hasWebhooks(),
    slice: async (after) => {
      const shared = { storage, bodyOf, now };
      const hasMore = [
        await fanOut(shared),
        await replay(shared),
        await createClickDelivery({ storage, now, ...clicks }),
        await sender.send(),
      ].some(Boolean);
      return hasMore ? after + 1 : undefined;
    },
    fault: 'Could not queue events for webhooks. Linkfold will retry, and no event is skipped.',
    onError,
    intervalMs: everyMs,
  });
  const close = async (): Promise<void> => {
    await task.close();
    await sender.close();
    outbound.close();
  };
  return { task: { ...task, close }, stats: sender.stats };
}
