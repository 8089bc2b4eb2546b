import type { Report } from './report.ts';

export interface AlarmOptions {
  /** Message for the operator. */
  readonly fault: string;
  readonly onError: Report | undefined;
  /** Message for the operator when the fault has ended. */
  readonly over?: string;
  readonly onInfo?: Report | undefined;
  /** Returns the time of a monotonic clock, in ms. */
  readonly clock?: () => number;
}

/** Reports a fault that may occur on every tick, at most once every ten seconds, and reports when it has ended. */
export interface Alarm {
  raise(facts: Readonly<Record<string, unknown>>): void;
  /** Reports that the fault has ended, if the fault was reported. */
  clear(): void;
}

const reportEveryMs = 10_000;

export function createAlarm(options: AlarmOptions): Alarm {
  const { fault, onError, over, onInfo, clock = () => performance.now() } = options;
  let reportedAt = Number.NEGATIVE_INFINITY;
  let isReported = false;
  return {
    raise(facts) {
      if (clock() - reportedAt < reportEveryMs) return;
      reportedAt = clock();
      isReported = true;
      onError?.(fault, facts);
    },
    clear() {
      if (isReported && over !== undefined) onInfo?.(over);
      isReported = false;
    },
  };
}
