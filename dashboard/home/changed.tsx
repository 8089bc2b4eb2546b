import { useEffect, useRef, useState } from 'preact/hooks';
import { Icon } from '../components/icon.tsx';
import { StatusDot } from '../components/pieces.tsx';
import { type Link, soonMs } from '../data/links/links.ts';
import { pageById } from '../data/links/references.ts';
import { lastVisit } from '../data/visit.ts';
import { labelOf } from '../statistics/labels.ts';
import { number, relative, signed, time, weekday } from '../texts/format.ts';
import { type Change, readChanges } from './changes.ts';
import { t } from './texts.ts';

const weekMs = 7 * 86_400_000;
/** Longest period to compare, in ms. Statistics are exact for recent weeks only. */
const maxPeriodMs = 30 * 86_400_000;

/** Maximum time in ms that the sections below wait for this section. */
const mostWaitMs = 4_000;

interface Changes {
  /** Start of the period, in ms since the epoch. Usually the time of the last visit. */
  readonly from: number;
  readonly isFirst: boolean;
  readonly found?: Awaited<ReturnType<typeof readChanges>> | undefined;
}

/**
 * Loads the changes since the last visit. Returns undefined while loading.
 * @param isDue whether loading may start
 * @param ending links that expire within two weeks
 */
export function useChanges(isDue: boolean, ending: readonly Link[] | undefined): Changes | undefined {
  const [changes, setChanges] = useState<Changes>();
  const isBegun = useRef(false);
  useEffect(() => {
    if (!isDue || ending === undefined || isBegun.current) return;
    isBegun.current = true;
    const now = Date.now();
    const last = lastVisit();
    const since = { from: Math.max(last ?? now - weekMs, now - maxPeriodMs), isFirst: last === undefined };
    // Don't repeat links that the side column already lists.
    const news = ending.filter(({ expiresAt }) => Date.parse(expiresAt ?? '') - soonMs >= since.from);
    readChanges(since.from, news).then(
      (found) => setChanges({ ...since, found }),
      () => setChanges(since), // ignore the error, because other sections report it
    );
    setTimeout(() => setChanges((is) => is ?? since), mostWaitMs);
  }, [isDue, ending]);
  return changes;
}

/** Section that lists links whose clicks rose or fell significantly, links that expire soon, and not-found visits. */
export function Changed({ from, isFirst, found }: Changes) {
  if (!found?.hasClicks) return null;
  const { changed } = t;
  return (
    <section class="changed" aria-labelledby="changed">
      <div class="home-head lined">
        <h2 id="changed">{isFirst ? changed.titleFirst : changed.title}</h2>
        <span class="soft small">
          {!isFirst && `${weekday(from)}, ${time(from)} · `}
          {changed[found.beside]}
        </span>
      </div>
      {found.changes.length === 0 && <p class="soft">{changed.nothing}</p>}
      <ul>
        {found.changes.map((change) => (
          <Line
            key={`${change.kind} ${change.id} ${change.kind === 'missed' && change.reason}`}
            change={change}
          />
        ))}
      </ul>
    </section>
  );
}

function Line({ change }: { readonly change: Change }) {
  const { kind, id, code, title } = change;
  const name = (
    <>
      <span class="soft">/</span>
      <b>{code}</b>{' '}
      <span class="soft" dir="auto">
        {title}
      </span>
    </>
  );
  const isGone = kind === 'missed' && change.reason === 'deleted';
  return (
    <li>
      <Sign change={change} />
      {isGone ? (
        <span class="cut">{name}</span>
      ) : (
        <a class="plain cut" href={pageById(id, code)}>
          {name}
        </a>
      )}
      <span class="why">{reasonOf(change)}</span>
    </li>
  );
}

function Sign({ change: { kind } }: { readonly change: Change }) {
  if (kind === 'soon' || kind === 'expired') return <StatusDot state={kind} />;
  if (kind === 'missed') return <Icon name="warning" />;
  return (
    <span class={kind === 'rose' ? 'up' : 'soft'}>
      <Icon name={kind === 'rose' ? 'arrow-up' : 'arrow'} />
    </span>
  );
}

function reasonOf(change: Change): string {
  const { changed } = t;
  switch (change.kind) {
    case 'rose':
    case 'fell': {
      const figures = changed.clicks(number(change.clicks), number(change.before));
      const { source } = change;
      if (source === undefined) return figures;
      const name = labelOf('referrer', { value: source.value });
      return `${figures}; ${name} ${signed(source.change)}`;
    }
    case 'soon':
      return changed.soon(change.when, t.clicks(change.clicks));
    case 'expired':
      return changed.expired(relative(change.at), t.clicks(change.clicks));
    case 'missed':
      return `${changed.missed(change.visits)}: ${changed.reasons[change.reason]}`;
  }
}
