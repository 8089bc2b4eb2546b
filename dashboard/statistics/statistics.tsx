import { useRef, useState } from 'preact/hooks';
import type { StatisticsDimension } from '../../src/model/clicks/statistics.ts';
import { address, go } from '../browser/location.ts';
import { saveFile } from '../browser/save-file.ts';
import { useShortcuts } from '../browser/shortcuts.ts';
import { Button } from '../components/button.tsx';
import { MenuButton } from '../components/menu.tsx';
import { Empty, Failure } from '../components/states.tsx';
import { exportAddress } from '../data/links/export-address.ts';
import { may } from '../data/session-state.ts';
import { dateAndTime, number } from '../texts/format.ts';
import { useAnswer } from './ask.ts';
import { Breakdown } from './breakdown.tsx';
import { ChartView } from './chart.tsx';
import { ComparisonControl, IntervalControl, PeriodControl, ZoneControl } from './controls.tsx';
import { useEarliest } from './earliest.ts';
import { ClassSwitch, Figures } from './figures.tsx';
import { Chips, FilterControl } from './filter-control.tsx';
import { useLive, useTurns } from './live.ts';
import { type Answer, intervalOf, questionFor, type Subject } from './model/answer.ts';
import { chartOf } from './model/chart-model.ts';
import type { Day } from './model/days.ts';
import { dimensionsOf, type Panel, panels, panelsFor } from './model/dimensions.ts';
import { csvOf, jsonOf, type Seen } from './model/export.ts';
import { type Filter, toggled } from './model/filters.ts';
import { daysOfBuckets } from './model/moments.ts';
import { daysOf, intervals, nowIn, type Preset, presetKeys, presets, shifted } from './model/ranges.ts';
import { classes, readState, type State, withClass, withClassAlone, withState } from './model/state.ts';
import { ChartTable } from './table.tsx';
import { t } from './texts.ts';

const ownZone = Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC';

interface StatisticsProps {
  readonly subject: Subject;
  /** When there can be a first click: where "from the start" begins. */
  readonly since?: Day | undefined;
  /** Grows when all of it is to be read again. */
  readonly reading?: number | undefined;
}

/** Clicks over time and by everything that they say, of a link, a folder, a tag or the account. */
export function Statistics({ subject, since, reading }: StatisticsProps) {
  if (!may('analytics:read')) return <Empty title={t.statistics.title}>{t.statistics.forbidden}</Empty>;
  return <Allowed key={`${subject.kind} ${subject.id}`} subject={subject} since={since} reading={reading} />;
}

/** Codes and names of links and folders that were seen, for chips: their filters hold ids. */
const seenLabels = new Map<string, string>();

function Allowed({ subject, since, reading = 0 }: StatisticsProps) {
  const state = readState(address.value.searchParams, ownZone);
  const change = (changes: Partial<State>, { replace = false } = {}) => {
    const query = withState(address.peek().searchParams, { ...state, ...changes }, ownZone).toString();
    go(`${address.peek().pathname}${query === '' ? '' : `?${query}`}`, { replace });
  };
  const now = nowIn(state.zone, Date.now());
  const isAll = state.period.kind === 'preset' && state.period.preset === 'all';
  const earliest = useEarliest(subject, state.zone, isAll ? since : undefined, isAll);
  const days = daysOf(state.period, now, earliest);
  const isWaiting = isAll && earliest === undefined;
  const isOpen = days.last >= now.day;
  // Readers of a share may ask less often: they see new clicks when they come back to the page.
  const live = useLive(subject, isOpen && !subject.isShared);
  const turn = useTurns(subject, isOpen, live) + reading;
  const ask = (more: Parameters<typeof questionFor>[3]) =>
    isWaiting ? undefined : questionFor(isAll ? { ...state, comparison: 'none' } : state, days, now, more);

  const main = useAnswer(subject, ask({}), turn);
  const isEveryClass = state.classes.length === classes.length;
  const everyClass = useAnswer(subject, isEveryClass ? undefined : ask({ ofAllClasses: true }), turn);
  const scans = useAnswer(subject, ask({ ofScans: true }), turn);
  const [isFiltering, setFiltering] = useState(false);
  const zoomed = useRef(0);
  const breakdowns = useRef(new Map<StatisticsDimension, Answer>());
  const { statistics } = t;

  const pick = (dimension: StatisticsDimension, operator: 'is' | 'is-not', value: string, label: string) => {
    seenLabels.set(value, label.replace(/^\//, ''));
    change({ filters: toggled(state.filters, dimension, operator, value) });
  };
  const shift = (steps: number) => change({ period: shifted(state.period, steps, now) });
  const back = () => {
    if (zoomed.current === 0) return;
    zoomed.current -= 1;
    history.back();
  };
  useShortcuts({
    ...Object.fromEntries(
      presets.map((preset: Preset) => [
        presetKeys[preset],
        () => change({ period: { kind: 'preset', preset } }),
      ]),
    ),
    ',': () => shift(-1),
    '.': () => shift(1),
    x: () => change({ comparison: state.comparison === 'none' ? 'previous' : 'none' }),
    ...Object.fromEntries(
      classes.map((one, at) => [String(at + 1), () => change(withClassAlone(state, one), { replace: true })]),
    ),
    f: () => setFiltering(true),
  });

  const shown = state.metric === 'scans' ? scans : main;
  const interval = intervals.find((one) => one === shown.answer?.interval) ?? intervalOf(state, days);
  const chart =
    shown.answer === undefined ? undefined : chartOf(shown.answer, state.metric, state.classes, Date.now());
  const zoom = (first: string, last: string) => {
    const inside = daysOfBuckets(first, last, interval, days);
    if (inside === undefined) return;
    zoomed.current += 1;
    change({ period: { kind: 'days', ...inside }, interval: undefined });
  };

  const what = statistics.metrics[state.metric];
  const chosenIn = (panel: Panel): StatisticsDimension => {
    const possible = dimensionsOf(panel, subject.kind);
    return possible.find((one) => state.by.includes(one)) ?? possible[0] ?? 'referrer';
  };
  const shownPanels = panelsFor(subject.kind);
  const clicksAddress = () => {
    const {
      from,
      to,
      timezone,
      class: shownClasses,
      filter,
    } = ask({ ofScans: state.metric === 'scans' }) ?? {};
    const of = subject.kind === 'account' ? {} : { [`${subject.kind}Id`]: subject.id };
    return exportAddress('clicks', 'csv', { ...of, from, to, timezone, class: shownClasses, filter });
  };
  const save = (kind: 'csv' | 'json') => {
    const question = ask({});
    if (main.answer === undefined || question === undefined) return;
    const seen: Seen = {
      question,
      main: main.answer,
      breakdowns: shownPanels.flatMap((panel) => {
        const dimension = chosenIn(panel);
        const answer = breakdowns.current.get(dimension);
        return answer === undefined ? [] : [{ dimension, answer }];
      }),
    };
    const name = `linkfold-${days.first}-${days.last}.${kind}`;
    if (kind === 'csv') saveFile(name, 'text/csv', csvOf(seen));
    else saveFile(name, 'application/json', jsonOf(seen));
  };

  return (
    <div class="statistics">
      <div class="stat-bar">
        <div class="narrowing">
          <PeriodControl
            period={state.period}
            days={days}
            now={now}
            onChange={(period) => change({ period, interval: undefined })}
            onShift={shift}
          />
          {!isAll && (
            <ComparisonControl
              comparison={state.comparison}
              days={days}
              now={now}
              onChange={(comparison) => change({ comparison })}
            />
          )}
          <Chips filters={state.filters} labels={seenLabels} onChange={(filters) => change({ filters })} />
          <FilterControl
            subject={subject}
            isOpen={isFiltering}
            onOpen={setFiltering}
            questionFor={(dimension) => ask({ groupBy: dimension })}
            onAdd={(filter: Filter, labels) => {
              for (const [value, label] of labels) seenLabels.set(value, label);
              change({ filters: [...state.filters, filter] });
            }}
          />
        </div>
        <span class="end">
          {live !== undefined && (
            <span class="live small soft">
              <i class={live > 0 ? 'dot active' : 'dot expired'} />
              {statistics.live(live)}
            </span>
          )}
          <MenuButton
            kind="quiet"
            icon="download"
            align="end"
            menuLabel={statistics.export}
            disabledReason={main.answer === undefined ? statistics.reading : undefined}
            items={() => [
              { label: statistics.exportCsv, onSelect: () => save('csv') },
              { label: statistics.exportJson, onSelect: () => save('json') },
              ...(subject.isShared
                ? []
                : [undefined, { label: statistics.exportClicks, href: clicksAddress() }]),
            ]}
          >
            {statistics.export}
          </MenuButton>
        </span>
      </div>

      <div class="figure-bar">
        <Figures
          state={state}
          main={main.answer}
          scans={scans.answer}
          isManyDays={days.first !== days.last}
          onChoose={(metric) => change({ metric }, { replace: true })}
        />
        <ClassSwitch
          shown={state.classes}
          totals={(isEveryClass ? main : everyClass).answer?.totals}
          onToggle={(one) => change(withClass(state, one), { replace: true })}
        />
      </div>

      <div class={`chart-place ${shown.isOld && shown.answer !== undefined ? 'old' : ''}`}>
        {shown.error !== undefined ? (
          <Failure title={statistics.failed} error={shown.error} onRetry={shown.retry} />
        ) : chart === undefined ? (
          <div class="chart-waiting" aria-hidden="true" />
        ) : (
          <ChartView
            chart={chart}
            interval={interval}
            what={what}
            emptyText={state.filters.length > 0 ? statistics.noneFiltered : statistics.none}
            onZoom={zoom}
            onBack={back}
          />
        )}
      </div>
      <div class="chart-foot">
        <IntervalControl interval={interval} days={days} onChange={(one) => change({ interval: one })} />
        <ZoneControl zone={state.zone} onChange={(zone) => change({ zone })} />
        <Button
          kind="quiet"
          size="small"
          rest={{ 'aria-expanded': state.hasTable }}
          onClick={() => change({ hasTable: !state.hasTable }, { replace: true })}
        >
          {state.hasTable ? statistics.noTable : statistics.table}
        </Button>
      </div>
      {main.answer?.incompleteBefore !== undefined && (
        <p class="small warn-text">{statistics.incomplete(dateAndTime(main.answer.incompleteBefore))}</p>
      )}
      {state.hasTable && chart !== undefined && <ChartTable chart={chart} interval={interval} what={what} />}

      <div class="breakdowns">
        {[0, 1].map((column) => (
          <div key={column} class="column">
            {shownPanels.map((panel, at) =>
              at % 2 !== column ? null : (
                <Breakdown
                  key={panel}
                  subject={subject}
                  dimensions={dimensionsOf(panel, subject.kind)}
                  chosen={chosenIn(panel)}
                  onChoose={(dimension) => {
                    const others = state.by.filter(
                      (one) => !(panels[panel] as readonly string[]).includes(one),
                    );
                    const isUsual = dimension === dimensionsOf(panel, subject.kind)[0];
                    change({ by: isUsual ? others : [...others, dimension] }, { replace: true });
                  }}
                  questionFor={(dimension, limit) =>
                    ask({
                      groupBy: dimension,
                      ...(limit !== undefined && { limit }),
                      ...(state.metric === 'scans' && { ofScans: true }),
                    })
                  }
                  turn={turn}
                  place={at}
                  metric={state.metric}
                  filters={state.filters}
                  onPick={pick}
                  onAnswer={(dimension, answer) => {
                    if (answer !== undefined) breakdowns.current.set(dimension, answer);
                  }}
                />
              ),
            )}
          </div>
        ))}
      </div>
      <p class="unseen" role="status">
        {main.answer !== undefined && !main.isOld
          ? `${statistics.metrics.clicks}: ${number(main.answer.totals.clicks)}`
          : ''}
      </p>
    </div>
  );
}
