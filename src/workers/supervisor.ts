import type { Logger } from '../telemetry/log.ts';
import type { Worker } from './process.ts';

/** So often a place is tried to be filled before it counts as one that cannot be. */
const maxTries = 3;
const firstPauseMs = 250;
const longestPauseMs = 10_000;
/** A start may take long, above all with a migration, and nobody must end that: it is told of, ms. */
const tellEveryMs = 30_000;

export interface SupervisorOptions {
  /** How many workers there are to be. */
  readonly count: number;
  readonly start: (number: number) => Worker;
  readonly log: Logger;
  /** Called when a worker serves and when one has gone. */
  readonly onServing: (worker: Worker) => void;
  readonly onGone: (worker: Worker) => void;
  /** Called when no worker serves and none can be started, with the reason. */
  readonly onGiveUp: (reason: unknown) => void;
}

/** The places of the workers, each of which is to be filled at every moment. */
export interface Supervisor {
  /**
   * Fills the first place, then begins to fill all others at once.
   * @returns the first key of the installation, if it was made
   * @throws Error with the worker's reason when the first one does not start
   */
  fill(): Promise<{ readonly firstKey: string | undefined; readonly filled: Promise<unknown> }>;
  /** Workers that hold a place and serve. */
  serving(): readonly Worker[];
  /** Every worker process that there is: also those that start and those that leave. */
  all(): readonly Worker[];
  /** How many workers ended that nobody had asked to. */
  crashes(): number;
  /**
   * Puts a new worker into each place, one after the other: the old one leaves when the new one serves. When a new one
   * does not come up, the old ones stay. Asked for once more meanwhile, it begins again afterwards. Never rejects.
   */
  replace(): Promise<void>;
  /** Ends all workers and waits for them. @returns whether each of them ended well */
  stop(): Promise<boolean>;
  /** Ends them at once. */
  kill(): void;
}

interface Place {
  readonly number: number;
  worker: Worker | undefined;
  /** Failed starts since the last one that did not fail. */
  failures: number;
  /** While somebody sees to it that it is filled. */
  filling: Promise<void> | undefined;
}

export function createSupervisor(given: SupervisorOptions): Supervisor {
  const { count, log } = given;
  const places = Array.from({ length: count }, (_, index): Place => {
    return { number: index + 1, worker: undefined, failures: 0, filling: undefined };
  });
  const all = new Set<Worker>();
  const leaving = new Set<Worker>();
  let crashes = 0;
  let isStopping = false;
  let badEnds = 0;
  let replacing: Promise<void> | undefined;
  /** Whether what is on the disk may be newer than some worker. */
  let isWanted = false;

  const start = (place: Place): Worker => {
    const worker = given.start(place.number);
    all.add(worker);
    void worker.ended.then(({ code }) => {
      all.delete(worker);
      if (code !== 0) badEnds += 1;
      given.onGone(worker);
    });
    return worker;
  };

  const settle = (place: Place, worker: Worker): void => {
    place.worker = worker;
    place.failures = 0;
    log.info({ worker: place.number, workerPid: worker.pid }, 'a worker serves');
    given.onServing(worker);
    void worker.ended.then((exit) => {
      if (place.worker === worker) place.worker = undefined;
      if (isStopping || leaving.delete(worker)) return;
      crashes += 1;
      const facts = { worker: place.number, workerPid: worker.pid, ...exit };
      log.error(facts, 'a worker ended; another one takes its place');
      if (place.worker === undefined) void refill(place);
    });
  };

  const tellFailure = (place: Place, error: unknown): void => {
    place.failures += 1;
    const reason = error instanceof Error ? error.message : String(error);
    log.error({ worker: place.number, failures: place.failures, reason }, 'a worker did not start');
  };

  /** One at a time works on a place. */
  const fillBy = (place: Place, work: (place: Place) => Promise<void>): Promise<void> => {
    const filling = work(place).finally(() => {
      place.filling = undefined;
    });
    place.filling = filling;
    return filling;
  };

  const untilListening = (place: Place, worker: Worker): Promise<string | undefined> => {
    const slow = setInterval(() => {
      const facts = { worker: place.number, workerPid: worker.pid };
      const isAlone = place.worker === undefined;
      log.warn(facts, `a worker is not ready yet${isAlone ? '' : '; the one before it goes on'}`);
    }, tellEveryMs);
    return worker.listening.finally(() => clearInterval(slow));
  };

  const tryUntilFilled = async (place: Place): Promise<void> => {
    while (!isStopping && place.worker === undefined) {
      const worker = start(place);
      try {
        await untilListening(place, worker);
        settle(place, worker);
      } catch (error) {
        if (isStopping) return;
        tellFailure(place, error);
        const hasGivenUp = places.every((one) => one.worker === undefined && one.failures >= maxTries);
        if (hasGivenUp) return given.onGiveUp(error);
        await pause(Math.min(longestPauseMs, firstPauseMs * 2 ** (place.failures - 1)));
      }
    }
  };

  const refill = (place: Place): Promise<void> => place.filling ?? fillBy(place, tryUntilFilled);

  const startNew = async (place: Place): Promise<void> => {
    const newcomer = start(place);
    await untilListening(place, newcomer);
    const old = place.worker;
    settle(place, newcomer);
    if (old === undefined) return;
    leaving.add(old);
    old.end('leave');
  };

  const replaceAll = async (): Promise<void> => {
    log.info({ workers: count }, 'replacing the workers, one after the other');
    for (const place of places) {
      await place.filling;
      if (isStopping) return;
      try {
        const old = place.worker;
        await fillBy(place, startNew);
        await old?.ended;
      } catch (error) {
        if (isStopping) return;
        tellFailure(place, error);
        log.error('the workers that are not replaced yet go on as they are');
        if (place.worker === undefined) void refill(place);
        return;
      }
    }
    log.info({ workers: count }, 'all workers are replaced');
  };

  const replace = async (): Promise<void> => {
    isWanted = true;
    replacing ??= (async () => {
      while (isWanted && !isStopping) {
        isWanted = false;
        await replaceAll();
      }
    })().finally(() => {
      replacing = undefined;
    });
    await replacing;
  };

  return {
    async fill() {
      const [first, ...others] = places as [Place, ...Place[]];
      const worker = start(first);
      const firstKey = await untilListening(first, worker);
      settle(first, worker);
      return { firstKey, filled: Promise.all(others.map(refill)) };
    },
    serving: () => places.flatMap(({ worker }) => worker ?? []),
    all: () => [...all],
    crashes: () => crashes,
    replace,
    async stop() {
      isStopping = true;
      badEnds = 0;
      const ended = [...all].map((worker) => worker.ended);
      for (const worker of all) worker.end('stop');
      await Promise.all(ended);
      return badEnds === 0;
    },
    kill() {
      isStopping = true;
      for (const worker of all) worker.kill();
    },
  };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
