import { type Allowance, type Counts, createLimiter, type Limiter } from '../domain/limits.ts';

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
export const createToldLimiter = (now: () => number, tell: (counts: Counts) => void): ToldLimiter => {
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
      if (limit === 0 || all.look(name, limit).exceeded) return all.take(name, limit);
      untold.take(name, limit);
      const allowance = all.take(name, limit);
      if (allowance.remaining <= limit / 2) tellSoon();
      else later ??= setTimeout(tellAll, tellAfterMs).unref();
      return allowance;
    },
    look: all.look,
    hear: all.add,
  };
};

export type Take = readonly [id: number, name: string, limit: number];

/** A limiter that asks the primary, which counts for all workers: exact, and an answer later. */
export interface AskingLimiter {
  take(name: string, limit: number): Promise<Allowance>;
  hear(allowances: readonly (readonly [id: number, allowance: Allowance])[]): void;
}

/** @param ask sends the takes of one turn of the event loop; false when nobody hears it */
export const createAskingLimiter = (
  now: () => number,
  ask: (takes: readonly Take[]) => boolean,
): AskingLimiter => {
  const open = new Map<number, (allowance: Allowance) => void>();
  /** Who could not be asked for: better counted here alone than refused, or not counted. */
  const alone = createLimiter(now);
  let last = 0;
  let takes: Take[] = [];

  const takeAlone = (asked: readonly Take[]): void => {
    for (const [id, name, limit] of asked) {
      if (open.has(id)) hear([[id, alone.take(name, limit)]]);
    }
  };
  const askAll = (): void => {
    const asked = takes;
    takes = [];
    if (!ask(asked)) return takeAlone(asked);
    setTimeout(takeAlone, patienceMs, asked).unref();
  };
  const hear: AskingLimiter['hear'] = (allowances) => {
    for (const [id, allowance] of allowances) {
      open.get(id)?.(allowance);
      open.delete(id);
    }
  };

  return {
    take: (name, limit) =>
      new Promise((resolve) => {
        last += 1;
        open.set(last, resolve);
        if (takes.length === 0) setImmediate(askAll);
        takes.push([last, name, limit]);
      }),
    hear,
  };
};
