import { useEffect, useState } from 'preact/hooks';
import { base } from '../browser/location.ts';
import { Icon } from '../components/icon.tsx';
import { Sparkline } from '../components/sparkline.tsx';
import { Failure, SkeletonRows } from '../components/states.tsx';
import type { Link } from '../data/links/links.ts';
import { pageById } from '../data/links/references.ts';
import { BeforeCode } from '../fields/destination.tsx';
import { useAnswer } from '../statistics/ask.ts';
import { useLive, useTurns } from '../statistics/live.ts';
import { Change } from '../statistics/metrics.tsx';
import { type Answer, allLinks, changeOf, scansFilter, type Value } from '../statistics/model/answer.ts';
import { monthQuestion, mostClickedQuestion, todayQuestion } from '../statistics/model/home.ts';
import { nowIn } from '../statistics/model/ranges.ts';
import { t as statisticsTexts } from '../statistics/texts.ts';
import { number, time, weekday } from '../texts/format.ts';
import { Changed, useChanges } from './changed.tsx';
import { LastClicks } from './last-clicks.tsx';
import { Minutes } from './minutes.tsx';
import { readLink } from './read-link.ts';
import { t } from './texts.ts';

const zone = Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC';

/** Statistics for today and the last weeks. Refreshed while the page is visible. */
export function HomeStatistics({ ending }: { readonly ending: readonly Link[] | undefined }) {
  const live = useLive(allLinks, true);
  const turn = useTurns(allLinks, true, live);
  const now = nowIn(zone, Date.now());
  const today = useAnswer(allLinks, todayQuestion(zone, now), turn);
  const scans = useAnswer(allLinks, todayQuestion(zone, now, { filter: [scansFilter] }), turn);
  const month = useAnswer(allLinks, monthQuestion(zone, now), turn);
  const most = useAnswer(allLinks, mostClickedQuestion(zone, now), turn);
  // Load today's statistics first, then the changes. The sections below are shown once the changes are loaded.
  const changes = useChanges(today.answer !== undefined, ending);
  const { homeFigures } = t;
  if (today.error !== undefined && today.answer === undefined)
    return <Failure title={homeFigures.failed} error={today.error} onRetry={today.retry} />;
  return (
    <>
      <dl class="home-figures">
        <Figure name={homeFigures.clicksToday} answer={today.answer} of="clicks" />
        <Figure name={homeFigures.visitors} answer={today.answer} of="visitors" />
        <Figure name={homeFigures.scans} answer={scans.answer} of="clicks" />
        <Figure name={homeFigures.month} answer={month.answer} of="clicks" />
      </dl>
      <p class="small soft home-against">
        {today.answer !== undefined &&
          homeFigures.against(weekday(Date.now()), time(Date.now()), number(today.answer.totals.human))}
      </p>
      {changes === undefined ? (
        <SkeletonRows count={20} />
      ) : (
        <Now changes={changes} live={live} most={most.answer} />
      )}
    </>
  );
}

interface NowProps {
  readonly changes: Exclude<ReturnType<typeof useChanges>, undefined>;
  /** Number of clicks in the last minute. */
  readonly live: number | undefined;
  /** Links with the most clicks. */
  readonly most: Answer | undefined;
}

function Now({ changes, live, most }: NowProps) {
  const { homeFigures } = t;
  return (
    <>
      <Changed {...changes} />
      <section aria-labelledby="live">
        <div class="home-head">
          <h2 id="live" class="live-title">
            <i class={`pulse ${live !== undefined && live > 0 ? 'on' : ''}`} aria-hidden="true" />
            {homeFigures.live}
          </h2>
          <span class="soft small">
            {live !== undefined && `${statisticsTexts.statistics.live(live)} · `}
            {homeFigures.liveAbout}
          </span>
        </div>
        <Minutes subject={allLinks} />
        <p class="minutes-axis soft small" aria-hidden="true">
          <span>{time(Date.now() - 3_600_000)}</span>
          <span>{time(Date.now())}</span>
        </p>
        <LastClicks />
      </section>
      <section aria-labelledby="most">
        <div class="home-head lined">
          <h2 id="most">{homeFigures.most}</h2>
          <a class="plain soft small" href={`${base}/links?sort=clicks`}>
            {homeFigures.allLinks} <Icon name="next" size={14} />
          </a>
        </div>
        {most === undefined && <SkeletonRows count={5} />}
        {most?.breakdown?.values.length === 0 && <p class="soft">{homeFigures.noClicks}</p>}
        <ul class="most-clicked">
          {most?.breakdown?.values.map((value) => (
            <MostClicked
              key={value.value}
              value={value}
              isComparable={(most?.compare?.totals.clicks ?? 0) > 0}
            />
          ))}
        </ul>
      </section>
    </>
  );
}

interface FigureProps {
  readonly name: string;
  readonly answer: Answer | undefined;
  readonly of: 'clicks' | 'visitors';
}

function Figure({ name, answer, of }: FigureProps) {
  const before = answer?.compare?.totals[of];
  return (
    <div>
      <dt class="label soft">{name}</dt>
      <dd>
        <span class="figure">
          {answer === undefined ? <i class="skeleton" /> : number(answer.totals[of])}
        </span>
        {answer !== undefined && <Change share={changeOf(answer.totals[of], before)} />}
      </dd>
    </div>
  );
}

/** Row for a link with its clicks. Title and daily clicks appear once loaded. */
function MostClicked({ value, isComparable }: { readonly value: Value; readonly isComparable: boolean }) {
  const [link, setLink] = useState<Link>();
  useEffect(() => {
    readLink(value.value).then(setLink, () => {}); // the link may have been deleted; its clicks remain
  }, [value.value]);
  const code = value.label ?? link?.shortCode ?? value.value;
  const change =
    value.before === undefined || !isComparable
      ? undefined
      : (changeOf(value.clicks, value.before.clicks) ?? 'new');
  return (
    <li>
      <a class="plain cut" href={pageById(value.value, code)}>
        <BeforeCode shortUrl={link?.shortUrl} />
        <b>{code}</b> <span class="soft">{link?.title}</span>
      </a>
      {link?.clicksByDay !== undefined && <Sparkline days={link.clicksByDay} />}
      <b class="count">{number(value.clicks)}</b>
      <Change share={change} />
    </li>
  );
}
