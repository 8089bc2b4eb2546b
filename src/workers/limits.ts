import { type Allowance, type Counts, createLimiter, type Limiter } from '../domain/limits.ts';

/** From an event to its being told, ms: what comes meanwhile is told with it. */
const tellAfterMs = 10;
/** A primary that does not answer must not hold up requests, ms. */
const patienceMs = 1_000;

/** A limiter whose counts the other workers hear of, as it hears of theirs. It never counts more than there was. */
export interface ToldLimiter extends Limiter {
  hear(counts: Counts): void;
}

/** @param tell sends counts to the others */
export const createToldLimiter = (now: () => number, tell: (counts: Counts) => void): ToldLimiter => {
  const all = createLimiter(now);
  let untold = createLimiter(now);
  let isDue = false;
  const tellAll = (): void => {
    const counts = untold.counts();
    isDue = false;
    untold = createLimiter(now);
    if (counts.events.length > 0) tell(counts);
  };
  return {
    take(name, limit) {
      untold.take(name, limit);
      if (!isDue) setTimeout(tellAll, tellAfterMs).unref();
      isDue = true;
      return all.take(name, limit);
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
