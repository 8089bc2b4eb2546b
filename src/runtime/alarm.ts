import type { Report } from './report.ts';

export interface AlarmOptions {
  /** What the operator is told of the fault. */
  readonly fault: string;
  readonly onError: Report | undefined;
  /** What the operator is told when it is over. */
  readonly over?: string;
  readonly onInfo?: Report | undefined;
  /** Monotonic, ms. */
  readonly clock?: () => number;
}

/** Tells of a fault that may come back at every turn: at most once in ten seconds, and that it is over. */
export interface Alarm {
  raise(facts: Readonly<Record<string, unknown>>): void;
  /** Says that the fault is over, if it was told. */
  clear(): void;
}

const tellEveryMs = 10_000;

export function createAlarm(options: AlarmOptions): Alarm {
  const { fault, onError, over, onInfo, clock = () => performance.now() } = options;
  let toldAt = Number.NEGATIVE_INFINITY;
  let isTold = false;
  return {
    raise(facts) {
      if (clock() - toldAt < tellEveryMs) return;
      toldAt = clock();
      isTold = true;
      onError?.(fault, facts);
    },
    clear() {
      if (isTold && over !== undefined) onInfo?.(over);
      isTold = false;
    },
  };
}
