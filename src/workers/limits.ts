import { type Allowance, type Counts, createLimiter, type Limiter } from '../domain/limits.ts';
import { createFifo } from '../runtime/fifo.ts';

/** From an event to its being told, ms: what comes meanwhile is told with it. */
const tellAfterMs = 10;
/** A primary that does not answer must not hold up requests, ms. */
const patienceMs = 1_000;

/**
 * A limiter whose counts the other workers hear of, as it hears of theirs: at the end of the turn by whoever has used up
 * half of a limit, else some ms later. It never counts more than there was.
 */
export interface ToldLimiter extends Limiter {
  hear(counts: Counts): void;
}

/** @param tell sends counts to the others */
export function createToldLimiter(now: () => number, tell: (counts: Counts) => void): ToldLimiter {
  const all = createLimiter(now);
  let untold = createLimiter(now);
  let later: NodeJS.Timeout | undefined;
  let isDue = false;
  const tellAll = (): void => {
    clearTimeout(later);
    later = undefined;
    isDue = false;
    const counts = untold.counts();
    untold = createLimiter(now);
    if (counts.events.length > 0) tell(counts);
  };
  const tellSoon = (): void => {
    if (!isDue) setImmediate(tellAll);
    isDue = true;
  };
  return {
    take(name, limit) {
      // Nobody has to know of what is not limited, or is beyond the limit already.
      if (limit === 0 || all.peek(name, limit).exceeded) return all.take(name, limit);
      untold.take(name, limit);
      const allowance = all.take(name, limit);
      if (allowance.remaining <= limit / 2) tellSoon();
      else later ??= setTimeout(tellAll, tellAfterMs).unref();
      return allowance;
    },
    peek: all.peek,
    hear: all.add,
  };
}

export type Take = readonly [name: string, limit: number];

/** A limiter that asks the primary, which counts for all workers: exact, and an answer later. */
export interface AskingLimiter {
  take(name: string, limit: number): Promise<Allowance>;
  /** The answer to what was asked under this number. */
  hear(id: number, allowances: readonly Allowance[]): void;
}

/** What was asked in one turn of the event loop; emptied when it is answered. */
interface Batch {
  readonly id: number;
  readonly takes: Take[];
  waiting: ((allowance: Allowance) => void)[];
}

/** @param ask sends a batch; answers come in the order of the batches. False when nobody hears it */
export function createAskingLimiter(
  now: () => number,
  ask: (id: number, takes: readonly Take[]) => boolean,
): AskingLimiter {
  const asked = createFifo<Batch>();
  /** For whoever could not be asked for: better counted here alone than refused, or not counted. */
  const alone = createLimiter(now);
  let batch: Batch = { id: 0, takes: [], waiting: [] };

  const settle = ({ waiting }: Batch, allowanceOf: (at: number) => Allowance | undefined): void => {
    for (const [at, resolve] of waiting.entries()) {
      const allowance = allowanceOf(at);
      if (allowance !== undefined) resolve(allowance);
    }
  };
  const takeAlone = (late: Batch): void => {
    settle(late, (at) => alone.take(...(late.takes[at] as Take)));
    late.waiting = [];
    late.takes.length = 0;
  };
  let askedAt = Number.NEGATIVE_INFINITY;
  /** Some batch was given up: a primary that is stopped is asked once a second, for what it does not take in is kept. */
  const isSilent = (): boolean =>
    asked.first()?.waiting.length === 0 && performance.now() - askedAt < patienceMs;
  const askNow = (): void => {
    const full = batch;
    batch = { id: full.id + 1, takes: [], waiting: [] };
    if (isSilent() || !ask(full.id, full.takes)) return takeAlone(full);
    askedAt = performance.now();
    asked.add(full);
    setTimeout(takeAlone, patienceMs, full).unref();
  };

  return {
    take: (name, limit) =>
      new Promise((resolve) => {
        if (batch.takes.length === 0) setImmediate(askNow);
        batch.takes.push([name, limit]);
        batch.waiting.push(resolve);
      }),
    hear(id, allowances) {
      for (let first = asked.first(); first !== undefined && first.id <= id; first = asked.first()) {
        asked.removeFirst();
        if (first.id === id) settle(first, (at) => allowances[at]);
        first.waiting = [];
      }
    },
  };
}
