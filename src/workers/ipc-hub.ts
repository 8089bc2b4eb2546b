import { createLimiter } from '../domain/limits.ts';
import type { SharedFigures } from './figures.ts';
import type { AnonymousLimit, ToPrimary } from './messages.ts';
import type { Worker } from './process.ts';

/** Numbers of connections that change within this time are passed on together, ms. */
const tellAfterMs = 20;

/** What the primary passes on between workers: counts of limits, connections, metrics. */
export interface IpcHub {
  hear(message: ToPrimary, from: Worker): void;
  onGone(worker: Worker): void;
}

/**
 * @param figures undefined when nobody wants metrics
 * @param onFault told when they could not be read
 */
export function createIpcHub(figures: SharedFigures | undefined, onFault: (error: unknown) => void): IpcHub {
  const requests = createLimiter(Date.now);
  const anonymous = { failures: createLimiter(Date.now), codeMisses: createLimiter(Date.now) };
  /** Open connections by worker; of each that has said hello. */
  const open = new Map<Worker, number>();
  const toldOthers = new Map<Worker, number>();
  let isTelling = false;

  const tellConnections = (): void => {
    isTelling = false;
    const all = open.values().reduce((sum, number) => sum + number, 0);
    for (const [worker, number] of open) {
      const others = all - number;
      if (toldOthers.get(worker) === others) continue;
      if (worker.send({ say: 'connections', others })) toldOthers.set(worker, others);
    }
  };
  const tellConnectionsSoon = (): void => {
    if (!isTelling) setTimeout(tellConnections, tellAfterMs);
    isTelling = true;
  };

  /** A worker knows from now on what all have counted; before, it was not told, so that nothing counts twice. */
  const welcome = (worker: Worker): void => {
    open.set(worker, 0);
    tellConnectionsSoon();
    for (const limit of Object.keys(anonymous) as AnonymousLimit[]) {
      const counts = anonymous[limit].counts();
      if (counts.events.length > 0) worker.send({ say: 'count', limit, counts });
    }
  };

  return {
    hear(message, from) {
      switch (message.say) {
        case 'hello':
          return welcome(from);
        case 'take': {
          const { id, takes } = message;
          const allowances = takes.map(([name, limit]) => requests.take(name, limit));
          return void from.send({ say: 'allow', id, allowances });
        }
        case 'count': {
          const { limit, counts } = message;
          anonymous[limit].add(counts);
          for (const worker of open.keys()) if (worker !== from) worker.send({ say: 'count', limit, counts });
          return;
        }
        case 'connections':
          open.set(from, message.open);
          return tellConnectionsSoon();
        case 'figures':
          return figures?.hear(from, message.figures, message.id);
        case 'metrics': {
          const { id } = message;
          figures?.exposition.text().then((text) => from.send({ say: 'metrics', id, text }), onFault);
          return;
        }
        case 'listening':
        case 'failed':
          return; // for whoever started it
      }
    },
    onGone(worker) {
      open.delete(worker);
      toldOthers.delete(worker);
      tellConnectionsSoon();
    },
  };
}
