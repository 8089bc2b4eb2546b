import { maxSubjects } from '../../src/model/clicks/shared-subjects.ts';
import { Failure } from '../components/states.tsx';
import { change as changeText, number } from '../texts/format.ts';
import { useAnswer } from './ask.ts';
import { PeriodControl } from './controls.tsx';
import { allLinks, changeOf, figureOf, type Subject } from './model/answer.ts';
import { linePath, ticksFor } from './model/chart-model.ts';
import { shortMoment } from './model/moments.ts';
import { intervals } from './model/ranges.ts';
import { t } from './texts.ts';
import { useView } from './view.ts';

const [width, height] = [1_000, 208];

export interface Compared {
  readonly subject: Subject;
  readonly name: string;
}

/** Compares the clicks of two to four subjects: one line per subject in a chart, one row per subject in a table. */
export function Compare({ subjects, reading = 0 }: { subjects: readonly Compared[]; reading?: number }) {
  const view = useView(subjects[0]?.subject ?? allLinks, undefined, reading);
  const { state, change, days, now, shift, turn, ask } = view;
  const question = ask({});
  // Call the hook for the maximum number of subjects, because the number of hooks must be the same on every render.
  const answers = Array.from({ length: maxSubjects }, (_, at) =>
    useAnswer(subjects[at]?.subject ?? allLinks, at < subjects.length ? question : undefined, turn),
  ).slice(0, subjects.length);
  const failed = answers.find(({ error }) => error !== undefined);
  if (failed !== undefined)
    return <Failure title={t.statistics.failed} error={failed.error} onRetry={failed.retry} />;
  const links = answers.map(({ answer }) => ({
    totals: answer?.totals,
    before: answer?.compare && figureOf(answer.compare.totals, 'clicks', state.classes),
    series: (answer?.series ?? []).map((bucket) => figureOf(bucket, 'clicks', state.classes)),
  }));
  const ticks = ticksFor(Math.max(0, ...links.flatMap(({ series }) => series)));
  const top = ticks.at(-1) ?? 1;
  const [first] = answers;
  const buckets = first?.answer?.series ?? [];
  const interval = intervals.find((one) => one === first?.answer?.interval) ?? 'day';
  const ends = [buckets[0], buckets.at(-1)].map(
    (bucket) => bucket && shortMoment(bucket.start, interval, false),
  );
  return (
    <div class="compare">
      <PeriodControl
        period={state.period}
        days={days}
        now={now}
        onChange={(period) => change({ period, interval: undefined })}
        onShift={shift}
      />
      <svg
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={t.compare.title}
      >
        {links.map(({ series }, at) => (
          <path
            key={at}
            class={`compare-${at}`}
            d={series.length === 0 ? '' : linePath(series, top, width, height)}
          />
        ))}
      </svg>
      <p class="compare-axis small soft">
        <span>{ends[0]}</span>
        <span>{t.compare.most(number(top))}</span>
        <span>{ends[1]}</span>
      </p>
      <table class="ledger">
        <thead>
          <tr>
            <th scope="col">{t.compare.subject}</th>
            <th scope="col" class="number">
              {t.statistics.metrics.clicks}
            </th>
            <th scope="col" class="number">
              {t.statistics.metrics.visitors}
            </th>
            <th scope="col" class="number">
              {t.compare.change}
            </th>
          </tr>
        </thead>
        <tbody>
          {subjects.map(({ name }, at) => {
            const { totals, before } = links[at] ?? {};
            const clicks = totals && figureOf(totals, 'clicks', state.classes);
            const share = clicks === undefined ? undefined : changeOf(clicks, before);
            return (
              <tr key={at}>
                <td dir="auto">
                  <i class={`compare-${at}`} aria-hidden="true" /> {name}
                </td>
                <td class="number">{clicks === undefined ? '' : number(clicks)}</td>
                <td class="number">{totals === undefined ? '' : number(totals.visitors)}</td>
                <td class="number">{share === undefined ? '–' : changeText(share)}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
