import { useRef, useState } from 'preact/hooks';
import type { StatisticsDimension } from '../../src/model/clicks/statistics.ts';
import { Empty } from '../components/states.tsx';
import { may } from '../data/session-state.ts';
import { number } from '../texts/format.ts';
import { useAnswer } from './ask.ts';
import { Breakdown } from './breakdown.tsx';
import { ComparisonControl, PeriodControl } from './controls.tsx';
import { ExportMenu } from './export-menu.tsx';
import { Chips, FilterControl } from './filter-control.tsx';
import { ClassSwitch, Metrics } from './metrics.tsx';
import type { Answer, Subject } from './model/answer.ts';
import type { Day } from './model/days.ts';
import { dimensionsOf, type Panel, panels, panelsFor } from './model/dimensions.ts';
import { toggled } from './model/filters.ts';
import { classes, withClass } from './model/state.ts';
import { t } from './texts.ts';
import { Timeline } from './timeline.tsx';
import { chosenIn, useView, useViewKeys, type View } from './view.ts';

interface StatisticsProps {
  readonly subject: Subject;
  /** Earliest day on which a click is possible. The range "all time" starts on this day. */
  readonly since?: Day | undefined;
  /** Counter that increases when all data must be reloaded. */
  readonly reading?: number | undefined;
}

/** Shows clicks over time and by dimension for a link, a folder, a tag or the account. */
export function Statistics({ subject, since, reading }: StatisticsProps) {
  if (!may('analytics:read')) return <Empty title={t.statistics.title}>{t.statistics.forbidden}</Empty>;
  return <Allowed key={`${subject.kind} ${subject.id}`} subject={subject} since={since} reading={reading} />;
}

function Allowed({ subject, since, reading = 0 }: StatisticsProps) {
  const view = useView(subject, since, reading);
  const { state, change, days, live, turn, ask } = view;
  const main = useAnswer(subject, ask({}), turn);
  const isEveryClass = state.classes.length === classes.length;
  const everyClass = useAnswer(subject, isEveryClass ? undefined : ask({ ofAllClasses: true }), turn);
  const scans = useAnswer(subject, ask({ ofScans: true }), turn);
  const [isFiltering, setFiltering] = useState(false);
  useViewKeys(view, () => setFiltering(true));
  /** Loaded breakdowns, for exports. */
  const breakdowns = useRef(new Map<StatisticsDimension, Answer>());
  return (
    <div class="statistics">
      <div class="stat-bar">
        <Narrowing view={view} isFiltering={isFiltering} onFilter={setFiltering} />
        <span class="end">
          {live !== undefined && (
            <span class="live small soft">
              <i class={live > 0 ? 'dot active' : 'dot expired'} />
              {t.statistics.live(live)}
            </span>
          )}
          <ExportMenu view={view} main={main.answer} breakdowns={breakdowns.current} />
        </span>
      </div>
      <div class="figure-bar">
        <Metrics
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
      <Timeline
        view={view}
        shown={state.metric === 'scans' ? scans : main}
        incompleteBefore={main.answer?.incompleteBefore}
      />
      <div class="breakdowns">
        {[0, 1].map((column) => (
          <div key={column} class="column">
            {panelsFor(subject.kind).map((panel, at) =>
              at % 2 !== column ? null : (
                <PanelBreakdown key={panel} view={view} panel={panel} place={at} seen={breakdowns.current} />
              ),
            )}
          </div>
        ))}
      </div>
      <p class="unseen" role="status">
        {main.answer !== undefined && !main.isOld
          ? `${t.statistics.metrics.clicks}: ${number(main.answer.totals.clicks)}`
          : ''}
      </p>
    </div>
  );
}

/** Names of links and folders by id. Filters contain only ids, but chips show names. */
const seenLabels = new Map<string, string>();

interface NarrowingProps {
  readonly view: View;
  readonly isFiltering: boolean;
  readonly onFilter: (isFiltering: boolean) => void;
}

/** Controls for period, comparison and filters. */
function Narrowing({ view, isFiltering, onFilter }: NarrowingProps) {
  const { subject, state, change, days, now, isAll, shift, ask } = view;
  return (
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
        onOpen={onFilter}
        filters={state.filters}
        questionFor={(dimension) => ask({ groupBy: dimension, isOfEveryValue: true })}
        onChange={(filters, labels) => {
          for (const [value, label] of labels) seenLabels.set(value, label);
          change({ filters });
        }}
      />
    </div>
  );
}

interface PanelProps {
  readonly view: View;
  readonly panel: Panel;
  readonly place: number;
  /** Loaded breakdowns, for exports. */
  readonly seen: Map<StatisticsDimension, Answer>;
}

/** Breakdown panel. The URL contains the selected dimension, and clicking a value adds a filter. */
function PanelBreakdown({ view, panel, place, seen }: PanelProps) {
  const { subject, state, change, turn, ask } = view;
  const dimensions = dimensionsOf(panel, subject.kind);
  const choose = (dimension: StatisticsDimension) => {
    const others = state.by.filter((one) => !(panels[panel] as readonly string[]).includes(one));
    const by = dimension === dimensions[0] ? others : [...others, dimension];
    change({ by }, { replace: true });
  };
  return (
    <Breakdown
      subject={subject}
      dimensions={dimensions}
      chosen={chosenIn(view, panel)}
      onChoose={choose}
      questionFor={(dimension, limit) =>
        ask({
          groupBy: dimension,
          ...(limit !== undefined && { limit }),
          ...(state.metric === 'scans' && { ofScans: true }),
        })
      }
      turn={turn}
      place={place}
      metric={state.metric}
      filters={state.filters}
      onPick={(dimension, operator, value, label) => {
        seenLabels.set(value, label.replace(/^\//, ''));
        change({ filters: toggled(state.filters, dimension, operator, value) });
      }}
      onAnswer={(dimension, answer) => {
        if (answer !== undefined) seen.set(dimension, answer);
      }}
    />
  );
}
