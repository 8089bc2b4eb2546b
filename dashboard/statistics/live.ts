import { useEffect, useState } from 'preact/hooks';
import { ask } from './ask.ts';
import type { Subject } from './model/answer.ts';

const everyMs = 10_000;
const minuteMs = 60_000;

/** Clicks of the last minute, asked for while the page is in sight. Undefined while it is not known. */
export function useLive(subject: Subject, isOn: boolean): number | undefined {
  const [clicks, setClicks] = useState<number>();
  useEffect(() => {
    if (!isOn) return setClicks(undefined);
    const ending = new AbortController();
    const look = () => {
      if (document.visibilityState !== 'visible') return;
      const from = new Date(Date.now() - minuteMs).toISOString();
      ask(subject, { from, timezone: 'UTC', interval: 'hour' }, ending.signal).then(
        ({ totals }) => setClicks(totals.clicks),
        () => setClicks(undefined),
      );
    };
    look();
    const timer = setInterval(look, everyMs);
    document.addEventListener('visibilitychange', look);
    return () => {
      ending.abort();
      clearInterval(timer);
      document.removeEventListener('visibilitychange', look);
    };
  }, [subject.kind, subject.id, isOn]);
  return clicks;
}
