import { useEffect, useRef, useState } from 'preact/hooks';
import { whileInSight } from '../browser/sight.ts';
import { isFollowing } from '../data/events.ts';
import { useAnswer } from '../statistics/ask.ts';
import { onClicks } from '../statistics/live.ts';
import type { Subject } from '../statistics/model/answer.ts';
import { type Minute, minutesOf, minutesQuestion, minutesShown } from '../statistics/model/home.ts';
import { number, time } from '../texts/format.ts';
import { t } from './texts.ts';

const everyMs = 10_000;
const atMostEveryMs = 1_000;
const height = 64;
const step = 10;

/** Bar chart of clicks in the last 60 minutes, with one bar per minute. A bar that has grown is briefly highlighted. */
export function Minutes({ subject }: { readonly subject: Subject }) {
  const minutes = useMinutes(subject);
  const tinted = useGrown(minutes);
  if (minutes === undefined) return <div class="minutes" />;
  const most = Math.max(4, ...minutes.map(({ clicks }) => clicks));
  return (
    <svg
      class="minutes"
      viewBox={`0 0 ${minutesShown * step} ${height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={spoken(minutes)}
    >
      {minutes.map(({ at, clicks }, place) => {
        const tall = Math.max(2, (clicks / most) * height);
        const x = place * step;
        return (
          <g key={at}>
            {tinted.has(at) && <rect key={clicks} class="tinted" x={x} y="0" width={step} height={height} />}
            {clicks > 0 && (
              <rect
                class={place === minutesShown - 1 ? 'now' : 'past'}
                x={x + 0.5}
                y={height - tall}
                width={step - 1}
                height={tall}
              />
            )}
            <rect class="pointed" x={x} y="0" width={step} height={height}>
              <title>{`${time(at)} · ${t.clicks(clicks)}`}</title>
            </rect>
          </g>
        );
      })}
    </svg>
  );
}

function spoken(minutes: readonly Minute[]): string {
  const sum = minutes.reduce((total, { clicks }) => total + clicks, 0);
  const most = minutes.reduce((a, b) => (b.clicks >= a.clicks ? b : a));
  const { homeFigures } = t;
  return sum === 0
    ? `${homeFigures.liveAbout}: ${t.clicks(0)}`
    : `${homeFigures.liveAbout}: ${t.clicks(sum)}, ${homeFigures.mostAt(time(most.at), number(most.clicks))}`;
}

/**
 * Loads the clicks per minute. Reloads them after a click, and regularly if live events are not available. Also updates
 * when a new minute begins.
 */
function useMinutes(subject: Subject): readonly Minute[] | undefined {
  const [now, setNow] = useState(Date.now);
  const [{ turn, askedAt }, setAsked] = useState({ turn: 0, askedAt: now });
  useEffect(() => {
    const refresh = () => {
      const at = Date.now();
      setNow(at);
      setAsked((before) => ({ turn: before.turn + 1, askedAt: at }));
    };
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    const ends = [
      whileInSight(refresh, everyMs, () => !isFollowing.peek()),
      onClicks(subject, refresh, atMostEveryMs),
    ];
    return () => {
      clearInterval(timer);
      for (const end of ends) end();
    };
  }, []);
  const { answer } = useAnswer(subject, minutesQuestion(askedAt), turn);
  const minute = Math.floor(now / 60_000);
  const [minutes, setMinutes] = useState<readonly Minute[]>();
  useEffect(() => {
    if (answer !== undefined) setMinutes(minutesOf(answer, now));
  }, [answer, minute]);
  return minutes;
}

/** Returns the minutes whose click counts increased with the last response, so that their bars are highlighted. */
function useGrown(minutes: readonly Minute[] | undefined): ReadonlySet<number> {
  const [grown, setGrown] = useState<ReadonlySet<number>>(new Set());
  const before = useRef<ReadonlyMap<number, number>>(undefined);
  useEffect(() => {
    if (minutes === undefined) return;
    const known = before.current;
    before.current = new Map(minutes.map(({ at, clicks }) => [at, clicks]));
    if (known === undefined) return;
    const more = minutes.filter(({ at, clicks }) => clicks > (known.get(at) ?? 0));
    if (more.length > 0) setGrown(new Set(more.map(({ at }) => at)));
  }, [minutes]);
  return grown;
}
