import { collectUses } from './limits.ts';
import type { ToPrimary } from './messages.ts';
import type { WorkersMetrics } from './metrics.ts';
import type { WorkerProcess } from './process.ts';

/** Handles the rate limit counts and metrics that workers exchange through the primary. */
export type IpcHub = (message: ToPrimary, from: WorkerProcess) => void;

/** Creates the hub. @param metrics undefined if metrics are disabled @param onFault called if metrics cannot be read */
export function createIpcHub(metrics: WorkersMetrics | undefined, onFault: (error: unknown) => void): IpcHub {
  const exchange = collectUses<WorkerProcess>(Date.now);
  return (message, from) => {
    switch (message.say) {
      case 'uses': {
        const uses = exchange(from, message.since, message.uses);
        return from.send({ say: 'others', id: message.id, uses });
      }
      case 'metrics':
        return metrics?.hear(from, message.metrics, message.id);
      case 'scrape': {
        const { id } = message;
        metrics?.text().then((text) => from.send({ say: 'text', id, text }), onFault);
        return;
      }
      case 'listening':
      case 'failed':
        return; // the supervisor handles these messages
    }
  };
}
