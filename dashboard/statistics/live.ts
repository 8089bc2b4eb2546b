import { useEffect, useRef, useState } from 'preact/hooks';
import { whileInSight } from '../browser/sight.ts';
import { isAfterGap, isFollowing, onEvent } from '../data/events.ts';
import { ask } from './ask.ts';
import type { Subject } from './model/answer.ts';

const everyMs = 10_000;
const soonMs = 300;
const atMostEveryMs = 1_000;
const minuteMs = 60_000;

/**
 * Returns true if the event stream covers a subject. Tags are not covered, because events do not include a link's tags.
 * Shares are not covered, because their readers have no session.
 */
function isStreamed({ kind, isShared }: Subject): boolean {
  return kind !== 'tag' && !isShared;
}

/**
 * Calls `refresh` soon after a click on a subject, and when clicks may have been missed.
 * @param atMostEveryMs minimum interval between calls in ms
 * @returns a function that unsubscribes
 */
export function onClicks(subject: Subject, refresh: () => void, atMostEveryMs: number): () => void {
  if (!isStreamed(subject)) return () => {};
  let timer: ReturnType<typeof setTimeout> | undefined;
  let lastAt = 0;
  const end = onEvent((event) => {
    const isOfSubject =
      event.type === 'click' &&
      (subject.kind === 'account' ||
        subject.id === (subject.kind === 'link' ? event.linkId : event.folderId));
    if ((!isOfSubject && !isAfterGap(event)) || timer !== undefined) return;
    timer = setTimeout(
      () => {
        timer = undefined;
        lastAt = Date.now();
        if (!document.hidden) refresh();
      },
      Math.max(soonMs, lastAt + atMostEveryMs - Date.now()),
    );
  });
  return () => {
    end();
    clearTimeout(timer);
  };
}

/**
 * Returns the number of clicks in the last minute while the page is visible. Refreshed after each click, and at
 * intervals until the minute has passed. Undefined while unknown.
 */
export function useLive(subject: Subject, isOn: boolean): number | undefined {
  const [clicks, setClicks] = useState<number>();
  useEffect(() => {
    if (!isOn) return setClicks(undefined);
    const ending = new AbortController();
    let last: number | undefined;
    const set = (found: number | undefined) => {
      last = found;
      setClicks(found);
    };
    const refresh = () => {
      const from = new Date(Date.now() - minuteMs).toISOString();
      ask(subject, { from, timezone: 'UTC', interval: 'hour' }, ending.signal).then(
        ({ totals }) => set(totals.clicks),
        () => set(undefined),
      );
    };
    if (!document.hidden) refresh();
    const isDue = () => last !== 0 || !isStreamed(subject) || !isFollowing.peek();
    const ends = [whileInSight(refresh, everyMs, isDue), onClicks(subject, refresh, atMostEveryMs)];
    return () => {
      ending.abort();
      for (const end of ends) end();
    };
  }, [subject.kind, subject.id, isOn]);
  return clicks;
}

const answersEveryMs = 15_000;
const newAnswersEveryMs = 4_000;

/**
 * Returns a counter that increases when statistics must be reloaded: when the page becomes visible, and after new
 * clicks while it is visible. A visible page without new clicks reloads nothing.
 * @param live number of clicks in the last minute
 */
export function useTurns(subject: Subject, isOn: boolean, live: number | undefined): number {
  const [turn, setTurn] = useState(0);
  const isLive = useRef(false);
  isLive.current = (live ?? 0) > 0;
  useEffect(() => {
    if (!isOn) return undefined;
    const next = () => setTurn((n) => n + 1);
    const isDue = () => isLive.current && (!isStreamed(subject) || !isFollowing.peek());
    const ends = [whileInSight(next, answersEveryMs, isDue), onClicks(subject, next, newAnswersEveryMs)];
    return () => {
      for (const end of ends) end();
    };
  }, [subject.kind, subject.id, isOn]);
  return turn;
}
